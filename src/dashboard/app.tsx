/** The page for an address. */
import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import {
  type DashboardPage,
  dashboardPages,
  screenPages,
  settingsParts,
} from '../contract/dashboard/pages.ts';
import { startLive } from './live-updates.ts';
import { menuEntry, pagesOf } from './menu.ts';
import { BoardPage } from './pages/board.tsx';
import { CarPage } from './pages/car.tsx';
import { CarsPage } from './pages/cars.tsx';
import { CustomerPage } from './pages/customer.tsx';
import { KeyPage } from './pages/key.tsx';
import { KeysPage } from './pages/keys.tsx';
import { LinkPage } from './pages/link.tsx';
import { NewKeyPage } from './pages/new-key.tsx';
import { OccupancyPage } from './pages/occupancy.tsx';
import { SettingsPage } from './pages/settings.tsx';
import {
  Door,
  ForgottenPage,
  ScreenEndedPage,
  SignInOverPage,
  SignInPage,
} from './pages/sign-in.tsx';
import { TodayPage } from './pages/today.tsx';
import { UsagePage } from './pages/usage.tsx';
import { WallPage } from './pages/wall.tsx';
import { DoneLine } from './parts/done-line.tsx';
import { Empty, Page, Waiting } from './parts/page.tsx';
import { Shell } from './parts/shell.tsx';
import { WorkPanel } from './parts/work-panel.tsx';
import { go, path, query, withQuery } from './router.ts';
import { loadSession, session, startFailure } from './session.ts';
import { isSignInOpen } from './sign-in-again.ts';
import { canWork } from './work.ts';

const pages: Readonly<Record<DashboardPage, () => VNode>> = {
  board: BoardPage,
  today: TodayPage,
  cars: CarsPage,
  occupancy: OccupancyPage,
  keys: KeysPage,
  usage: UsagePage,
  settings: SettingsPage,
};

/** By address, in which `*` is an id. The first that matches is shown. */
const routes: readonly (readonly [path: string, page: () => VNode])[] = [
  ...dashboardPages.map((name) => [name, pages[name]] as const),
  ...settingsParts.map((part) => [`settings/${part}`, pages.settings] as const),
  ['cars/*', CarPage],
  ['customers/*', CustomerPage],
  ['keys/new', NewKeyPage],
  ['keys/*', KeyPage],
];

function matches(pattern: string, given: string): boolean {
  const [wanted, parts] = [pattern.split('/'), given.split('/')];
  return (
    wanted.length === parts.length &&
    wanted.every((part, index) => part === '*' || part === parts[index])
  );
}

export function App() {
  const isLink = path.value === 'link';
  useEffect(() => {
    // A link is opened whoever is signed in.
    if (!isLink && session.value === undefined) void loadSession();
  }, [isLink]);
  if (isLink) return <LinkPage />;
  if (session.value === undefined)
    return (
      <Door title="Team dashboard">
        <Waiting for={{ error: startFailure.value, reload: loadSession }} />
      </Door>
    );
  if (session.value === null)
    return path.value === 'forgotten' ? (
      <ForgottenPage />
    ) : isAddressOfScreen() ? (
      <ScreenEndedPage />
    ) : (
      <SignInPage />
    );
  return <SignedIn />;
}

const isForScreens = (address: string) => screenPages.some((name) => name === address);

/** A screen keeps its own address: also after a reload without its session, it asks for no password. */
const isAddressOfScreen = () => query.value.get('wall') === 'screen';

function SignedIn() {
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
  if (hasEnded && isScreen) return <ScreenEndedPage />;
  // Nobody reads on without a session. The page stays, with what was typed, and is shown after the sign-in.
  return (
    <div>
      <div hidden={hasEnded}>
        {isWall ? (
          <WallPage />
        ) : (
          <Shell>
            <Routed key={path.value} />
            <DoneLine />
          </Shell>
        )}
      </div>
      {canWork() && <WorkPanel />}
      {hasEnded && <SignInOverPage />}
    </div>
  );
}

function Routed() {
  const [, Found] = routes.find(([pattern]) => matches(pattern, path.value)) ?? [];
  if (!Found)
    return (
      <Page title="No such page">
        <Empty title="Nothing has this address">
          <p>
            <a href="/dashboard/board">Go to the board</a>
          </p>
        </Empty>
      </Page>
    );
  const role = session.value?.role ?? 'screen';
  if (!pagesOf[role].some((name) => name === menuEntry()))
    return (
      <Page title={role === 'screen' ? 'Not on this screen' : 'For admins'}>
        <Empty title={role === 'screen' ? 'This browser is a screen' : 'Only admins see this page'}>
          <p>
            {role === 'screen'
              ? 'A screen shows the board and the day. Sign in as an admin for the rest.'
              : 'Ask an admin of your team, who makes keys and accounts.'}
          </p>
        </Empty>
      </Page>
    );
  return <Found />;
}
