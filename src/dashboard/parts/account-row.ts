/** What the lists of admins and screens share: whether the account is in use, and a button for a new link. */
import type { VNode } from 'preact';
import { type Child, h } from '../h.ts';
import { type Admin, type Link, type Screen, team } from '../team.ts';
import { relativeText } from '../times.ts';
import { useAction } from './action.ts';
import { Failure } from './form.ts';
import { Tag } from './page.ts';

/** When it was last seen; where nobody is signed in, why. */
export function seenText({ state, lastSeenAt, linkEndsAt }: Admin | Screen): Child {
  const seen = lastSeenAt ? relativeText(lastSeenAt) : 'never';
  const beside = (text: string) => h('span', { class: 'quiet beside' }, ` ${text}`);
  const ends = linkEndsAt && beside(`ends ${relativeText(linkEndsAt)}`);
  switch (state) {
    case 'active':
      return linkEndsAt ? [seen, beside(`new link ends ${relativeText(linkEndsAt)}`)] : seen;
    case 'invited':
      return [h(Tag, { kind: 'warn' }, 'link not opened yet'), ends];
    case 'link_ended':
      return h(Tag, { kind: 'bad' }, 'link ended');
    default:
      return [h(Tag, { kind: 'bad' }, 'signed out'), lastSeenAt && beside(seen)];
  }
}

interface NewLinkProps {
  readonly list: 'admins' | 'screens';
  readonly id: string;
  /** Whom the link is for. */
  readonly name: string;
  readonly onLink: (link: Link) => void;
}

export function NewLinkButton({ list, id, name, onLink }: NewLinkProps): VNode {
  const make = useAction(async () => onLink(await team.newLink(list, id)));
  return h(
    'div',
    null,
    h(
      'button',
      {
        class: 'button',
        type: 'button',
        onClick: make.run,
        disabled: make.isRunning,
        'aria-label': `New link for ${name}`,
      },
      'New link',
    ),
    h(Failure, { error: make.error }),
  );
}
