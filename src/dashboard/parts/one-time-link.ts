/** A link that works once, to hand over. */
import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { isLoopback } from '../../client/address.ts';
import { type Child, h } from '../h.ts';
import type { Link } from '../team.ts';
import { relativeText } from '../times.ts';
import { Address } from './address.ts';
import { CopyField } from './form.ts';
import { QrCode } from './qr.ts';

interface Props extends Link {
  readonly title: string;
  readonly onDone: () => void;
  /** Shows the link as a code to scan as well, with this title. */
  readonly codeTitle?: string;
  readonly children?: Child;
}

export function OneTimeLink({
  title,
  link,
  linkEndsAt,
  onDone,
  codeTitle,
  children,
}: Props): VNode {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return h(
    'section',
    { class: 'card' },
    h('h2', { ref: heading, tabIndex: -1 }, h(Address, { text: title })),
    children,
    isLoopback(new URL(link).hostname)
      ? h(OnlyHere, {})
      : codeTitle && h(QrCode, { text: link, title: codeTitle }),
    h(CopyField, { label: `Link, works once, ends ${relativeText(linkEndsAt)}`, value: link }),
    h(
      'div',
      { class: 'actions' },
      h('button', { class: 'button', type: 'button', onClick: onDone }, 'Done'),
    ),
  );
}

/** A link that another device would look for on itself. */
const OnlyHere = (): VNode =>
  h(
    'p',
    { class: 'notice warn' },
    '⚠ This link opens only on the computer that runs the service. For another device, start the service with ',
    h('code', null, '--public-url https://…'),
    ', then make a new link.',
  );
