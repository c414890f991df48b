/**
 * Every page of the dashboard, with its panels, for everyone who sees it: it opens without a complaint, fits a phone, and reads as texts/dashboard.txt has it.
 * dashboard-looks.test.ts has the rest: axe, wide and dark, with long names.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, expect, test, vi } from 'vitest';
import { createKey, inTeam, revokeKey, setQuota } from '../../src/service/admin.ts';
import { addScreen } from '../../src/service/team/accounts.ts';
import { openDesk } from '../helpers/browser.ts';
import { inviteAdmin } from '../helpers/dashboard.ts';
import { everyPage, everyPanel, loaded, startDashboard } from '../helpers/dashboard-pages.ts';
import { inHours } from '../helpers/facility.ts';
import { forMany } from '../helpers/offenders.ts';
import { textOf } from '../helpers/page-text.ts';

/** A Monday at half past ten in Berlin, for the service and the browser. */
const now = new Date('2026-05-04T08:30:00Z');
vi.useFakeTimers({ toFake: ['Date'], now });
const dashboard = await startDashboard();
afterAll(async () => {
  await dashboard.close();
  vi.useRealTimers();
});
const { service, make } = dashboard;

const { id: customerId } = await make.customer({
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@garage.example',
  phone: '+44 20 7946 0018',
});
const car = await make.car({
  ...{
    year: 1973,
    make: 'Porsche',
    model: '911 Carrera',
    color: 'white',
    vin: 'WP0ZZZ91ZES100001',
  },
  ...{ licensePlate: 'HH-AL 1', nickname: 'Ducktail', mileage: 81_000, notes: 'Two owners.' },
  customerId,
});
const [{ id: parkingSpotId }] = await make.read('/parking/spots?available=true');
const first = await make.event(car.id, { parkingSpotId, occurredAt: inHours(-5) });
await make.photo(car.id, { sessionId: first.sessionId, filename: 'before.png' });
await make.event(car.id, { activityType: 'pick_up', occurredAt: inHours(-4.5) });
const { sessionId } = await make.event(car.id, {
  ...{ parkingSpotId, notes: 'Two keys.', occurredAt: inHours(-4) },
});
const photo = await make.photo(car.id, { sessionId, filename: 'front.png' });
const visit = { carId: car.id, customerId };
const appointment = await make.appointment({
  ...{ ...visit, title: 'Wash', eventType: 'pick_up', status: 'accepted' },
  ...{ startAt: inHours(1), endAt: inHours(2) },
});
await make.appointment({ ...visit, title: 'Late', startAt: inHours(-3), endAt: inHours(-2) });
await make.appointment({
  ...{ ...visit, title: 'Asked for', status: 'pending_approval' },
  ...{ startAt: inHours(48), endAt: inHours(49) },
});
const given = { team: 'first', scopes: ['read:cars', 'write:cars'] } as const;
const { key, row } = await createKey(service.admin, { ...given, name: 'Website' });
const { row: old } = await createKey(service.admin, { ...given, name: 'Old shop' });
await revokeKey(service.admin, `csk_${old.prefix}`, 'first');
await service.call('GET', '/cars', undefined, key);
await service.admin.database.write
  .insertInto('keyUsage')
  .values({
    ...{ teamId: row.teamId, apiKeyId: row.id, hour: inHours(-24) },
    ...{ requests: 40, refused: 3, failed: 1, uploads: 2 },
  })
  .execute();
const { row: idle } = await createKey(service.admin, { ...given, name: 'Idle' });
await createKey(service.admin, { ...given, name: 'Idle', replacesId: idle.id });
await setQuota(service.admin, 'second', 50_000_000_000);
const bare = await make.car({ licensePlate: 'HH-NP 1', make: 'Lancia', model: 'Fulvia' });
await make.event(bare.id, {
  parkingZoneId: (await make.zone((await make.location({ name: 'Quay' })).id, { name: 'Deck' })).id,
});
await inTeam(service.admin, 'first', (context) => addScreen(context, 'test', 'Hall A'));

// Requests are counted once a minute, and when a service ends: from here on nothing is counted.
await service.restart({ keepPort: true });

/** States of those pages. */
const ofOwn = [
  ...['board?location=nope', 'board?wall&location=nope', 'keys/IDLE', 'keys/IDLE?do=revoke'],
  'settings/audit?action=password.forgotten',
];
const ofNothing = [
  ...['board', 'today', 'cars', 'occupancy', 'usage', 'settings/screens'],
  ...['board?wall', 'today?date=2199-01-01'],
];

