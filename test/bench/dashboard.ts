/** The team dashboard: how soon pages are drawn and follow the facility, what its plots cost, and what it costs everything else. On SQLite. */
import { performance } from 'node:perf_hooks';
import { sql } from 'kysely';
import type { Browser, BrowserContext } from 'playwright-core';
import { dashboardPages } from '../../src/contract/dashboard/pages.ts';
import { scopes } from '../../src/contract/scopes.ts';
import { type Admin, createKey, createTeam } from '../../src/service/admin.ts';
import { openStores } from '../../src/service/stores.ts';
import { createUser } from '../../src/service/team/owner.ts';
import { launchChromium } from '../helpers/chromium.ts';
import { makeFolder, removeFolder } from '../helpers/folder.ts';
import { fillVolume } from '../helpers/volume.ts';
import { type Child, startService } from './child.ts';
import { type Figure, median, time } from './figures.ts';
import { drive } from './load.ts';

const spots = 500;
const rounds = 7;
const dayMs = 86_400_000;
const email = 'bench@garage.example';
const password = 'three oil lamps and a jack';

export interface DashboardOptions {
  /** Parkings of three years. */
  readonly assignments: number;
  readonly ms: number;
  readonly say: (what: string) => void;
}

interface Occupancy {
  readonly ms: number;
  /** The longest that the event loop was held. */
  readonly hold: number;
}

interface Facility {
  readonly key: string;
  readonly token: string;
}

export async function measureDashboard({
  assignments,
  ms,
  say,
}: DashboardOptions): Promise<Figure[]> {
  const [data, volume, one, other] = [
    ...[await makeFolder(), await makeFolder()],
    ...[await makeFolder(), await makeFolder()],
  ] as const;
  let browser: Browser | undefined;
  const children: Child[] = [];
  try {
    say(`${assignments} parkings`);
    const { key, token } = await fill(data, assignments);
    const service = await startService({ data });
    children.push(service);
    browser = await launchChromium();
    const { context, signIn } = await enter(browser, service.url, token);
    say('board');
    const board = await repeat(() => drawBoard(browser as Browser, context, service.url));
    say('change');
    const change = await measureChanges(context, { url: service.url, key });
    say('occupancy');
    const quarter = await measureOccupancy(service, context, { days: 90, step: 'day' });
    const years = await measureOccupancy(service, context, { days: 3 * 365, step: 'week' });
    say('scripts of pages');
    const scripts = await measureScripts(browser, volume);
    await browser.close();
    say('with and without');
    // Both without records, so that they differ in nothing else.
    const [own, plain] = [await fill(one, 0), await fill(other, 0)];
    const having = await startService({ data: one });
    const without = await startService({ data: other }, ['--no-dashboard']);
    children.push(having, without);
    const speeds = { withDashboard: [] as number[], without: [] as number[] };
    for (let round = 0; round < rounds; round += 1) {
      speeds.withDashboard.push(await createCars(having, own.key, ms));
      speeds.without.push(await createCars(without, plain.key, ms));
    }
    for (const { path, open, change: again } of scripts)
      say(`${path}: opened ${open.toFixed(1)} ms, for a change ${again.toFixed(1)} ms`);
    const slowest = (of: 'open' | 'change') =>
      scripts.reduce((one, other) => (other[of] > one[of] ? other : one));
    const [opened, changed] = [slowest('open'), slowest('change')];
    const parkings = assignments.toLocaleString('en');
    const figure = (name: string, ours: number, below: number): Figure => ({
      name,
      ours,
      unit: 'ms',
      target: { below },
    });
    return [
      figure(`board of ${spots} spots, empty cache`, board, 1_000),
      figure('from a write to the changed tile', change, 2_000),
      figure('sign-in to the dashboard', signIn, 150),
      figure(`occupancy of 90 days, ${parkings} parkings`, quarter.ms, 120),
      figure('occupancy of 3 years', years.ms, 1_000),
      figure('event loop held meanwhile', Math.max(quarter.hold, years.hold), 50),
      figure(`script of the slowest page, opened: ${opened.path}`, opened.open, 300),
      figure(`script of the slowest page, for a change: ${changed.path}`, changed.change, 50),
      time(
        'processor time of a create',
        { ours: median(speeds.withDashboard), other: median(speeds.without) },
        { than: 'without the dashboard', target: { most: 1.03 } },
      ),
    ];
  } finally {
    await browser?.close();
    for (const child of children) await child.stop();
    for (const folder of [data, volume, one, other]) await removeFolder(folder);
  }
}

