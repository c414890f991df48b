/** The rail beside every page, a bar below it on phones. */
import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import {
  type DashboardPage,
  dashboardPages,
  screenPages,
  staffPages,
} from '../../contract/dashboard/pages.ts';
import type { Role } from '../../contract/dashboard/roles.ts';
import { heardAt, liveness } from '../live-updates.ts';
import { path } from '../router.ts';
import { session, signOut } from '../session.ts';
import { secondsText } from '../times.ts';
import { useAction } from './action.ts';
import { Icon } from './icons.tsx';
import { WithIntegration } from './integration-strip.tsx';

/** In the bar of a phone, not behind More. */
const first: readonly DashboardPage[] = ['board', 'today', 'cars', 'keys'];

export const pagesOf: Readonly<Record<Role, readonly DashboardPage[]>> = {
  admin: dashboardPages,
  staff: staffPages,
  screen: screenPages,
};

const titleOf = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);

export function Shell({ children }: { readonly children?: ComponentChildren }): VNode {
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
  return (
    <div class="shell">
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <nav class={isOpen ? 'rail open' : 'rail'} aria-label="Pages" ref={rail}>
        <p class="team">{who?.team.name}</p>
        <ul>
          {pagesOf[who?.role ?? 'screen'].map((name) => (
            <li class={first.includes(name) ? '' : 'later'}>
              <a href={`/dashboard/${name}`} aria-current={part === name ? 'page' : undefined}>
                <Icon name={name} />
                {titleOf(name)}
              </a>
            </li>
          ))}
          <li class="later leave">
            <p class="who">{who?.name}</p>
            <button type="button" onClick={leave.run} disabled={leave.isRunning}>
              <Icon name="leave" />
              Sign out
            </button>
          </li>
          <li class="more">
            <button
              type="button"
              aria-expanded={isOpen}
              onClick={() => setOpen(!isOpen)}
              // The page is among those behind it.
              aria-current={
                dashboardPages.some((name) => name === part && !first.includes(name))
                  ? 'true'
                  : undefined
              }
            >
              <Icon name="more" />
              More
            </button>
          </li>
        </ul>
      </nav>
      <main id="content" tabIndex={-1}>
        {liveness.value === 'lost' && (
          <p class="strip" role="status">
            <strong>No connection since {secondsText(heardAt.value)}. </strong>What is shown may be
            old.
          </p>
        )}
        {isAdmin ? <WithIntegration>{children}</WithIntegration> : children}
      </main>
    </div>
  );
}
