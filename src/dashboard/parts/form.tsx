/** Forms: fields with their labels, what is wrong with them, and the button at the end. */
import { type ComponentChildren, createContext, type JSX, type VNode } from 'preact';
import { useContext, useEffect, useId, useMemo, useRef, useState } from 'preact/hooks';
import { CallError } from '../call.ts';

/** A write that a button starts: once at a time, with its failure beside the button. */
export interface Action {
  readonly isRunning: boolean;
  readonly error: Error | undefined;
  /** Ignored while it runs, so that a double click is one. */
  run(): Promise<void>;
  /** Forgets how it failed. */
  clear(): void;
}

export function useAction(perform: () => Promise<unknown>): Action {
  const [state, setState] = useState<{ isRunning: boolean; error?: Error }>({ isRunning: false });
  const isRunning = useRef(false);
  return {
    isRunning: state.isRunning,
    error: state.error,
    async run() {
      if (isRunning.current) return;
      isRunning.current = true;
      setState({ isRunning: true });
      try {
        await perform();
        setState({ isRunning: false });
      } catch (error) {
        setState({ isRunning: false, error: error as Error });
      } finally {
        isRunning.current = false;
      }
    },
    clear: () => setState({ isRunning: isRunning.current }),
  };
}

type ButtonProps = JSX.IntrinsicElements['button'] & {
  /** What it starts. */
  readonly action?: Action;
  readonly class?: string;
};

export const Button = ({ action, class: name = '', ...rest }: ButtonProps) => (
  <button
    {...(action && { onClick: action.run, disabled: action.isRunning })}
    {...rest}
    class={`button ${name}`}
    type="button"
  />
);

/** The form around a field, and the fields that show their issues themselves. */
const Around = createContext<{ readonly action: Action; readonly fields: Set<string> } | undefined>(
  undefined,
);

const issueOf = ({ error }: Action, field: string) =>
  error instanceof CallError ? error.issueOf(field) : undefined;

/** What the service says about a field. */
export function useIssue(name: string): string | undefined {
  const form = useContext(Around);
  form?.fields.add(name);
  return form && issueOf(form.action, name);
}

interface LabelledProps {
  readonly label: string;
  /** As the service names it. */
  readonly name: string;
  /** A sentence below the field. */
  readonly about?: string | undefined;
  /** What is wrong with it, before the service is asked. */
  readonly issue?: string | undefined;
  /** Has the focus when the form opens. */
  readonly isFirst?: boolean;
}

/** The field itself is made from the properties that connect it with its texts. */
function Labelled({
  label,
  name,
  about,
  issue,
  isFirst,
  field,
}: LabelledProps & { readonly field: (props: object) => VNode }) {
  const id = useId();
  const formIssue = useIssue(name);
  const wrong = issue ?? formIssue;
  useEffect(() => {
    if (isFirst) document.getElementById(id)?.focus();
  }, []);
  const texts = [about && `${id}-about`, wrong && `${id}-issue`].filter(Boolean).join(' ');
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {field({
        id,
        name,
        ...(isFirst && { 'data-first': '' }),
        ...(wrong && { 'aria-invalid': 'true' }),
        ...(texts && { 'aria-describedby': texts }),
      })}
      {about && (
        <p class="about" id={`${id}-about`}>
          {about}
        </p>
      )}
      {wrong && (
        <p class="issue" id={`${id}-issue`}>
          {label}: {wrong}.
        </p>
      )}
    </div>
  );
}

interface Changeable {
  readonly value: string;
  readonly onInput: (value: string) => void;
}

/** What is typed into the fields of a form, by their names. */
export function useFields<T extends Readonly<Record<string, string>>>(empty: T) {
  const [values, setValues] = useState(empty);
  /** The properties that connect a field with what is typed into it. */
  const field = (name: keyof T & string) => ({
    name,
    value: values[name] ?? '',
    onInput: (text: string) => setValues((before) => ({ ...before, [name]: text })),
  });
  return { values, field, clear: () => setValues(empty) };
}
export type FieldOf = ReturnType<typeof useFields>['field'];

