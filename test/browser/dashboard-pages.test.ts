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
import { heicPhoto } from '../cli/commands/photos/photo-bytes.ts';
import { openDesk } from '../helpers/browser.ts';
import { inviteAdmin, signInAdmin } from '../helpers/dashboard.ts';
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
  companyName: 'Difference Engines',
  tags: ['regular', 'by rail'],
  notes: 'Rings before she comes.',
});
const fleet = await make.customer({ companyName: 'Fleet' });
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
const { row: silent } = await createKey(service.admin, {
  ...{ ...given, name: 'Silent', expiresAt: inHours(240) },
});
const { write } = service.admin.database;
await write
  .updateTable('apiKeys')
  .set({ createdAt: inHours(-960), lastUsedAt: inHours(-960) })
  .where('id', '=', silent.id)
  .execute();
// So many that they have a search.
for (const [name, replacesId] of [['Till'], ['Scales'], ['Printer'], ['Door', old.id]] as const)
  await createKey(service.admin, { ...given, name, replacesId, expiresAt: inHours(2400) });
await setQuota(service.admin, 'second', 50_000_000_000);
await revokeKey(service.admin, service.otherKey, 'second');
await write.updateTable('teams').set({ apiEnabled: false }).where('slug', '=', 'second').execute();
const bare = await make.car({ licensePlate: 'HH-NP 1', make: 'Lancia', model: 'Fulvia' });
const quay = await make.location({ name: 'Quay' });
const deck = await make.zone(quay.id, { name: 'Deck', capacity: 5 });
const bareAt = (place: object, hours: number) =>
  make.assignment({ carId: bare.id, ...place, startedAt: inHours(hours) });
await bareAt({ parkingSpotId: (await make.read('/parking/spots?available=true'))[0].id }, -3);
await bareAt({ parkingZoneId: deck.id }, -2);
await make.event(bare.id, { activityType: 'pick_up', occurredAt: inHours(-1) });
await make.event(bare.id, { parkingZoneId: deck.id });
await make.change(`/parking/zones/${(await make.zone(quay.id, { name: 'Shed' })).id}`, {
  isActive: false,
});
await make.spot(quay.id, { name: 'Q1', kind: 'lift' });
await make.spot(quay.id, { name: 'Q2', isActive: false });
const fresh = await make.car({ licensePlate: 'HH-NEW 1', make: 'Audi', model: '100', year: 1976 });
await make.photo(fresh.id, {
  base64: heicPhoto({ width: 40, height: 30 }).toString('base64'),
  filename: 'IMG_1.HEIC',
});
const hours = { startAt: inHours(-2), endAt: inHours(-1.5) };
const finished = await make.appointment({
  ...{ ...hours, customerId, title: 'Over', status: 'completed' },
});
await make.appointment({ ...hours, carId: fresh.id, title: 'Polish', status: 'in_progress' });
await make.appointment({ title: 'Long ago', startAt: inHours(-60), endAt: inHours(-59) });
// Half an hour before the pick-up: the list sorts by time.
const plain = await make.appointment({ startAt: inHours(0.5), endAt: inHours(1.5) });
const screenOf = (name: string) =>
  inTeam(service.admin, 'first', (context) => addScreen(context, 'test', name));
const screen = await screenOf('Hall A');
const clerk = await signInAdmin(service, 'first', 'staff');
const { id: browserSessionId } = await service.admin.database.read
  .selectFrom('browserSessions')
  .select('id')
  .executeTakeFirstOrThrow();

// Requests are counted once a minute, and when a service ends: from here on nothing is counted.
await service.restart({ keepPort: true });
// However many it took to make the records above.
await write
  .updateTable('keyUsage')
  .set({ requests: 20, uploads: 5 })
  .where('apiKeyId', '!=', row.id)
  .execute();

/** A page by its path, or what it, or a part of it, becomes by a step. */
type Shown =
  | string
  | readonly [path: string, step: string, take: (page: Page) => Promise<unknown>, part?: string];

const whichCar = 'Which car? Plate, make, VIN or nickname';

/** Types into the search of all pages. */
const search = (typed: string): Shown => [
  'cars',
  `search for ${typed}`,
  async (page) => {
    await page.keyboard.press('/');
    await page.getByLabel('Plate, name, spot, key or page').fill(typed);
  },
];
const newLink = (path: string): Shown => [
  path,
  'new link',
  async (page) => {
    await page
      .getByRole('button', { name: /^New link for/ })
      .first()
      .click();
    await page.getByLabel(/^Link, works once/).waitFor();
  },
  '.card',
];

