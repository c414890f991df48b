/** Forms: fields with their labels, what is wrong with them, and the button at the end. */
import type { ComponentChildren, JSX, VNode } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { CallError } from '../call.ts';
import type { Action } from './action.ts';

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly name: string;
  readonly type?: 'text' | 'email' | 'password' | 'date' | 'datetime-local' | 'search';
  readonly autocomplete?: JSX.IntrinsicElements['input']['autocomplete'];
  /** A sentence below the field. */
  readonly about?: string;
  /** What is wrong with it. */
  readonly issue?: string | undefined;
  readonly isRequired?: boolean;
  readonly isFirst?: boolean;
  readonly min?: string;
}

export function Field({
  label,
  value,
  onInput,
  name,
  type = 'text',
  about,
  issue,
  isRequired = true,
  isFirst,
  autocomplete,
  min,
}: FieldProps): VNode {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isFirst) input.current?.focus();
  }, []);
  const told = [about && `${id}-about`, issue && `${id}-issue`].filter(Boolean).join(' ');
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        ref={input}
        id={id}
        name={name}
        value={value}
        min={min}
        required={isRequired}
        data-first={isFirst ? '' : undefined}
        // Preact types each kind of input for itself.
        type={type as 'text'}
        autocomplete={autocomplete ?? 'off'}
        {...(type === 'email' && { autocapitalize: 'none', spellcheck: false })}
        onInput={(event) => onInput(event.currentTarget.value)}
        aria-invalid={issue ? 'true' : undefined}
        aria-describedby={told || undefined}
      />
      {about && (
        <p class="about" id={`${id}-about`}>
          {about}
        </p>
      )}
      {issue && (
        <p class="issue" id={`${id}-issue`}>
          {label}: {issue}.
        </p>
      )}
    </div>
  );
}

export const issueOf = (action: Action, field: string): string | undefined =>
  action.error instanceof CallError ? action.error.issueOf(field) : undefined;

interface FormProps {
  readonly action: Action;
  readonly submit: string;
  readonly children?: ComponentChildren;
  /** Fields that show their own issues. */
  readonly fields?: readonly string[];
  /** A field shows the failure. */
  readonly hasOwnIssue?: boolean;
  readonly isDanger?: boolean;
  readonly isBlocked?: boolean;
  readonly beside?: ComponentChildren;
}

export function Form({
  action,
  submit,
  children,
  fields = [],
  hasOwnIssue,
  isDanger,
  isBlocked,
  beside,
}: FormProps): VNode {
  return (
    <form
      onSubmit={(event: Event) => {
        event.preventDefault();
        void action.run();
      }}
    >
      {children}
      <Failure
        error={
          hasOwnIssue || fields.some((field) => issueOf(action, field)) ? undefined : action.error
        }
      />
      <div class="actions">
        <button
          class={isDanger ? 'button danger' : 'button primary'}
          type="submit"
          disabled={action.isRunning || isBlocked}
        >
          {submit}
        </button>
        {beside}
      </div>
    </form>
  );
}

/** What went wrong, read aloud. */
export const Failure = ({ error }: { readonly error: Error | undefined }): VNode => (
  <div role="alert">{error && <p class="notice bad">{error.message}</p>}</div>
);

/** A text to take away, with a button that copies it. Over plain http there is no clipboard: it is selected instead. */
export function CopyField({
  label,
  value,
}: {
  readonly label: string;
  readonly value: string;
}): VNode {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const said = useRef<HTMLParagraphElement>(null);
  const copy = async () => {
    const say = (text: string) => {
      if (said.current) said.current.textContent = text;
    };
    input.current?.select();
    try {
      await navigator.clipboard.writeText(value);
      say('Copied.');
    } catch {
      input.current?.focus();
      say('The text is selected: press Ctrl-C (⌘C on a Mac).');
    }
  };
  return (
    <div class="field copy">
      <label for={id}>{label}</label>
      <div class="row">
        <input
          ref={input}
          id={id}
          value={value}
          readOnly
          spellcheck={false}
          onFocus={(event) => event.currentTarget.select()}
        />
        <button class="button" type="button" onClick={copy}>
          Copy
        </button>
      </div>
      <p class="about" role="status" ref={said} />
    </div>
  );
}
