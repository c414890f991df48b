/** The dashboard's pages while the facility changes, the service restarts, and on a wall. */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openDesk, skipWithoutBrowser } from '../helpers/browser.ts';
import { signInScreen } from '../helpers/dashboard.ts';
import {
  type Dashboard,
  giveCookie,
  loaded,
  readingsOf,
  startDashboard,
} from '../helpers/dashboard-pages.ts';
import { facility } from '../helpers/facility.ts';
import { startMuteProxy } from '../helpers/mute-proxy.ts';
import { startTestService } from '../helpers/service.ts';

let dashboard: Dashboard;
beforeAll(async () => {
  if (!skipWithoutBrowser) dashboard = await startDashboard();
});
afterAll(() => dashboard?.service.close());

interface WallSight {
  readonly items: string[];
  readonly headings: string[];
  /** Items that are shown in part. */
  readonly cut: number;
}

/** What people see of a turning half of a wall: its items, by their names. */
const sightOf = (half: 'board' | 'day', item: string, name: string) => `(() => {
  const part = document.querySelector('.turning${half === 'day' ? ':has(.day)' : ':not(:has(.day))'}');
  const screen = part.getBoundingClientRect();
  const shown = (selector) => [...part.querySelectorAll(selector)].filter((one) => {
    const { top, height } = one.getBoundingClientRect();
    return one.checkVisibility({ visibilityProperty: true }) && height > 0 && top < screen.bottom - 1;
  });
  const textOf = (one) => one.firstChild.textContent + getComputedStyle(one, '::after').content.replace(/^none$|"/g, '');
  return {
    items: shown('${item}').map((one) => one.querySelector('${name}').textContent),
    headings: shown('h2, h3').map(textOf),
    cut: shown('${item}').filter((one) => one.getBoundingClientRect().bottom > screen.bottom + 1).length,
  };
})()`;

