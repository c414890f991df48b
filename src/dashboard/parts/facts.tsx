/** Facts with their names. Those without a value are left out. */
import type { ComponentChildren, VNode } from 'preact';

export type Fact = readonly [name: string, value: ComponentChildren];

export const Facts = ({
  of,
  class: name = '',
}: {
  readonly of: readonly Fact[];
  readonly class?: string;
}): VNode => (
  <dl class={`facts ${name}`}>
    {of
      .filter(([, value]) => value)
      .map(([title, value]) => (
        <>
          <dt>{title}</dt>
          <dd>{value}</dd>
        </>
      ))}
  </dl>
);
