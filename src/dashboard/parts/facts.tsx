/** Facts with their names. Those without a value are left out. */
import type { ComponentChildren } from 'preact';

export type Fact = readonly [name: string, value: ComponentChildren];

interface Props {
  readonly of: readonly Fact[];
  readonly class?: string;
}

export function Facts({ of, class: name = '' }: Props) {
  const known = of.filter(([, value]) => value);
  if (known.length === 0) return null;
  return (
    <dl class={`facts ${name}`}>
      {known.map(([title, value]) => (
        <>
          <dt>{title}</dt>
          <dd>{value}</dd>
        </>
      ))}
    </dl>
  );
}
