/** What pages of the dashboard tell: names, times and numbers. */
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { auditActions } from '../../src/contract/dashboard/audit-actions.ts';
import { createKey, setQuota } from '../../src/service/admin.ts';
import { newId } from '../../src/service/records.ts';
import { heading, loaded, startDashboard } from '../helpers/dashboard-pages.ts';
import { facility } from '../helpers/facility.ts';

const dashboard = await startDashboard();
afterAll(() => dashboard.close());
const { service, make } = dashboard;

test('the average of the cars says since when it counts', async () => {
  const { page } = await dashboard.shared();
  await dashboard.open(page, 'occupancy');
  // Both cars came today; the 89 days before count for nothing.
  await page.getByText(/^2 on average since .*, most 2 on /).waitFor();
  expect(await page.getByRole('img', { name: 'on average since' }).count()).toBe(1);
});

test('plots name the time zone of their days: of the location that is chosen, else of the team', async () => {
  const own = await startDashboard();
  onTestFinished(() => own.service.close());
  const records = facility(own.service);
  const { id } = await records.location({ name: 'Far', timezone: 'Pacific/Kiritimati' });
  const { id: parkingZoneId } = await records.zone(id);
  await records.event((await records.car()).id, { parkingZoneId });
  const { page, complaints } = await own.openSignedIn();
  // 12:00 in UTC is 02:00 of the next day there.
  await page.clock.setFixedTime(new Date().toISOString().slice(0, 11).concat('12:00:00Z'));
  await own.open(page, 'occupancy?days=2&as=table');
  await page.getByText('Days and times are those of Europe/Berlin.').waitFor();
  await page.getByLabel('Location').selectOption('Far');
  await page.getByText('Days and times are those of Pacific/Kiritimati.').waitFor();
  const asked = page.waitForRequest((request) => request.url().includes('/team/occupancy'));
  await page.reload();
  // Its yesterday began at 10:00 of UTC's day before.
  expect(new URL((await asked).url()).searchParams.get('from')).toBe(
    `${new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)}T10:00:00.000Z`,
  );
  expect(page.url()).toContain(id);
  await own.open(page, 'usage');
  await loaded(page);
  expect(complaints).toEqual([]);
});

test('the hours of Today are those of the team, which may be half an hour off', async () => {
  const own = await startDashboard();
  onTestFinished(() => own.service.close());
  await own.service.admin.database.write
    .updateTable('teams')
    .set({ timezone: 'Asia/Kolkata' })
    .execute();
  const day = new Date().toISOString().slice(0, 10);
  // 10:10 and 10:40 there, of two hours in UTC.
  for (const time of ['04:40', '05:10'])
    await facility(own.service).appointment({
      title: `At ${time}`,
      startAt: `${day}T${time}:00Z`,
      endAt: `${day}T05:30:00Z`,
    });
  const { page } = await own.openSignedIn();
  await page.clock.setFixedTime(`${day}T04:00:00Z`);
  await own.open(page, 'today');
  await loaded(page);
  const hour = page.locator('.hour').filter({ hasText: 'At 04:40' });
  expect(await hour.locator('.plate').allInnerTexts()).toEqual(['At 04:40', 'At 05:10']);
  expect(await hour.getByRole('heading').allInnerTexts()).toEqual(['10:00']);
});

test('a link that is clicked twice is one step back', async () => {
  const { page } = await dashboard.shared();
  await dashboard.open(page, 'board');
  await heading(page, 'Board');
  await page.getByRole('link', { name: 'Cars' }).dblclick();
  await heading(page, 'Cars');
  await page.goBack();
  await heading(page, 'Board');
  expect(new URL(page.url()).pathname).toBe('/dashboard/board');
});

test('an empty facility has no numbers to look at, and a wall that says so', async () => {
  const { page, complaints } = await dashboard.shared({ team: 'second' });
  await dashboard.open(page, 'occupancy');
  await page.getByText('No cars in this time').waitFor();
  await setQuota(service.admin, 'second', 50_000_000_000);
  await dashboard.open(page, 'usage');
  await page.getByText('Photos and assets take 0 bytes of 50 GB.').waitFor();
  await page.getByText('No requests in this time').waitFor();
  await dashboard.open(page, 'board?wall');
  await page.getByText('No zones and spots yet').waitFor();
  await page.getByText('Nothing left to do today.').waitFor();
  await dashboard.open(page, `board?wall&location=${newId()}`);
  await page.getByText('No zones and spots at this location').waitFor();
  expect(complaints).toEqual([]);
});