/** A team with an admin, a hall of 500 taken spots, and parkings spread over three years. */
async function fill(data: string, assignments: number): Promise<Facility> {
  const stores = await openStores({ data, limits: { statementMs: 0 } });
  const admin: Admin = { ...stores, actor: 'bench' };
  let facility: Facility;
  try {
    const { slug } = await createTeam(admin, { name: 'Bench' });
    const { key } = await createKey(admin, { team: slug, name: 'bench', scopes });
    const { link } = await createUser(admin, slug, { email });
    facility = { key, token: link.token };
  } finally {
    await stores.database.close();
  }
  if (assignments === 0) return facility;
  const service = await startService({ data });
  await park(service.url, facility.key);
  await service.stop();
  const again = await openStores({ data, limits: { statementMs: 0 } });
  try {
    await sql`pragma cache_size = -2000000`.execute(again.database.write);
    const start = Date.now() - 3 * 365 * dayMs;
    const seconds = (3 * 365 * dayMs) / 1000 / assignments;
    const at = (more: string) =>
      sql.raw(
        `strftime('%Y-%m-%dT%H:%M:%fZ', ${start / 1000} + n * ${seconds} + ${more}, 'unixepoch')`,
      );
    await sql`insert into "parkingAssignments" (id, "teamId", "carId", "parkingSpotId", "startedAt", "endedAt", "createdAt", "updatedAt")
      with recursive counted(n) as (select 0 union all select n + 1 from counted where n < ${assignments - 1}),
        open as (select *, row_number() over (order by id) - 1 as place from "parkingAssignments")
      select printf('%08x-0000-7000-8000-%012x', n, n), o."teamId", o."carId", o."parkingSpotId",
        ${at('0')}, ${at('abs(random() % 43200)')}, ${at('0')}, ${at('0')}
      from counted join open o on o.place = n % ${spots}`.execute(again.database.write);
  } finally {
    await again.database.close();
  }
  return facility;
}