interface FieldProps extends LabelledProps, Changeable {
  readonly type?: 'text' | 'email' | 'password' | 'date' | 'datetime-local' | 'number' | 'search';
  readonly autocomplete?: JSX.IntrinsicElements['input']['autocomplete'];
  readonly isRequired?: boolean;
  readonly min?: string;
}

export const Field = ({
  value,
  onInput,
  type = 'text',
  autocomplete = 'off',
  isRequired = true,
  min,
  ...labelled
}: FieldProps) => (
  <Labelled
    {...labelled}
    field={(props) => (
      <input
        {...props}
        value={value}
        min={min}
        required={isRequired}
        // Preact types each kind of input for itself.
        type={type as 'text'}
        autocomplete={autocomplete}
        {...(type === 'email' && { autocapitalize: 'none', spellcheck: false })}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    )}
  />
);

export type Options = readonly (readonly [value: string, text: string])[];
export interface OptionGroup {
  readonly title: string;
  readonly options: Options;
}

interface SelectProps extends Omit<LabelledProps, 'name'>, Changeable {
  readonly name?: string;
  readonly options: Options;
  /** After the options, each with its heading. */
  readonly groups?: readonly OptionGroup[];
}

export function Select({
  value,
  onInput,
  options,
  groups = [],
  name = '',
  ...labelled
}: SelectProps) {
  const shown = (some: Options) =>
    some.map(([one, text]) => (
      <option key={one} value={one} selected={one === value}>
        {text}
      </option>
    ));
  return (
    <Labelled
      {...labelled}
      name={name}
      field={(props) => (
        <select {...props} value={value} onChange={(event) => onInput(event.currentTarget.value)}>
          {shown(options)}
          {groups.map(({ title, options }) => (
            <optgroup key={title} label={title}>
              {shown(options)}
            </optgroup>
          ))}
        </select>
      )}
    />
  );
}

/** One of a few, all in sight. */
export const Choices = ({
  name,
  value,
  onInput,
  options,
}: Changeable & { readonly name: string; readonly options: Options }) => (
  <div class="choices">
    {options.map(([one, text]) => (
      <label key={one} class="choice">
        <input
          type="radio"
          name={name}
          value={one}
          checked={one === value}
          onChange={() => onInput(one)}
        />
        {text}
      </label>
    ))}
  </div>
);

interface FormProps {
  readonly action: Action;
  readonly submit: string;
  readonly children?: ComponentChildren;
  readonly isDanger?: boolean;
  readonly isBlocked?: boolean;
  readonly beside?: ComponentChildren;
}

export function Form({ action, submit, children, isDanger, isBlocked, beside }: FormProps) {
  const fields = useMemo(() => new Set<string>(), []);
  const isTold = [...fields].some((field) => issueOf(action, field));
  return (
    <form
      onSubmit={(event: Event) => {
        event.preventDefault();
        void action.run();
      }}
      // What was refused isn't there any more.
      onInput={() => action.error && action.clear()}
    >
      <Around.Provider value={{ action, fields }}>{children}</Around.Provider>
      <Failure error={isTold ? undefined : action.error} />
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
export const Failure = ({ error }: { readonly error: Error | undefined }) => (
  <div role="alert">{error && <p class="notice bad">{error.message}</p>}</div>
);

/** A text to take away, with a button that copies it. Over plain http there is no clipboard: it is selected instead. */
export function CopyField({ label, value }: { readonly label: string; readonly value: string }) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const message = useRef<HTMLParagraphElement>(null);
  const copy = async () => {
    input.current?.select();
    const text = await navigator.clipboard?.writeText(value).then(
      () => 'Copied.',
      () => undefined,
    );
    if (!text) input.current?.focus();
    if (message.current)
      message.current.textContent = text ?? 'The text is selected: press Ctrl-C (⌘C on a Mac).';
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
        <Button onClick={copy}>Copy</Button>
      </div>
      <p class="about" role="status" ref={message} />
    </div>
  );
}
