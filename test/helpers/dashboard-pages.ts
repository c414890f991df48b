/** Pages of the dashboard in a browser, with a small facility behind them. */
import type { Page, Response } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { dashboardPages, settingsParts } from '../../src/contract/dashboard/pages.ts';
import { endOf, type OpenBrowser, openDesk, openLastingDesk } from './browser.ts';
import { signInAdmin, signInScreen } from './dashboard.ts';
import { type Facility, facility, inHours } from './facility.ts';
import { startTestService, type TestService } from './service.ts';
import { fillVolume } from './volume.ts';

type Desk = Parameters<typeof openDesk>[0];

interface Who {
  readonly as?: 'admin' | 'staff' | 'screen' | undefined;
  readonly team?: string | undefined;
}

export interface Dashboard {
  readonly service: TestService;
  /** Records of its first team. */
  readonly make: Facility;
  /** A car with a drop-off and a photo, and an appointment of this hour. */
  readonly carId: string;
  /** A browser with the session of a new account, or of a screen. */
  openSignedIn(options?: Desk & Who): Promise<SignedIn>;
  /**
   * The browser that the tests of the file share, which takes half the time: for those that change neither its session nor its clock.
   * What is routed and kept in the browser ends with the test.
   */
  shared(options?: Who & { readonly width?: number }): Promise<SignedIn>;
  /** Opens a page by its path below /dashboard. */
  open(page: Page, path: string): Promise<Response | null>;
  close(): Promise<void>;
}

export interface SignedIn extends OpenBrowser {
  /** Of the admin. */
  readonly email: string;
}

/** Two locations, each with a hall, three spots and a car: HH-7 73 and HH-8 73. */
export async function startDashboard({
  publicUrl,
  isLarge,
}: {
  readonly publicUrl?: URL;
  /** With the facility of `fillVolume` instead, and no `carId`. */
  readonly isLarge?: boolean;
} = {}): Promise<Dashboard> {
  const service = await startTestService({ dashboard: { ...(publicUrl && { publicUrl }) } });
  const make = facility(service);
  let carId = '';
  if (isLarge)
    await fillVolume(
      service.admin,
      'first',
      async (path, body) => (await service.call('POST', `/${path}`, body)).body.data,
    );
  for (const name of isLarge ? [] : ['Harbour', 'Old Mill']) {
    const { id: locationId } = await make.location({ name });
    const { id: zoneId } = await make.zone(locationId, { name: 'Hall A', capacity: 4 });
    for (const spot of ['A1', 'A2', 'A10']) await make.spot(locationId, { zoneId, name: spot });
    const car = await make.car({ licensePlate: `HH-${name.length} 73` });
    const { data: spots } = (
      await service.call('GET', `/parking/spots?locationId=${locationId}&available=true`)
    ).body;
    const { sessionId } = await make.event(car.id, {
      parkingSpotId: spots[0].id,
      notes: 'Two keys.',
    });
    await make.photo(car.id, { sessionId });
    carId = car.id;
  }
  if (!isLarge) await make.appointment({ startAt: inHours(-1), endAt: inHours(1), carId });
  async function signIn(
    opened: OpenBrowser,
    { as = 'admin', team = 'first' }: Who,
  ): Promise<SignedIn> {
    const signedIn =
      as === 'screen'
        ? { ...(await signInScreen(service, team)), email: '' }
        : await signInAdmin(service, team, as);
    await giveCookie(opened, service, signedIn);
    return { ...opened, email: signedIn.email };
  }
  const shared = new Map<string, SignedIn>();
  return {
    service,
    make,
    carId,
    open: (page, path) => page.goto(`${service.url}/dashboard/${path}`),
    openSignedIn: async ({ as, team, ...options } = {}) =>
      signIn(await openDesk(options), { as, team }),
    async shared({ as, team, width = 1280 } = {}) {
      const who = `${as} ${team}`;
      const opened = shared.get(who) ?? (await signIn(await openLastingDesk(), { as, team }));
      shared.set(who, opened);
      const { page, complaints } = opened;
      await page.setViewportSize({ width, height: 800 });
      complaints.length = 0;
      onTestFinished(async () => {
        await page.unrouteAll({ behavior: 'ignoreErrors' });
        await page.evaluate('sessionStorage.clear(), localStorage.clear()');
        // Closes its stream, and hears of nothing between two tests.
        await page.goto('about:blank');
      });
      return opened;
    },
    async close() {
      await Promise.all([...shared.values()].map(endOf));
      await service.close();
    },
  };
}