/** What is folded up on a page. */
const unfolded = (path: string, summary: string): Shown => [
  path,
  `${summary} unfolded`,
  (page) => page.locator('summary', { hasText: summary }).click(),
  'details[open]',
];

/** States of those pages. */
const ofOwn: readonly Shown[] = [
  ...['board?location=nope', 'board?wall&location=nope', 'board?q=nope'],
  ...['board?places=Zone', 'board?places=Spots', 'board?do=drop-off&car=nope'],
  ...['board?do=move&car=NEW', 'board?do=drop-off&car=BARE'],
  ...['today?do=reschedule&appointment=nope', 'today?do=reschedule&appointment=OVER'],
  ...['today?do=reschedule&appointment=PLAIN', 'cars/BARE', 'occupancy?as=table&days=1095'],
  ...['cars?q=nope', 'cars/NEW', 'keys/nope'],
  ...['keys/IDLE', 'keys/IDLE?do=revoke', 'keys/SILENT', 'keys/OLD'],
  ...['settings/audit?action=password.forgotten&subject=nope'],
  ...['keys?q=nope', 'keys?show=marked', 'keys?show=silent', 'keys/new?for=OLD'],
  ...['cars?photos=none&sort=-Plate', 'cars?status=expected', 'board?free=1'],
  ...['settings/screens?do=remove&id=SCREEN', 'settings/admins?do=remove&id=CLERK'],
  ...['settings/sessions?do=remove&id=SESSION', 'occupancy?as=table&days=365'],
  unfolded('keys', 'Revoked and expired'),
  unfolded('keys?do=turn-off', 'Used in the last 24 hours'),
  unfolded('today', 'Done'),
  unfolded('customers/CUSTOMER', 'Earlier'),
  [
    'settings/password',
    'two that differ',
    async (page) => {
      await page.getByLabel('Current password').fill('an old one');
      await page.getByLabel('New password').fill('one of them');
      await page.getByLabel('The same again').fill('another one');
    },
    '.card',
  ],
  ['board?do=drop-off', 'search for nope', (page) => page.getByLabel(whichCar).fill('nope')],
  [
    'board?do=drop-off&car=NEW',
    'at another time',
    (page) => page.getByRole('button', { name: 'It happened at another time' }).click(),
  ],
  [
    'keys/new?preset=website',
    'for ever, and writes alone',
    async (page) => {
      await page.getByLabel('Never').check();
      await page.getByLabel('write Cars').check();
    },
  ],
  [
    'keys/new?preset=drop-off',
    'created',
    async (page) => {
      await page.getByLabel('Name').fill('Counter');
      await page.getByRole('button', { name: 'Create key', exact: true }).click();
      await page.getByText('I have stored it').waitFor();
    },
    '.card',
  ],
  ...[search('nope'), search('a1'), newLink('settings/admins'), newLink('settings/screens')],
];
const ofNothing: readonly Shown[] = [
  ...['board', 'today', 'cars', 'occupancy', 'keys', 'usage', 'settings/screens'],
  ...['board?wall', 'today?date=2199-01-01', 'board?places=Zone'],
  [
    'keys',
    'turned on, to turn off',
    async (page) => {
      await page.getByRole('button', { name: 'Turn on' }).click();
      await page.getByRole('link', { name: 'Turn off…' }).click();
    },
  ],
];

const ids = {
  IDLE: idle.id,
  CAR: car.id,
  PHOTO: photo.id,
  CUSTOMER: customerId,
  KEY: row.id,
  APPOINTMENT: appointment.id,
  NEW: fresh.id,
  BARE: bare.id,
  OVER: finished.id,
  PLAIN: plain.id,
  FLEET: fleet.id,
  SILENT: silent.id,
  OLD: old.id,
  SCREEN: screen.row.id,
  CLERK: clerk.id,
  SESSION: browserSessionId,
};
const withIds = (path: string) =>
  Object.entries(ids).reduce((text, [name, id]) => text.replaceAll(name, id), path);

