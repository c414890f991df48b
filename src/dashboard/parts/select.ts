import type { VNode } from 'preact';
import { useId } from 'preact/hooks';
import { h } from '../h.ts';

interface Props {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, text: string])[];
  readonly onInput: (value: string) => void;
}

export function Select({ label, value, options, onInput }: Props): VNode {
  const id = useId();
  return h(
    'div',
    { class: 'field' },
    h('label', { for: id }, label),
    h(
      'select',
      { id, value, onChange: (event) => onInput(event.currentTarget.value) },
      ...options.map(([one, text]) =>
        h('option', { key: one, value: one, selected: one === value }, text),
      ),
    ),
  );
}
