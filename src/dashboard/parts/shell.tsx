/** The rail beside every page, a bar below it on phones. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type DashboardPage, dashboardPages } from '../../contract/dashboard/pages.ts';
import { heardAt, liveness } from '../live-updates.ts';
import { menuEntry, pagesOf, pageTitle } from '../menu.ts';
import { path } from '../router.ts';
import { session, signOut } from '../session.ts';
import { secondsText } from '../times.ts';
import { tellFailure } from '../work.ts';
import { Find, openFind } from './find.tsx';
import { useAction } from './form.tsx';
import { Icon } from './icons.tsx';
import { WithIntegration } from './integration-strip.tsx';

/** In the bar of a phone, not behind More. */
const first: readonly DashboardPage[] = ['board', 'today', 'cars'];

export function Shell({ children }: { readonly children?: ComponentChildren }) {
  const who = session.value;
  const isAdmin = who?.role === 'admin';
  const [isOpen, setOpen] = useState(false);
  const part = menuEntry();
  useEffect(() => setOpen(false), [path.value]);
  const leave = useAction(() => signOut().catch(tellFailure));
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
          <li class="search">
            <button type="button" onClick={openFind}>
              <Icon name="search" />
              Search <kbd>/</kbd>
            </button>
          </li>
          {pagesOf[who?.role ?? 'screen'].map((name) => (
            <li class={first.includes(name) ? '' : 'later'}>
              <a href={`/dashboard/${name}`} aria-current={part === name ? 'page' : undefined}>
                <Icon name={name} />
                {pageTitle(name)}
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
      <Find />
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
