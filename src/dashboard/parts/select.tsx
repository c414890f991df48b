import type { VNode } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

type Options = readonly (readonly [value: string, text: string])[];

interface Props {
  readonly label: string;
  readonly value: string;
  readonly options: Options;
  /** After the options, each with its heading. */
  readonly groups?: readonly { readonly title: string; readonly options: Options }[];
  readonly onInput: (value: string) => void;
  /** What is wrong with it. */
  readonly issue?: string | undefined;
  readonly isFirst?: boolean;
}

export function Select({
  label,
  value,
  options,
  groups = [],
  onInput,
  issue,
  isFirst,
}: Props): VNode {
  const id = useId();
  const select = useRef<HTMLSelectElement>(null);
  useEffect(() => {
    if (isFirst) select.current?.focus();
  }, []);
  const shown = (some: Options) =>
    some.map(([one, text]) => (
      <option key={one} value={one} selected={one === value}>
        {text}
      </option>
    ));
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        ref={select}
        id={id}
        value={value}
        onChange={(event) => onInput(event.currentTarget.value)}
        aria-invalid={issue ? 'true' : undefined}
        aria-describedby={issue ? `${id}-issue` : undefined}
      >
        {shown(options)}
        {groups.map(({ title, options }) => (
          <optgroup key={title} label={title}>
            {shown(options)}
          </optgroup>
        ))}
      </select>
      {issue && (
        <p class="issue" id={`${id}-issue`}>
          {label}: {issue}.
        </p>
      )}
    </div>
  );
}
