/** The dashboard's pages while the facility changes, the service restarts, and on a wall. */
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { openDesk } from '../helpers/browser.ts';
import { signInScreen } from '../helpers/dashboard.ts';
import {
  giveCookie,
  loaded,
  readingsOf,
  setNoon,
  startDashboard,
} from '../helpers/dashboard-pages.ts';
import { facility } from '../helpers/facility.ts';
import { startMuteProxy } from '../helpers/mute-proxy.ts';
import { startTestService } from '../helpers/service.ts';

const dashboard = await startDashboard();
await setNoon(dashboard);
afterAll(() => dashboard.close());
const { service, make } = dashboard;

interface WallSight {
  /** By their names. */
  readonly items: string[];
  readonly headings: string[];
  /** Items that are shown in part. */
  readonly cut: number;
}

/** What people see of a turning half of a wall. */
const sightOf = (half: string, name: string) => `(() => {
  const part = document.querySelector('.turning:has(${half})');
  const screen = part.getBoundingClientRect();
  const headings = [...part.querySelectorAll('h2, h3')].filter((one) => {
    const { top, bottom } = one.getBoundingClientRect();
    return top >= screen.top - 1 && bottom <= screen.bottom;
  });
  const isUnder = (one) => headings.some((head) => head.getBoundingClientRect().bottom > one.getBoundingClientRect().top + 1 && head.closest('.zone, .site').contains(one));
  const shown = [...part.querySelectorAll('li')].filter((one) => {
    const { top, bottom } = one.getBoundingClientRect();
    return one.checkVisibility({ visibilityProperty: true }) && bottom > screen.top + 1 && top < screen.bottom - 1;
  });
  const whole = shown.filter((one) => !isUnder(one));
  return {
    items: whole.map((one) => one.querySelector('${name}').textContent),
    headings: headings.map((one) => one.firstChild.textContent),
    cut: whole.filter((one) => one.getBoundingClientRect().bottom > screen.bottom + 1).length,
  };
})()`;

describe('the board', () => {
  test('follows a car that comes and goes', async () => {
    const opened = await dashboard.shared();
    const { page } = opened;
    await dashboard.open(page, 'board');
    await page.getByText(/^live/).waitFor();
    const { data: spots } = (await service.call('GET', '/parking/spots?available=true')).body;
    const car = await make.car({ licensePlate: 'HH-NEW 1' });
    await make.event(car.id, { parkingSpotId: spots[0].id });
    const tile = page.getByRole('listitem').filter({ hasText: 'HH-NEW 1' });
    await tile.waitFor();
    await page.getByText('3 of 6 spots taken').waitFor();
    await make.event(car.id, { activityType: 'pick_up' });
    await tile.waitFor({ state: 'detached' });
    expect(opened.complaints).toEqual([]);
  });

  test('goes on by itself after a restart of the service, without a new sign-in', async () => {
    const opened = await dashboard.openSignedIn();
    const { page } = opened;
    await page.clock.install();
    await dashboard.open(page, 'board');
    await page.getByText(/^live/).waitFor();
    // The end of the stream tells it at once, and not its silence.
    await page.clock.pauseAt(Date.now() + 1_000);
    await service.restart({
      keepPort: true,
      meanwhile: async () => {
        await page.getByText(/^connecting · \d\d:\d\d:\d\d$/).waitFor();
        // What was there stays.
        expect(await page.getByText('HH-7 73').isVisible()).toBe(true);
      },
    });
    await page.clock.resume();
    await page.getByText(/^live/).waitFor();
    const [{ id: locationId }] = await make.read('/locations');
    await make.spot(locationId, { name: 'Z99' });
    await page.getByText('Z99').waitFor();
    expect(opened.complaints.filter((text) => !/Failed to load resource|ERR_/.test(text))).toEqual(
      [],
    );
  });

  test('a form that is sent while the service is away says so and keeps what was typed', async () => {
    const { page } = await dashboard.shared();
    await dashboard.open(page, 'keys/new?preset=website');
    await page.getByLabel('Name').fill('Patient');
    const create = page.getByRole('button', { name: 'Create key', exact: true });
    await service.restart({
      keepPort: true,
      meanwhile: async () => {
        await create.click();
        await page.getByText("The service can't be reached. Nothing is lost").waitFor();
      },
    });
    await create.click();
    expect(await page.getByLabel('Key “Patient”').inputValue()).toMatch(/^csk_/);
  });
});