const creatorOf =
  (url: string, key: string) =>
  async (path: string, body: object): Promise<{ id: string }> => {
    const headers = { 'x-api-key': key, 'content-type': 'application/json' };
    const response = await fetch(`${url}/api/v1/${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    const { data, error } = (await response.json()) as { data?: { id: string }; error?: string };
    if (!data) throw new Error(`${path}: ${error}`);
    return data;
  };

async function park(url: string, key: string): Promise<void> {
  const create = creatorOf(url, key);
  const { id: locationId } = await create('locations', { name: 'Hall' });
  const { id: zoneId } = await create('parking/zones', { locationId, name: 'A', capacity: 10 });
  for (let at = 0; at < spots; at += 1) {
    const { id: parkingSpotId } = await create('parking/spots', {
      locationId,
      zoneId,
      name: `A${at}`,
    });
    const { id: carId } = await create('cars', {
      year: 1973,
      make: 'Porsche',
      model: '911',
      licensePlate: `HH-B ${at}`,
    });
    await create('parking/assignments', { carId, parkingSpotId });
  }
}

/** Sets the password and signs in with it, several times. */
async function enter(
  browser: Browser,
  url: string,
  token: string,
): Promise<{ context: BrowserContext; signIn: number }> {
  const context = await browser.newContext();
  const post = async (path: string, data: object) => {
    const answer = await context.request.post(`${url}/dashboard/${path}`, {
      data,
      headers: { origin: url },
    });
    if (!answer.ok())
      throw new Error(`${path} answered ${answer.status()}: ${await answer.text()}`);
  };
  await post('link/use', { token, password });
  const signIn = await repeat(() => timed(() => post('session', { email, password })));
  return { context, signIn };
}

/** A browser that has nothing of the page yet, until the last spot is drawn. */
async function drawBoard(browser: Browser, signedIn: BrowserContext, url: string): Promise<number> {
  const context = await browser.newContext({ storageState: await signedIn.storageState() });
  try {
    const page = await context.newPage();
    return await timed(async () => {
      await page.goto(`${url}/dashboard/board`, { waitUntil: 'commit' });
      await page
        .locator('.tile')
        .nth(spots - 1)
        .waitFor();
    });
  } finally {
    await context.close();
  }
}

/** Processor time of the scripts of a page in a facility of the usual size, in milliseconds: to open it, and for a change by anyone. */
interface Scripts {
  readonly path: string;
  readonly open: number;
  readonly change: number;
}

async function measureScripts(browser: Browser, data: string): Promise<Scripts[]> {
  const { key, token } = await fill(data, 0);
  const service = await startService({ data });
  const create = creatorOf(service.url, key);
  try {
    const stores = await openStores({ data });
    await fillVolume({ ...stores, actor: 'bench' }, 'bench', create);
    await stores.database.close();
    const { context } = await enter(browser, service.url, token);
    const found: Scripts[] = [];
    for (const path of dashboardPages) {
      const page = await context.newPage();
      const devtools = await context.newCDPSession(page);
      await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
      const read = async () => {
        // What the page does with the answers, and nothing that a test could wait for.
        await page.waitForTimeout(7_000);
        const { metrics } = await devtools.send('Performance.getMetrics');
        return 1000 * (metrics.find(({ name }) => name === 'ScriptDuration')?.value ?? 0);
      };
      await page.goto(`${service.url}/dashboard/${path}`);
      const open = await read();
      await create('customers', { lastName: `Of ${path}` });
      found.push({ path, open, change: (await read()) - open });
      await page.close();
    }
    return found;
  } finally {
    await service.stop();
  }
}

/** From the answer to a write until the page shows it. */
async function measureChanges(
  context: BrowserContext,
  { url, key }: { url: string; key: string },
): Promise<number> {
  const page = await context.newPage();
  await page.goto(`${url}/dashboard/board`);
  await page.getByText(/^live/).waitFor();
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  const { data } = (await (
    await fetch(`${url}/api/v1/cars?status=stored&limit=1`, { headers })
  ).json()) as { data: { id: string }[] };
  const ms = await repeat(async (round) => {
    const licensePlate = `HH-N ${round}`;
    await fetch(`${url}/api/v1/cars/${data[0]?.id}`, {
      method: 'PATCH',
      headers,
      body: JSON.stringify({ licensePlate }),
    });
    return timed(() => page.getByText(licensePlate, { exact: true }).waitFor());
  });
  await page.close();
  return ms;
}

async function measureOccupancy(
  service: Child,
  context: BrowserContext,
  { days, step }: { days: number; step: string },
): Promise<Occupancy> {
  const from = new Date(Date.now() - days * dayMs).toISOString();
  const address = `${service.url}/dashboard/api/v1/team/occupancy?from=${from}&step=${step}`;
  await service.longestHold();
  const ms = await repeat(() =>
    timed(async () => {
      const answer = await context.request.get(address);
      if (!answer.ok())
        throw new Error(`Occupancy answered ${answer.status()}: ${await answer.text()}`);
    }),
  );
  return { ms, hold: await service.longestHold() };
}

async function createCars(service: Child, key: string, ms: number): Promise<number> {
  const before = await service.processorTime();
  const speed = await drive(
    {
      url: service.url,
      key,
      method: 'POST',
      status: 201,
      parallel: 8,
      path: () => '/api/v1/cars',
      body: (n) => ({ year: 1973, make: 'Porsche', model: '911', nickname: `Car ${n}` }),
    },
    ms,
  );
  return ((await service.processorTime()) - before) / (speed * (ms / 1000));
}

async function timed(task: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await task();
  return performance.now() - begun;
}

async function repeat(task: (round: number) => Promise<number>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) times.push(await task(round));
  return median(times);
}
