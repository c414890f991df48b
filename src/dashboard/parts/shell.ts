/** The rail beside every page, a bar below it on phones. */
import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type Child, h } from '../h.ts';
import { path } from '../router.ts';
import { session, signOut } from '../session.ts';
import { useAction } from './action.ts';
import { Icon, type IconName } from './icons.ts';
import { IntegrationStrip } from './integration-strip.ts';

interface Entry {
  readonly name: IconName;
  readonly title: string;
  /** In the bar of a phone, not behind More. */
  readonly isFirst?: boolean;
  readonly isForScreens?: boolean;
}

const entries: readonly Entry[] = [
  { name: 'board', title: 'Board', isFirst: true, isForScreens: true },
  { name: 'today', title: 'Today', isFirst: true, isForScreens: true },
  { name: 'cars', title: 'Cars', isFirst: true },
  { name: 'occupancy', title: 'Occupancy' },
  { name: 'keys', title: 'Keys', isFirst: true },
  { name: 'usage', title: 'Usage' },
  { name: 'settings', title: 'Settings' },
];

export function Shell({ children }: { readonly children?: Child }): VNode {
  const who = session.value;
  const isAdmin = who?.role === 'admin';
  const [isOpen, setOpen] = useState(false);
  const part = path.value.split('/')[0];
  useEffect(() => setOpen(false), [path.value]);
  const leave = useAction(signOut);
  const rail = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!isOpen) return undefined;
    // The entries stand before the button, so Tab alone wouldn't reach them.
    rail.current?.querySelector<HTMLElement>('.later a, .later button')?.focus();
    const press = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      setOpen(false);
      rail.current?.querySelector<HTMLElement>('.more button')?.focus();
    };
    const away = ({ target }: Event) => {
      if (target instanceof Node && !rail.current?.contains(target)) setOpen(false);
    };
    document.addEventListener('keydown', press);
    document.addEventListener('pointerdown', away);
    document.addEventListener('focusin', away);
    return () => {
      document.removeEventListener('keydown', press);
      document.removeEventListener('pointerdown', away);
      document.removeEventListener('focusin', away);
    };
  }, [isOpen]);
  return h(
    'div',
    { class: 'shell' },
    h('a', { class: 'skip', href: '#content' }, 'Skip to the content'),
    h(
      'nav',
      { class: isOpen ? 'rail open' : 'rail', 'aria-label': 'Pages', ref: rail },
      h('p', { class: 'team' }, who?.team.name),
      h(
        'ul',
        null,
        ...entries
          .filter(({ isForScreens }) => isAdmin || isForScreens)
          .map(({ name, title, isFirst }) =>
            h(
              'li',
              { class: isFirst ? '' : 'later' },
              h('a', { href: `/dashboard/${name}`, 'aria-current': part === name ? 'page' : undefined }, h(Icon, { name }), title),
            ),
          ),
        h(
          'li',
          { class: 'later leave' },
          h('p', { class: 'who' }, who?.name),
          h('button', { type: 'button', onClick: leave.run, disabled: leave.isRunning }, h(Icon, { name: 'leave' }), 'Sign out'),
        ),
        h(
          'li',
          { class: 'more' },
          h('button', { type: 'button', 'aria-expanded': isOpen, onClick: () => setOpen(!isOpen) }, h(Icon, { name: 'more' }), 'More'),
        ),
      ),
    ),
    h('main', { id: 'content', tabIndex: -1 }, isAdmin && h(IntegrationStrip, {}), children),
  );
}