describe('over a connection that goes silent', () => {
  test.each(['board', 'keys'])(
    '%s is not live any more, and is again when the service is heard',
    async (path) => {
      const proxy = await startMuteProxy(Number(new URL(service.url).port));
      onTestFinished(() => proxy.close());
      const { page } = await dashboard.openSignedIn();
      await page.clock.install();
      const streamed = page.waitForResponse(/dashboard\/events/);
      await page.goto(`http://127.0.0.1:${proxy.port}/dashboard/${path}`);
      await loaded(page);
      await streamed;
      const [lost, live] = [
        page.getByText(/^No connection since \d\d:\d\d:\d\d\. What is shown may be old\.$/),
        page.getByText(/^live/),
      ];
      if (path === 'board') await live.waitFor();
      expect(await lost.count()).toBe(0);
      proxy.mute();
      await page.clock.runFor(11_000);
      await lost.waitFor();
      expect(await live.count()).toBe(0);
      proxy.unmute();
      await expect
        .poll(async () => {
          await page.clock.runFor(1_000);
          return lost.count();
        })
        .toBe(0);
      if (path === 'board') await live.waitFor();
    },
  );
});

describe('the day', () => {
  test('is read once, and with a change what has changed', async () => {
    const { carId } = dashboard;
    const { page, complaints } = await dashboard.shared();
    const readings = readingsOf(page);
    await dashboard.open(page, 'today');
    await loaded(page);
    await page.getByText(/^live/).waitFor();
    const lists = ['appointments', 'appointments', 'cars', 'event-sessions', 'event-types'];
    const ofAll = ['locations', 'team/integration', 'parking/spots', 'parking/zones'];
    const ofDay = () =>
      readings.filter((one) => !ofAll.includes(one.replace(/ since$/, ''))).sort();
    expect(ofDay()).toEqual(lists);
    const startAt = new Date(Date.now() - 20 * 60_000).toISOString();
    const visit = await make.appointment({
      startAt,
      endAt: new Date().toISOString(),
      carId,
    });
    const late = page.getByText(/^late 2\d min/);
    await late.waitFor();
    expect(ofDay()).toEqual([
      ...['appointments', 'appointments', 'appointments since'],
      ...['cars', 'cars since', 'event-sessions', 'event-sessions since'],
      ...['event-types', 'event-types since'],
    ]);
    await make.change(`/appointments/${visit.id}`, { status: 'cancelled' });
    await late.waitFor({ state: 'detached' });
    // A request is told for any day, at the place of its car where it names none.
    const [hall, other] = [await make.location(), await make.location()];
    const car = await make.car();
    await make.event(car.id, { parkingSpotId: (await make.spot(hall.id)).id });
    const request = await make.appointment({
      startAt: '2090-01-01T10:00:00Z',
      endAt: '2090-01-01T11:00:00Z',
      carId: car.id,
      status: 'pending_approval',
    });
    const waiting = page.getByRole('heading', { name: /^Waiting for approval/ });
    await waiting.waitFor();
    await dashboard.open(page, `today?location=${hall.id}`);
    await waiting.waitFor();
    await dashboard.open(page, `today?location=${other.id}`);
    await loaded(page);
    expect(await waiting.count()).toBe(0);
    await make.change(`/appointments/${request.id}`, { status: 'declined' });
    await make.event(car.id, { activityType: 'pick_up' });
    expect(complaints).toEqual([]);
  });
});

