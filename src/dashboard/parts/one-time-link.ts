/** A link that works once, to hand over. */
import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { type Child, h } from '../h.ts';
import type { Link } from '../team.ts';
import { relativeText } from '../times.ts';
import { CopyField } from './form.ts';

interface Props extends Link {
  readonly title: string;
  readonly onDone: () => void;
  readonly children?: Child;
}

export function OneTimeLink({ title, link, linkEndsAt, onDone, children }: Props): VNode {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return h(
    'section',
    { class: 'card' },
    h('h2', { ref: heading, tabIndex: -1 }, title),
    children,
    h(CopyField, { label: `Link, works once, ends ${relativeText(linkEndsAt)}`, value: link }),
    h('div', { class: 'actions' }, h('button', { class: 'button', type: 'button', onClick: onDone }, 'Done')),
  );
}