test('a board of a location that does not exist says so, and offers those that do', async () => {
  const { page } = await dashboard.shared();
  await dashboard.open(page, 'board?location=nope');
  await page.getByText('No such location.').waitFor();
  expect(await page.getByText('0 of 0 spots').count()).toBe(0);
  await page.getByLabel('Location').selectOption('Harbour');
  await page.getByText('HH-7 73').waitFor();
});

test('the axis names years where there are several', async () => {
  const { page } = await dashboard.openSignedIn();
  // The texts of a canvas are seen where they are drawn.
  await page.addInitScript(`{
    window.drawn = [];
    const { fillText } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.fillText = function (text, ...rest) {
      window.drawn.push(text);
      return fillText.call(this, text, ...rest);
    };
  }`);
  const ticks = () => page.evaluate<string[]>('window.drawn.filter((text) => /[a-z]/i.test(text))');
  for (const [days, hasYears] of [
    [1095, true],
    [365, false],
  ] as const) {
    await dashboard.open(page, `occupancy?days=${days}`);
    await expect.poll(async () => (await ticks()).length).toBeGreaterThan(2);
    expect((await ticks()).map((text) => /20\d\d/.test(text))).not.toContain(!hasYears);
  }
});

test('the audit log goes on with what is older, also of the same time', async () => {
  const { read, write } = service.admin.database;
  const { id: teamId } = await read
    .selectFrom('teams')
    .select('id')
    .where('slug', '=', 'first')
    .executeTakeFirstOrThrow();
  const entry = {
    teamId,
    at: '2020-01-01T00:00:00.000Z',
    action: 'key.revoke',
    subject: null,
    details: null,
  };
  const names = Array.from({ length: 60 }, (_, at) => `admin:${at}@garage.example`);
  await write
    .insertInto('auditLog')
    .values(names.map((actor) => ({ ...entry, id: newId(), actor })))
    .execute();
  const { page } = await dashboard.shared();
  await dashboard.open(page, 'settings/audit?action=key.revoke');
  await loaded(page);
  const who = page.locator('td[data-title=Who]');
  const seen = await who.allTextContents();
  await page.getByRole('link', { name: 'Older' }).click();
  await page.getByRole('link', { name: 'Newest' }).waitFor();
  await expect.poll(() => who.count()).toBe(10);
  seen.push(...(await who.allTextContents()));
  expect(seen.sort()).toEqual(names.map((name) => name.replace('admin:', '')).sort());
});

test('the audit log can be narrowed to each action that it records', async () => {
  const { page } = await dashboard.shared();
  await dashboard.open(page, 'settings/audit');
  await loaded(page);
  const offered = page.getByLabel('Action').locator('option');
  expect(
    await offered.evaluateAll((options: { value: string }[]) => options.map(({ value }) => value)),
  ).toEqual(['', ...auditActions]);
  const titles = await offered.allTextContents();
  expect(new Set(titles).size).toBe(titles.length);
  await page.getByLabel('Action').selectOption('Password forgotten');
  await page.getByText('Nothing is recorded here').waitFor();
});

test('who made a key is told by the address alone, and a new link by its whole time', async () => {
  const { page, email } = await dashboard.shared();
  await dashboard.open(page, 'keys/new?preset=website');
  await page.getByLabel('Name').fill('Whose');
  await page.getByRole('button', { name: 'Create key', exact: true }).click();
  await page.getByText('Copy it now').waitFor();
  await dashboard.open(page, 'keys');
  await page.getByRole('link', { name: 'Whose' }).click();
  await page.getByText(new RegExp(`, ${email}$`)).waitFor();
  await dashboard.open(page, 'settings');
  await page.getByRole('button', { name: `New link for ${email}` }).click();
  await page.getByLabel(/^Link, works once, ends in 60 minutes$/).waitFor();
  expect(await page.getByText('admin:').count()).toBe(0);
});

test('a screen is said to stay signed in for as long as it does', async () => {
  const { page } = await dashboard.shared();
  await dashboard.open(page, 'settings/screens');
  await loaded(page);
  expect(await page.getByText('signed in for a year').textContent()).toContain(
    'unless it is off for 30 days',
  );
});

