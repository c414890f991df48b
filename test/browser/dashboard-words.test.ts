/** What pages of the dashboard tell: names, times and numbers. */
import type { Locator } from 'playwright-core';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { newId } from '../../src/service/records.ts';
import { openDesk } from '../helpers/browser.ts';
import { inviteAdmin, password } from '../helpers/dashboard.ts';
import {
  givePassword,
  heading,
  loaded,
  loseNextAnswer,
  startDashboard,
} from '../helpers/dashboard-pages.ts';
import { facility } from '../helpers/facility.ts';
import { textOf } from '../helpers/page-text.ts';

const dashboard = await startDashboard();
afterAll(() => dashboard.close());
const { service } = dashboard;

/** What a walk comes by, as a text to compare; without times and addresses, which differ. */
function sights() {
  const texts: string[] = [];
  return {
    async see(state: string, part: Locator): Promise<void> {
      const text = (await textOf(part))
        .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID')
        .replaceAll(/admin-\d+@/g, 'admin@');
      texts.push(`# ${state}`, text, '');
    },
    areIn: (file: string) => expect(texts.join('\n')).toMatchFileSnapshot(file),
  };
}

test('the panel for a car says what is missing, what was left out, and where it can go', async () => {
  const own = await startDashboard();
  onTestFinished(() => own.service.close());
  const { make, service } = own;
  const { page } = await own.openSignedIn({ as: 'staff' });
  const { see, areIn } = sights();
  const panel = page.getByRole('dialog');
  const car = await make.car({ licensePlate: 'HH-ST 1', make: 'Lancia', model: 'Fulvia' });
  await own.open(page, `board?do=drop-off&car=${car.id}`);
  const place = panel.getByLabel('Place');
  await place.waitFor();
  // A group of options is in no text of a page.
  expect(
    await place.evaluate((field) =>
      [...field.querySelectorAll('optgroup')].map(({ label, children }) => [
        label,
        ...[...children].map(({ textContent }) => textContent),
      ]),
    ),
  ).toEqual([
    ['Hall A · Harbour', 'A1', 'A2', 'anywhere in Hall A'],
    ['Hall A · Old Mill', 'A1', 'A2', 'anywhere in Hall A'],
  ]);
  await panel.locator('input[type=file]').setInputFiles([
    { name: 'front.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('none') },
    { name: 'rear.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('nothing') },
  ]);
  await panel.getByText('rear.jpg', { exact: true }).waitFor();
  await see('two photos that no browser can show', panel);
  await panel.getByRole('button', { name: 'Leave out front.jpg' }).click();
  expect(await panel.locator('.photos li').allInnerTexts()).toEqual(['rear.jpg\nLeave out']);
  await own.open(page, 'board?places=Spots');
  await page.getByLabel('First spot').fill('A1');
  await see('a spot that exists already', page.locator('#content .card form'));
  await page.getByLabel('First spot').fill('Z1');
  await see('a new spot', page.locator('#content .card form'));
  for (const spot of await make.read('/parking/spots?available=true'))
    await make.change(`/parking/spots/${spot.id}`, { isActive: false });
  for (const zone of await make.read('/parking/zones'))
    await make.change(`/parking/zones/${zone.id}`, { isActive: false });
  await service.admin.database.write.updateTable('eventTypes').set({ isActive: false }).execute();
  await own.open(page, `board?do=drop-off&car=${car.id}`);
  await panel.getByText('No place is free.').waitFor();
  await see('no place and no type of event', panel);
  await own.open(page, 'board');
  await page.getByText('out of use').first().waitFor();
  const tile = (name: string) => page.locator('.tile').filter({ hasText: name }).first();
  // Its steps alone: a real drag may hang after others.
  await tile('HH-7 73').dispatchEvent('dragstart');
  await tile('A1 ').dispatchEvent('drop');
  await page.locator('.done .notice').waitFor();
  await see('a drag onto a spot out of use', page.locator('.done'));
  await areIn('texts/panel.txt');
});

test('a form says that it was stored, was refused, or waits for a session', async () => {
  const { page, context, email } = await dashboard.openSignedIn();
  const { see, areIn } = sights();
  const card = page.locator('#content .card').first();
  await dashboard.open(page, 'settings/password');
  await page.getByLabel('Current password').fill('another one');
  await page.getByLabel('New password').fill('a new long sentence');
  await page.getByLabel('The same again').fill('a new long sentence');
  const set = page.getByRole('button', { name: 'Set the password' });
  await set.click();
  await page.locator('.issue, [role=alert] p').first().waitFor();
  await see('a wrong password', card);
  await page.getByLabel('Current password').fill(password);
  await set.click();
  await page.getByText('The new password is set').waitFor();
  await see('a new password', card);
  await dashboard.open(page, 'keys/new?preset=website');
  await page.getByLabel('Name').fill('Lost');
  await loseNextAnswer(page, '**/team/keys');
  const create = page.getByRole('button', { name: 'Create key', exact: true });
  await create.click();
  await page.getByText("can't be reached").waitFor();
  await create.click();
  await page.getByText('shown before').waitFor();
  await see('a key whose answer was lost', card);
  await dashboard.open(page, 'keys/new?preset=website');
  await page.getByLabel('Name').fill('Website');
  const issues = ['name', 'expiresAt', 'scopes'].map((path) => ({ path, message: 'is refused' }));
  await page.route(
    '**/team/keys',
    (route) =>
      route.fulfill({
        status: 422,
        json: { error: 'Some fields are wrong', code: 'invalid', details: { issues } },
      }),
    { times: 1 },
  );
  await create.click();
  await expect
    .poll(() => page.locator('.issue').allInnerTexts())
    .toEqual(['Name: is refused.', 'Expires: is refused.', 'Scopes: is refused.']);
  await create.click();
  const copy = page.getByRole('button', { name: 'Copy' });
  await page.evaluate(
    "Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText: async (text) => { window.copied = text; } } })",
  );
  await copy.click();
  await page.getByText('Copied.', { exact: true }).waitFor();
  expect(await page.evaluate('window.copied')).toBe(
    await page.getByLabel('Key “Website”').inputValue(),
  );
  // Over plain http there is none.
  await page.evaluate(
    "Object.defineProperty(navigator, 'clipboard', { configurable: true, value: undefined })",
  );
  await copy.click();
  await page
    .getByText('The text is selected: press Ctrl-C (⌘C on a Mac).', { exact: true })
    .waitFor();
  expect(await page.evaluate('String(getSelection())')).toMatch(/^csk_/);
  const [question] = await Promise.all([
    page.waitForEvent('dialog').then(async (dialog) => {
      await dialog.dismiss();
      return dialog.message();
    }),
    page.getByRole('link', { name: 'Cars' }).click(),
  ]);
  expect(question).toBe("The key won't be shown again. Leave without storing it?");
  expect(new URL(page.url()).pathname).toBe('/dashboard/keys/new');
  await page.getByLabel('I have stored it').check();
  await page.getByRole('button', { name: 'Done' }).click();
  await heading(page, 'Keys');
  await dashboard.open(page, 'settings/screens');
  await page.getByLabel('Name').fill('Wall');
  await context.clearCookies();
  await page.getByRole('button', { name: 'Make the link' }).click();
  await page.getByRole('dialog').waitFor();
  await see('a session that has ended', page.getByRole('dialog'));
  const second = await inviteAdmin(service, 'second', { email });
  const other = await openDesk();
  await dashboard.open(other.page, `link#${second.token}`);
  await givePassword(other.page, 'a new long sentence');
  await heading(other.page, 'Board');
  await other.context.clearCookies();
  await dashboard.open(other.page, 'keys');
  await other.page.getByLabel('E-mail').fill(email);
  await other.page.getByLabel('Password').fill('a new long sentence');
  await other.page.getByRole('button', { name: 'Sign in' }).click();
  await other.page.getByText('Which team?').waitFor();
  await see('an account of two teams', other.page.locator('form'));
  await other.page.getByLabel('Second').check();
  await other.page.getByRole('button', { name: 'Go on' }).click();
  await heading(other.page, 'Keys');
  expect(await other.page.title()).toBe('Keys · Second');
  await areIn('texts/forms.txt');
});

test('a list that can not be read says why and since when, and is read again; the first Tab leads past the menu', async () => {
  const { page } = await dashboard.shared();
  const refuse = () =>
    page.route('**/api/v1/cars?*', (route) =>
      route.fulfill({
        status: 503,
        json: { error: 'Too busy', code: 'unavailable', details: null },
      }),
    );
  await refuse();
  await dashboard.open(page, 'cars');
  await page.getByRole('alert').getByText('Too busy.', { exact: true }).waitFor();
  await page.unroute('**/api/v1/cars?*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('HH-7 73').waitFor();
  await refuse();
  await dashboard.make.car({ licensePlate: 'HH-LATER 1' });
  await page.getByText(/^Not updated since \d\d:\d\d:\d\d: Too busy\.$/).waitFor();
  expect(await page.getByText('HH-7 73').isVisible()).toBe(true);
  await page.unroute('**/api/v1/cars?*');
  await page.getByText('HH-LATER 1').waitFor();
  expect(await page.getByText('Not updated').count()).toBe(0);
  await page.reload();
  await loaded(page);
  await page.keyboard.press('Tab');
  const focused = (what: string) => page.evaluate(`document.activeElement.${what}`);
  expect(await focused('textContent')).toBe('Skip to the content');
  await page.keyboard.press('Enter');
  await expect.poll(() => focused('id')).toBe('content');
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