describe.skipIf(skipWithoutBrowser)('the board', () => {
  test('follows a car that comes and goes', async () => {
    const { service } = dashboard;
    const opened = await dashboard.openSignedIn();
    const { page } = opened;
    await dashboard.open(page, 'board');
    await page.getByText(/^live/).waitFor();
    const { data: spots } = (await service.call('GET', '/parking/spots?available=true')).body;
    const car = await facility(service).car({ licensePlate: 'HH-NEW 1' });
    await facility(service).event(car.id, { parkingSpotId: spots[0].id });
    const tile = page.getByRole('listitem').filter({ hasText: 'HH-NEW 1' });
    await tile.waitFor();
    await page.getByText('3 of 6 spots taken').waitFor();
    await facility(service).event(car.id, { activityType: 'pick_up' });
    await tile.waitFor({ state: 'detached' });
    expect(opened.complaints).toEqual([]);
  });

  test('goes on by itself after a restart of the service, without a new sign-in', async () => {
    const { service } = dashboard;
    const opened = await dashboard.openSignedIn();
    const { page } = opened;
    await dashboard.open(page, 'board');
    await page.getByText(/^live/).waitFor();
    await service.restart({
      keepPort: true,
      meanwhile: async () => {
        await page.getByText(/^(connecting|not live)/).waitFor();
        // What was there stays.
        expect(await page.getByText('HH-7 73').isVisible()).toBe(true);
      },
    });
    await page.getByText(/^live/).waitFor();
    const { id: locationId } = (await service.call('GET', '/locations')).body.data[0];
    await facility(service).spot(locationId, { name: 'Z99' });
    await page.getByText('Z99').waitFor();
    expect(opened.complaints.filter((text) => !/Failed to load resource|ERR_/.test(text))).toEqual(
      [],
    );
  });

  test('a form that is sent while the service is away says so and keeps what was typed', async () => {
    const { service } = dashboard;
    const { page } = await dashboard.openSignedIn();
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

describe.skipIf(skipWithoutBrowser)('over a connection that goes silent', () => {
  test.each(['board', 'keys'])(
    '%s is not live any more, and is again when the service is heard',
    async (path) => {
      const { service } = dashboard;
      const proxy = await startMuteProxy(Number(new URL(service.url).port));
      onTestFinished(() => proxy.close());
      const { page } = await dashboard.openSignedIn();
      await page.clock.install();
      const streamed = page.waitForResponse(/dashboard\/events/);
      await page.goto(`http://127.0.0.1:${proxy.port}/dashboard/${path}`);
      await loaded(page);
      await streamed;
      const [lost, live] = [page.getByText(/^No connection/), page.getByText(/^live/)];
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

describe.skipIf(skipWithoutBrowser)('the day', () => {
  test('is read once, and with a change what has changed', async () => {
    const { service, carId } = dashboard;
    const { page, complaints } = await dashboard.openSignedIn();
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
    const visit = await facility(service).appointment({
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
    await facility(service).change(`/appointments/${visit.id}`, { status: 'cancelled' });
    await late.waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  });
});

describe.skipIf(skipWithoutBrowser)('a wall', () => {
  test('turns from zone to zone, shows each as a whole, and starts again', async () => {
    const opened = await dashboard.openSignedIn({ as: 'screen' });
    const { page } = opened;
    await page.setViewportSize({ width: 1000, height: 330 });
    await page.clock.install();
    await dashboard.open(page, 'board');
    await loaded(page);
    const shown = async () => {
      const names = await page
        .locator('.turning .site:not(.day) .zone:not(.later)')
        .filter({ visible: true })
        .evaluateAll((zones) =>
          (
            zones as unknown as {
              getBoundingClientRect(): { top: number; bottom: number };
              closest(selector: string): {
                querySelector(selector: string): { textContent: string };
              };
            }[]
          )
            .filter(
              (zone) =>
                zone.getBoundingClientRect().top > 0 && zone.getBoundingClientRect().bottom < 330,
            )
            .map((zone) => zone.closest('.site').querySelector('h2').textContent),
        );
      return names;
    };
    const seen = [(await shown()).join()];
    for (let turn = 0; turn < 8 && !(seen.length > 1 && seen.at(-1) === seen[0]); turn++) {
      await page.clock.runFor(12_000);
      seen.push((await shown()).join());
    }
    expect(seen[0]).toBe('Harbour');
    expect(seen.slice(1, -1).join()).toContain('Old Mill');
    expect(seen.at(-1)).toBe('Harbour');
    expect(opened.complaints).toEqual([]);
  });

  test('fills its rows evenly: six spots where five fit are three and three, and two are not stretched over a row', async () => {
    const own = await startDashboard();
    onTestFinished(() => own.service.close());
    const records = facility(own.service);
    const { id: locationId } = await records.location({ name: 'Even' });
    for (const [name, count] of [
      ['Six', 6],
      ['Four', 4],
      ['Two', 2],
      ['Eleven', 11],
    ] as const) {
      const { id: zoneId } = await records.zone(locationId, { name });
      for (let spot = 1; spot <= count; spot++)
        await records.spot(locationId, { zoneId, name: `${name} ${spot}` });
    }
    const { page, complaints } = await own.openSignedIn({ as: 'screen' });
    await page.setViewportSize({ width: 1280, height: 1400 });
    await own.open(page, `board?location=${locationId}`);
    await loaded(page);
    const rows = await page.evaluate<
      Record<string, number[]>
    >(`Object.fromEntries([...document.querySelectorAll('.tiles')].map((list) => {
      const tops = [...list.children].map((tile) => Math.round(tile.getBoundingClientRect().top));
      return [list.querySelector('.spot').textContent.split(' ')[0], [...new Set(tops)].map((top) => tops.filter((one) => one === top).length)];
    }))`);
    expect(rows).toEqual({ Six: [3, 3], Four: [4], Two: [2], Eleven: [4, 4, 3] });
    const width = async (name: string) =>
      (await page.locator('.tile').filter({ hasText: name }).first().boundingBox())?.width ?? 0;
    expect(await width('Two 1')).toBeLessThan((await width('Four 1')) * 2);
    expect(complaints).toEqual([]);
  });

  test('shows every tile of a zone that is larger than the screen, each page with its location and zone', async () => {
    const large = await startDashboard();
    onTestFinished(() => large.service.close());
    const records = facility(large.service);
    const { id: locationId } = await records.location({ name: 'Large' });
    const { id: zoneId } = await records.zone(locationId, { name: 'Hall L', capacity: 80 });
    for (let spot = 1; spot <= 67; spot++)
      await records.spot(locationId, { zoneId, name: `L${spot}` });
    const opened = await large.openSignedIn({ as: 'screen' });
    const { page } = opened;
    await page.setViewportSize({ width: 1280, height: 600 });
    await page.clock.install();
    await large.open(page, `board?location=${locationId}`);
    await loaded(page);
    const read = () => page.evaluate<WallSight>(sightOf('board', '.tile', '.spot'));
    const seen: WallSight[] = [];
    for (let turn = 0; turn < 12; turn++) {
      seen.push(await read());
      await page.clock.runFor(12_000);
    }
    const pages = seen.findIndex((sight, at) => at > 0 && sight.items[0] === seen[0]?.items[0]);
    expect(pages).toBeGreaterThan(1);
    expect(seen.slice(0, pages).flatMap(({ items }) => items)).toEqual(
      Array.from({ length: 67 }, (_, at) => `L${at + 1}`),
    );
    expect(seen.map(({ cut }) => cut)).toEqual(seen.map(() => 0));
    for (const [at, { headings }] of seen.slice(0, pages).entries())
      expect(headings).toEqual(
        at === 0 ? ['Large', 'Hall L'] : ['Large · continued', 'Hall L · continued'],
      );
    expect(opened.complaints).toEqual([]);
  });

  test('shows every appointment of a day that is longer than the screen, each page with its headings', async () => {
    const busy = await startTestService({ dashboard: {} });
    onTestFinished(() => busy.close());
    const records = facility(busy);
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
    const seen: WallSight[] = [];
    for (let turn = 0; turn < 8; turn++) {
      seen.push(await page.evaluate<WallSight>(sightOf('day', 'li', '.plate')));
      await page.clock.runFor(12_000);
    }
    const pages = seen.findIndex((sight, at) => at > 0 && sight.items[0] === seen[0]?.items[0]);
    expect(pages).toBeGreaterThan(1);
    expect(seen.slice(0, pages).flatMap(({ items }) => items)).toEqual(titles);
    expect(seen.map(({ cut }) => cut)).toEqual(seen.map(() => 0));
    for (const [at, { headings }] of seen.slice(0, pages).entries())
      expect(headings).toEqual(
        at === 0 ? ['Today', 'Late (24)'] : ['Today · continued', 'Late (24) · continued'],
      );
    expect(complaints).toEqual([]);
  });

  test('says since when it is stale, and is no longer when the service is back', async () => {
    const { service } = dashboard;
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
    const { service } = dashboard;
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
    const car = await facility(service).car({ licensePlate: 'HH-LATE 1' });
    const { data: spots } = (await service.call('GET', '/parking/spots?available=true')).body;
    await facility(service).event(car.id, { parkingSpotId: spots[0].id });
    await expect.poll(() => refusals).toBeGreaterThan(0);
    // The session still answers, which makes what is shown no newer.
    const band = page.getByRole('alert').filter({ hasText: 'Not up to date. As of' });
    await expect
      .poll(async () => {
        await page.clock.runFor(5_000);
        return band.count();
      })
      .toBe(1);
    await page.unroute('**/dashboard/api/v1/**');
    // Nothing changes any more.
    await expect
      .poll(async () => {
        await page.clock.runFor(5_000);
        return [await page.locator('.tile', { hasText: 'HH-LATE 1' }).count(), await band.count()];
      })
      .toEqual([1, 0]);
    await facility(service).event(car.id, { activityType: 'pick_up' });
  });

  test('loads itself again when the pages have changed', async () => {
    const { page } = await dashboard.openSignedIn({ as: 'screen' });
    await page.clock.install();
    await dashboard.open(page, 'board');
    await loaded(page);
    await page.evaluate('window.isOld = true');
    await page.route('**/dashboard/session', async (route) => {
      const response = await route.fetch();
      const { data } = await response.json();
      await route.fulfill({ json: { data: { ...data, build: 'newer' } } });
    });
    const reloaded = page.waitForEvent('load');
    await page.clock.runFor(6_000);
    await reloaded;
    expect(await page.evaluate('window.isOld')).toBeUndefined();
  });
});
