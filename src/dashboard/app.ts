/** The page for an address. */
import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import {
  type DashboardPage,
  dashboardPages,
  screenPages,
  settingsParts,
} from '../contract/dashboard/pages.ts';
import { h } from './h.ts';
import { startLive } from './live.ts';
import { BoardPage } from './pages/board.ts';
import { CarPage } from './pages/car.ts';
import { CarsPage } from './pages/cars.ts';
import { ForgottenPage } from './pages/forgotten.ts';
import { KeyPage } from './pages/key.ts';
import { KeysPage } from './pages/keys.ts';
import { LinkPage } from './pages/link.ts';
import { NewKeyPage } from './pages/new-key.ts';
import { OccupancyPage } from './pages/occupancy.ts';
import { SettingsPage } from './pages/settings.ts';
import { Door, ScreenEndedPage, SignInOverPage, SignInPage } from './pages/sign-in.ts';
import { TodayPage } from './pages/today.ts';
import { UsagePage } from './pages/usage.ts';
import { WallPage } from './pages/wall.ts';
import { Empty, Page } from './parts/page.ts';
import { Shell } from './parts/shell.ts';
import { go, path, query, withQuery } from './router.ts';
import { loadSession, session, startFailure } from './session.ts';
import { isSignInOpen } from './sign-in-again.ts';

const pages: Readonly<Record<DashboardPage, () => VNode>> = {
  board: () => h(BoardPage, {}),
  today: () => h(TodayPage, {}),
  cars: () => h(CarsPage, {}),
  occupancy: () => h(OccupancyPage, {}),
  keys: () => h(KeysPage, {}),
  usage: () => h(UsagePage, {}),
  settings: () => h(SettingsPage, {}),
};

/** By address, in which `*` is an id. The first that matches is shown. */
const routes: readonly (readonly [path: string, page: () => VNode])[] = [
  ...dashboardPages.map((name) => [name, pages[name]] as const),
  ...settingsParts.map((part) => [`settings/${part}`, pages.settings] as const),
  ['cars/*', () => h(CarPage, {})],
  ['keys/new', () => h(NewKeyPage, {})],
  ['keys/*', () => h(KeyPage, {})],
];

function matches(pattern: string, given: string): boolean {
  const [wanted, parts] = [pattern.split('/'), given.split('/')];
  return (
    wanted.length === parts.length &&
    wanted.every((part, index) => part === '*' || part === parts[index])
  );
}

export function App(): VNode {
  const isLink = path.value === 'link';
  useEffect(() => {
    // A link is opened whoever is signed in.
    if (!isLink && session.value === undefined) void loadSession();
  }, [isLink]);
  if (isLink) return h(LinkPage, {});
  if (startFailure.value)
    return h(
      Door,
      { title: 'Team dashboard' },
      h('p', { role: 'alert' }, startFailure.value),
      h(
        'button',
        { class: 'button', type: 'button', onClick: () => void loadSession() },
        'Try again',
      ),
    );
  if (session.value === undefined)
    return h(
      'main',
      { class: 'door', id: 'content' },
      h('p', { class: 'loading', role: 'status' }, 'Loading …'),
    );
  if (session.value === null)
    return path.value === 'forgotten'
      ? h(ForgottenPage, {})
      : isAddressOfScreen()
        ? h(ScreenEndedPage, {})
        : h(SignInPage, {});
  return h(SignedIn, {});
}

const isForScreens = (address: string) => screenPages.some((name) => name === address);

/** A screen keeps its own address: also after a reload without its session, it asks for no password. */
const isAddressOfScreen = () => query.value.get('wall') === 'screen';

function SignedIn(): VNode {
  useEffect(() => startLive(), []);
  const isScreen = session.value?.role === 'screen';
  const isStart = path.value === '' || path.value === 'sign-in' || path.value === 'forgotten';
  useEffect(() => {
    if (isStart) go('/dashboard/board', { replace: true });
  }, [isStart]);
  const isWall = isForScreens(path.value) && (isScreen || query.value.has('wall'));
  const needsAddress = isWall && isScreen && !isAddressOfScreen();
  useEffect(() => {
    if (needsAddress) go(withQuery({ wall: 'screen' }), { replace: true });
  }, [needsAddress]);
  const hasEnded = isSignInOpen.value;
  if (hasEnded && isScreen) return h(ScreenEndedPage, {});
  // Nobody reads on without a session. The page stays, with what was typed, and is shown after the sign-in.
  return h(
    'div',
    null,
    h(
      'div',
      { hidden: hasEnded },
      isWall ? h(WallPage, {}) : h(Shell, {}, h(Routed, { key: path.value })),
    ),
    hasEnded && h(SignInOverPage, {}),
  );
}

function Routed(): VNode {
  const [, page] = routes.find(([pattern]) => matches(pattern, path.value)) ?? [];
  if (!page)
    return h(
      Page,
      { title: 'No such page' },
      h(
        Empty,
        { title: 'Nothing has this address' },
        h('p', null, h('a', { href: '/dashboard/board' }, 'Go to the board')),
      ),
    );
  if (session.value?.role === 'screen' && !isForScreens(path.value))
    return h(
      Page,
      { title: 'Not on this screen' },
      h(
        Empty,
        { title: 'This browser is a screen' },
        h('p', null, 'A screen shows the board and the day. Sign in as an admin for the rest.'),
      ),
    );
  return page();
}