describe('a wall', () => {
  test('shows every tile and appointment of more than a screen in turns, each whole and below its headings, and starts again', async () => {
    const busy = await startTestService({ dashboard: {} });
    onTestFinished(() => busy.close());
    const records = facility(busy);
    const { id: locationId } = await records.location({ name: 'Large' });
    const { id: zoneId } = await records.zone(locationId, { name: 'Hall L', capacity: 80 });
    const names = Array.from({ length: 67 }, (_, at) => `L${at + 1}`);
    for (const name of names) await records.spot(locationId, { zoneId, name });
    const titles = Array.from({ length: 24 }, (_, at) => `Visit ${at + 1}`);
    const yesterday = Date.now() - 30 * 3_600_000;
    const minute = (at: number) => new Date(yesterday + at * 60_000).toISOString();
    for (const [at, title] of titles.entries())
      await records.appointment({ startAt: minute(at), endAt: minute(at + 1), title });
    const opened = await openDesk();
    const { page, complaints } = opened;
    await giveCookie(opened, busy, await signInScreen(busy));
    await page.setViewportSize({ width: 1280, height: 600 });
    await page.clock.install();
    await page.goto(`${busy.url}/dashboard/board`);
    await loaded(page);
    await page.locator('.tile').last().waitFor({ state: 'attached' });
    await page.clock.pauseAt(Date.now() + 1_000);
    const seen: [WallSight, WallSight][] = [];
    for (let turn = 0; turn < 14; turn++) {
      // Time runs faster than the answers, so it may be told to be stale for a moment.
      await page.getByRole('alert').waitFor({ state: 'detached' });
      seen.push([
        await page.evaluate<WallSight>(sightOf('.tile', '.spot')),
        await page.evaluate<WallSight>(sightOf('.day', '.plate')),
      ]);
      await page.clock.runFor(12_000);
    }
    for (const [half, all, headings] of [
      [0, names, ['Large', 'Hall L']],
      [1, titles, ['Today', 'Late (24)']],
    ] as const) {
      const sights = seen.map((sight) => sight[half]);
      const turns = sights.findIndex(({ items }, at) => at > 0 && items[0] === all[0]);
      expect(turns).toBeGreaterThan(1);
      const items = new Set(sights.slice(0, turns).flatMap(({ items }) => items));
      expect([...items]).toEqual(all);
      for (const sight of sights) expect(sight).toMatchObject({ cut: 0, headings });
    }
    expect(complaints).toEqual([]);
  });

  test('says since when it is stale, and is no longer when the service is back', async () => {
    const { page } = await dashboard.openSignedIn({ as: 'screen' });
    await page.clock.install();
    await dashboard.open(page, 'board');
    await loaded(page);
    const band = page.getByRole('alert').filter({ hasText: 'No connection. As of' });
    expect(await band.count()).toBe(0);
    await service.restart({
      keepPort: true,
      meanwhile: async () => {
        await page.clock.runFor(17_000);
        await band.waitFor();
        await page.getByText('HH-7 73').waitFor();
        // The band says it once, for the board and the day.
        expect(await page.getByRole('alert').count()).toBe(1);
      },
    });
    await page.clock.runFor(6_000);
    await expect
      .poll(async () => {
        await page.clock.runFor(1_000);
        return band.count();
      })
      .toBe(0);
  });

  test('reads again by itself after readings that failed, and says since when it is not up to date', async () => {
    const { page } = await dashboard.openSignedIn({ as: 'screen' });
    await page.clock.install();
    await dashboard.open(page, 'board');
    await loaded(page);
    const refused = { status: 503, json: { error: 'Busy', code: 'unavailable', details: null } };
    let refusals = 0;
    await page.route('**/dashboard/api/v1/**', async (route) => {
      refusals += 1;
      await route.fulfill(refused);
    });
    const car = await make.car({ licensePlate: 'HH-LATE 1' });
    const { data: spots } = (await service.call('GET', '/parking/spots?available=true')).body;
    await make.event(car.id, { parkingSpotId: spots[0].id });
    await expect.poll(() => refusals).toBeGreaterThan(0);
    // The session still answers, which makes what is shown no newer.
    const band = page.getByRole('alert').filter({ hasText: 'Not up to date. As of' });
    await expect
      .poll(async () => {
        await page.clock.runFor(5_000);
        return band.count();
      })
      .toBe(1);
    // What was read stays.
    expect(await page.locator('.tile').count()).toBeGreaterThan(0);
    await page.unroute('**/dashboard/api/v1/**');
    // Nothing changes any more.
    await expect
      .poll(async () => {
        await page.clock.runFor(5_000);
        return [await page.locator('.tile', { hasText: 'HH-LATE 1' }).count(), await band.count()];
      })
      .toEqual([1, 0]);
    await make.event(car.id, { activityType: 'pick_up' });
  });

  test('is up to date also where a proxy keeps its stream back', async () => {
    const { page } = await dashboard.openSignedIn({ as: 'screen' });
    await page.clock.install();
    await page.route('**/dashboard/events', (route) => route.abort());
    await dashboard.open(page, 'board');
    await loaded(page);
    await page.clock.runFor(40_000);
    await page.getByText('HH-7 73').first().waitFor();
    await page.getByText(/^as of /).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  test('loads itself again when the pages have changed', async () => {
    const { page } = await dashboard.openSignedIn({ as: 'screen' });
    await page.clock.install();
    await dashboard.open(page, 'board');
    await loaded(page);
    await page.evaluate('window.isOld = true');
    const reloaded = page.waitForEvent('load');
    await page.route('**/dashboard/events', (route) =>
      route.fulfill({
        contentType: 'text/event-stream',
        body: 'event: changed\ndata: {"stamp":"","build":"newer"}\n\n',
      }),
    );
    // Opens its stream again.
    await page.clock.runFor(12_000);
    await reloaded;
    expect(await page.evaluate('window.isOld')).toBeUndefined();
  });
});