const ids = {
  IDLE: idle.id,
  CAR: car.id,
  PHOTO: photo.id,
  CUSTOMER: customerId,
  KEY: row.id,
  APPOINTMENT: appointment.id,
};
const withIds = (path: string) =>
  Object.entries(ids).reduce((text, [name, id]) => text.replaceAll(name, id), path);

/** Without what differs from run to run. */
const lasting = (text: string) =>
  Object.entries(ids)
    .reduce((shown, [name, id]) => shown.replaceAll(id, name), text)
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID')
    .replaceAll(idle.prefix, 'IDLE')
    .replaceAll(/csk_[a-z2-7]+/g, 'csk_PREFIX')
    .replaceAll(/admin-\d+@/g, 'admin@')
    .replaceAll(/911 \d+/g, '911')
    .replaceAll(/take \d\d+ bytes/g, 'take some bytes')
    .replaceAll(/#[\w-]{43}/g, '#TOKEN')
    .replaceAll(service.url, 'http://SERVICE');

/** What is open over the page, or the page. */
async function read(page: Page): Promise<string> {
  for (const part of ['dialog[open]', '#content'])
    if ((await page.locator(part).count()) > 0) return textOf(page.locator(part).last());
  return textOf(page.locator('body'));
}

const file = 'texts/dashboard.txt';
const [, ...sections] = readFileSync(join(import.meta.dirname, file), 'utf8').split(/^(?=# )/m);

/** A part of a page may come after the others: its text is taken when it is the expected one, or after a while. */
async function settled(page: Page, title: string): Promise<string> {
  const expected = sections.find((section) => section.startsWith(`${title}\n`))?.trimEnd();
  let text = '';
  const isExpected = async () => {
    text = `${title}\n${lasting(await read(page))}`;
    return text === expected;
  };
  await expect
    .poll(isExpected, { timeout: 10_000 })
    .toBe(true)
    .catch(() => undefined);
  return text;
}

test(
  'every page opens without a complaint, fits a phone, and reads as it should',
  async () => {
    const texts: string[] = [];
    const flaws: string[] = [];
    const see = async (
      who: string,
      { page, complaints }: Awaited<ReturnType<typeof openDesk>>,
      paths: readonly string[],
    ) => {
      await page.clock.setFixedTime(now);
      for (const path of paths) {
        await page.setViewportSize({ width: 320, height: 800 });
        await dashboard.open(page, withIds(path));
        await loaded(page);
        // A chart is drawn again after the page has its width.
        const width = () => page.evaluate('document.documentElement.scrollWidth');
        await expect.poll(width).toBe(320);
        await page.setViewportSize({ width: 1280, height: 800 });
        await expect.poll(width).toBe(1280);
        texts.push(await settled(page, `# ${who}: ${path.replace(/#.*/, '#TOKEN')}`), '');
        flaws.push(...complaints.splice(0).map((text) => `${who}, ${path}: ${text}`));
      }
    };
    const admin = await dashboard.openSignedIn();
    await see('admin', admin, [
      ...everyPage.filter((name) => name !== 'settings'),
      ...everyPanel,
      ...ofOwn,
    ]);
    const menuOf = async (who: string, { page }: typeof admin) =>
      texts.push(
        `# Menu of ${who}`,
        lasting(await textOf(page.getByRole('navigation', { name: 'Pages' }))),
        '',
      );
    await menuOf('admin', admin);
    const staff = await dashboard.openSignedIn({ as: 'staff' });
    await see('staff', staff, [
      'settings',
      'keys',
      'usage',
      'occupancy',
      `cars/CAR?do=drop-off&car=CAR`,
    ]);
    await menuOf('staff', staff);
    await see('screen', await dashboard.openSignedIn({ as: 'screen' }), ['board', 'cars']);
    await see(
      'admin of an empty team',
      await dashboard.openSignedIn({ team: 'second' }),
      ofNothing,
    );
    const { token } = await inviteAdmin(service);
    await see('nobody', await openDesk(), ['keys', 'forgotten', `link#${token}`]);
    expect(flaws).toEqual([]);
    await expect(texts.join('\n')).toMatchFileSnapshot(file);
  },
  forMany,
);
