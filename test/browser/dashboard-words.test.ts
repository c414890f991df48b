/** What pages of the dashboard tell: names, times and numbers. */
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { newId } from '../../src/service/records.ts';
import { heading, loaded, startDashboard } from '../helpers/dashboard-pages.ts';
import { facility } from '../helpers/facility.ts';

const dashboard = await startDashboard();
afterAll(() => dashboard.close());
const { service } = dashboard;

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
  await own.open(page, 'occupancy?days=2&as=table&location=nope');
  await page.getByText('No such location').waitFor();
  await page.getByLabel('Location').selectOption('Far');
  await page.route('**/plot-*.js', (route) => route.abort());
  await page.getByRole('link', { name: 'Show as plot' }).click();
  await page
    .getByText("The plot couldn't be loaded. Show the table, or reload the page.")
    .first()
    .waitFor();
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