/** Without what differs from run to run. */
const lasting = (text: string) =>
  Object.entries(ids)
    .reduce((shown, [name, id]) => shown.replaceAll(id, name), text)
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID')
    .replaceAll(idle.prefix, 'IDLE')
    .replaceAll(/csk_[a-z2-7]+(\.[\w-]+)?/g, 'csk_PREFIX')
    .replaceAll(/admin-\d+@/g, 'admin@')
    // Hours and days without a car or request, and the actions of the log, are alike.
    .replaceAll(
      /(row ".* 0 0 0( 0)?"\n)((row ".* 0 0 0( 0)?"\n)+)/g,
      (_, first: string, __, others: string) =>
        `${first}… and ${others.split('\n').length - 1} like it\n`,
    )
    .replaceAll(/(combobox "Action").*(\[(?!All).*\]).*/g, '$1 … $2 …')
    .replaceAll(/911 \d+/g, '911')
    .replaceAll(/take \d\d+ (bytes|KB)/g, 'take some bytes')
    .replaceAll(/#[\w-]{43}/g, '#TOKEN')
    .replaceAll(service.url, 'http://SERVICE');

/** To another page as by a link, which takes half the time of a load. */
const follow = (page: Page, path: string) =>
  page.evaluate(
    `history.pushState(null, '', '/dashboard/${path}'); dispatchEvent(new PopStateEvent('popstate'))`,
  );

/** A part of the page, what is open over it, or the page. */
async function read(page: Page, own = 'dialog[open]'): Promise<string> {
  for (const part of [own, '#content'])
    if ((await page.locator(part).count()) > 0) return textOf(page.locator(part).first());
  return textOf(page.locator('body'));
}

/** The title of the window, where it isn't the heading with the team. */
async function windowTitle(page: Page): Promise<string> {
  const [title, heading] = [await page.title(), await page.locator('h1').first().textContent()];
  return /^ · (First|Second)$/.test(title.replace(heading ?? '', '')) ? '' : `window ${title}\n`;
}

const file = 'texts/dashboard.txt';
const expected = new Set(
  readFileSync(join(import.meta.dirname, file), 'utf8')
    .split(/^(?=# )/m)
    .map((section) => section.trimEnd()),
);

/** After three that differ, the others are awaited for less; those that are stored have a while each. */
let differing = 0;
const isStored = () => Reflect.get(expect.getState().snapshotState, '_updateSnapshot') !== 'none';

/** A part of a page may come after the others: its text is taken when it is the expected one, or after a while. */
async function settled(page: Page, title: string, own?: string): Promise<string> {
  let text = '';
  const isExpected = async () => {
    text = `${title}\n${await windowTitle(page)}${lasting(await read(page, own))}`;
    return expected.has(text);
  };
  await expect
    .poll(isExpected, { timeout: isStored() ? 3_000 : differing < 3 ? 10_000 : 700 })
    .toBe(true)
    .catch(() => {
      differing += 1;
    });
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
      all: readonly Shown[],
    ) => {
      await page.clock.setFixedTime(now);
      const fits = async (width: number) => {
        await page.setViewportSize({ width, height: 800 });
        // A chart is drawn again after the page has its width.
        await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      };
      let isLoaded = false;
      for (const one of all) {
        const [path, step, take, part] = typeof one === 'string' ? [one] : one;
        if (isLoaded) await follow(page, withIds(path));
        else await dashboard.open(page, withIds(path));
        await loaded(page);
        await take?.(page);
        // What a step has begun, and a text after #, are of one load.
        isLoaded = !take && who !== 'nobody';
        const what = `${path.replace(/#.{43}/, '#TOKEN')}${step ? `, ${step}` : ''}`;
        texts.push(await settled(page, `# ${who}: ${what}`, part), '');
        await fits(320);
        await fits(1280);
        // A refusal of what there isn't is a note of the browser.
        const told = complaints
          .splice(0)
          .filter((text) => !path.includes('nope') || !/status of 4\d\d/.test(text));
        flaws.push(...told.map((text) => `${who}, ${path}: ${text}`));
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
    // The page joins the histories of at most 20 cars.
    for (let made = 0; made <= 20; made += 1) await make.car({ customerId: fleet.id });
    await see('staff', staff, [
      ['customers/FLEET', 'below the cars', async () => {}, '#content table ~ p'],
    ]);
    await see('screen', await dashboard.openSignedIn({ as: 'screen' }), ['board', 'cars']);
    await see(
      'admin of an empty team',
      await dashboard.openSignedIn({ team: 'second' }),
      ofNothing,
    );
    const { token } = await inviteAdmin(service);
    const { link: display } = await screenOf('Hall B');
    await see('nobody', await openDesk(), [
      ...['keys', 'forgotten', `link#${token}`, `link#${display.token}`, 'link#nope'],
    ]);
    expect(flaws).toEqual([]);
    await expect(texts.join('\n')).toMatchFileSnapshot(file);
  },
  forMany,
);