test('on a narrow phone, no name of records touches its checkbox', async () => {
  const { page } = await dashboard.shared({ width: 320 });
  await dashboard.open(page, 'keys/new');
  await loaded(page);
  const gaps = await page.evaluate<
    number[]
  >(`[...document.querySelectorAll('.grid tbody tr')].map((row) => {
    const words = document.createRange();
    words.selectNodeContents(row.querySelector('th'));
    return row.querySelector('input').getBoundingClientRect().left - words.getBoundingClientRect().right;
  })`);
  expect(gaps.length).toBeGreaterThan(5);
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(6);
});

test('a day that is none says so, and leads to today', async () => {
  const { page, complaints } = await dashboard.shared();
  await dashboard.open(page, 'today?date=2026-02-30');
  await heading(page, 'No such day');
  await page.getByText('“2026-02-30” is not a date').waitFor();
  await page.getByRole('link', { name: 'Go to today' }).click();
  await heading(page, 'Today');
  expect(complaints).toEqual([]);
});

test('only today is live; another day says when it was read', async () => {
  const { page } = await dashboard.shared();
  await dashboard.open(page, 'today');
  await page.getByText(/^live · /).waitFor();
  await page.getByRole('link', { name: 'The day after' }).click();
  await page.getByText(/^as of \d/).waitFor();
  expect(await page.getByText(/^live/).count()).toBe(0);
});

test('a day of another year has its year, and an empty one that is not today speaks of appointments alone', async () => {
  const { page, complaints } = await dashboard.shared({ team: 'second' });
  await dashboard.open(page, 'today?date=2199-01-01');
  await heading(page, /^Tuesday,? 1 January 2199$/);
  await page.getByText('No appointments.', { exact: true }).waitFor();
  await dashboard.open(page, 'today');
  await page.getByText('No appointments, nobody late, no photos missing.').waitFor();
  expect(complaints).toEqual([]);
});

test('a place has its location, since several have spots of one name', async () => {
  const { page, complaints } = await dashboard.shared();
  await dashboard.open(page, 'cars');
  for (const [plate, place] of [
    ['HH-7 73', /^A\d+, Harbour$/],
    ['HH-8 73', /^A\d+, Old Mill$/],
  ] as const)
    await page.getByRole('row').filter({ hasText: plate }).getByText(place).waitFor();
  await page.getByRole('link', { name: 'HH-8 73' }).click();
  await page.getByText(/^A\d+, Old Mill, since /).waitFor();
  expect(complaints).toEqual([]);
});

test('a key that was never used is not said to be silent', async () => {
  const { admin } = service;
  const scopes = ['read:cars'] as const;
  const { row: old } = await createKey(admin, { team: 'first', name: 'Idle', scopes });
  await createKey(admin, { team: 'first', name: 'Idle', scopes, replacesId: old.id });
  const { page } = await dashboard.shared();
  await dashboard.open(page, `keys/${old.id}`);
  await page
    .getByText('This key was never used. The new one was not used yet: give it to the program.')
    .waitFor();
  expect(await page.getByText('last used never').count()).toBe(0);
});

test('the bar of a phone marks More for the pages behind it', async () => {
  const { page } = await dashboard.shared({ width: 320 });
  const more = page.getByRole('button', { name: 'More' });
  for (const [path, isBehind] of [
    ['settings/audit', true],
    ['usage', true],
    ['keys', true],
    ['cars', false],
  ] as const) {
    await dashboard.open(page, path);
    await loaded(page);
    expect([path, await more.getAttribute('aria-current')]).toEqual([
      path,
      isBehind ? 'true' : null,
    ]);
  }
});

test('a car without photos is named by its make and model too', async () => {
  const car = await make.car({ licensePlate: 'HH-NP 1', make: 'Lancia', model: 'Fulvia' });
  const { id: parkingZoneId } = await make.zone((await make.location()).id);
  await make.event(car.id, { parkingZoneId });
  const { page } = await dashboard.shared();
  await dashboard.open(page, 'today');
  await page
    .getByRole('listitem')
    .filter({ hasText: 'HH-NP 1' })
    .getByText('Lancia Fulvia')
    .last()
    .waitFor();
});