/** The addresses of all pages that need no id. */
export const everyPage: readonly string[] = [
  ...dashboardPages,
  ...settingsParts.map((part) => `settings/${part}`),
];

/** Panels, and pages of one record or another view. CAR and its like stand for the id of one. */
export const everyPanel: readonly string[] = [
  ...['board?wall', 'board?places=1', 'board?do=drop-off'],
  ...['board?do=move&car=CAR', 'board?do=pick-up&car=CAR'],
  ...['today?date=2026-99-99', 'today?do=reschedule&appointment=APPOINTMENT'],
  ...['cars/CAR', 'cars/CAR?photo=PHOTO', 'cars/CAR?do=phone&car=CAR', 'cars/CAR?do=compare'],
  ...['customers/CUSTOMER', 'keys/new', 'keys/new?for=KEY', 'keys/KEY', 'keys?do=turn-off'],
  ...['keys/KEY?do=rename', 'keys/KEY?do=expiry', 'keys/KEY?do=revoke'],
  ...['occupancy?as=table&days=2', 'occupancy?days=1095', 'usage?as=table&days=7', 'nowhere'],
];

export async function giveCookie(
  { context }: OpenBrowser,
  { url }: TestService,
  { cookie }: { readonly cookie: string },
): Promise<void> {
  const [name = '', value = ''] = cookie.split('=');
  const { hostname: domain } = new URL(url);
  await context.addCookies([
    { name, value, domain, path: '/dashboard', httpOnly: true, sameSite: 'Strict' },
  ]);
}

export const heading = (page: Page, name: string | RegExp) =>
  page.getByRole('heading', { level: 1, name }).waitFor();

/** All that the page reads is there. */
export async function loaded(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.locator('.loading').first().waitFor({ state: 'detached' });
}

/** What the page asks the service, with its session. */
export const ask = (
  page: Page,
  path: string,
  init: object = {},
): Promise<{ status: number; body: { data: never; code?: string } }> =>
  page.evaluate(
    `fetch('/dashboard/${path}', ${JSON.stringify(init)}).then(async (answer) => ({ status: answer.status, body: await answer.json().catch(() => null) }))`,
  );

/** The paths that the page reads below `api/v1` from now on, such as `cars`, and `cars since` for what has changed alone. */
export function readingsOf(page: Page): string[] {
  const readings: string[] = [];
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    const [, path] = pathname.split('/api/v1/');
    const isChanges = searchParams.has('updatedAfter') && !searchParams.has('status');
    if (path) readings.push(isChanges ? `${path} since` : path);
  });
  return readings;
}

/** A request that is refused on purpose is a note of the browser. */
export const unexpected = ({ complaints }: OpenBrowser): string[] =>
  complaints.filter((text) => !/status of 4\d\d/.test(text));

/** The service stores the next request to the address, and its answer doesn't arrive. */
export const loseNextAnswer = (page: Page, address: string): Promise<unknown> =>
  page.route(
    address,
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );

/** Fills in the form of a first password, or of another one. */
export const givePassword = async (page: Page, words: string) => {
  await page.getByLabel('New password').fill(words);
  await page.getByLabel('The same again').fill(words);
  await page.getByRole('button', { name: 'Set the password' }).click();
};

/** Gives the teams the zone in which it is noon: what was an hour ago is of today there, at any hour of the machine. Returns the hours by which it is ahead of UTC. */
export async function setNoon({ service }: Dashboard): Promise<number> {
  const ahead = 12 - new Date().getUTCHours();
  // POSIX counts hours behind UTC.
  const timezone = `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`;
  await service.admin.database.write.updateTable('teams').set({ timezone }).execute();
  return ahead;
}
