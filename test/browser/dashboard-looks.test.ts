/** Every page of the dashboard in light and dark, wide and narrow: accessible, not wider than its window, without a complaint. */

import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { createKey, inTeam } from '../../src/service/admin.ts';
import { addAdmin, addScreen } from '../../src/service/team/accounts.ts';
import { openDesk } from '../helpers/browser.ts';
import { inviteAdmin } from '../helpers/dashboard.ts';
import {
  everyPage,
  everyPanel,
  heading,
  loaded,
  setNoon,
  startDashboard,
} from '../helpers/dashboard-pages.ts';
import { facility, inHours } from '../helpers/facility.ts';
import { forMany, offenders } from '../helpers/offenders.ts';

const dashboard = await startDashboard();
await setNoon(dashboard);
afterAll(() => dashboard.close());
const { service, make } = dashboard;

/** As long as a name may be, without a space. */
const longName = 'W'.repeat(255);

/** Records with long names on every page. Returns the car. */
async function addLongNames(): Promise<string> {
  const { id: locationId } = await make.location({ name: longName });
  const { id: zoneId } = await make.zone(locationId, { name: longName });
  const spot = await make.spot(locationId, { zoneId, name: longName });
  const { id: customerId } = await make.customer({
    firstName: longName.slice(0, 100),
    lastName: longName.slice(0, 100),
  });
  const named = { make: longName.slice(0, 100), model: longName.slice(0, 100), customerId };
  const { id: car } = await make.car(named);
  // It can be dropped off.
  await make.car(named);
  const { sessionId } = await make.event(car, { parkingSpotId: spot.id, notes: longName });
  await make.photo(car, { sessionId });
  await make.appointment({ startAt: inHours(-1), endAt: inHours(1), carId: car, customerId });
  await inTeam(service.admin, 'first', async (context) => {
    await addAdmin(context, 'test', { email: 'long@garage.example', name: longName });
    await addScreen(context, 'test', longName);
  });
  const { key } = await createKey(service.admin, {
    team: 'first',
    name: longName,
    scopes: ['read:cars'],
  });
  await service.call('GET', '/cars', undefined, key);
  return car;
}
const carId = await addLongNames();

/** Without a scheme, the width alone is looked at. */
const looks = [
  { colorScheme: 'dark', width: 1280 },
  { width: 768 },
  { colorScheme: 'light', width: 320 },
] as const;

/** Short words that are broken in two, as a long one beside them may do, and panels that are wider than their window. */
const brokenWords = `(() => {
  const found = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  while (texts.nextNode()) {
    const { data } = texts.currentNode;
    for (const { 0: word, index } of data.matchAll(/(?<!\\S)\\p{L}{2,9}(?!\\S)/gu)) {
      range.setStart(texts.currentNode, index);
      range.setEnd(texts.currentNode, index + word.length);
      const [first, ...others] = range.getClientRects();
      if (others.some(({ top }) => top > first.top + 2)) found.push('broken word ' + word);
    }
  }
  for (const dialog of document.querySelectorAll('dialog[open]'))
    if (dialog.scrollWidth > dialog.clientWidth) found.push('too wide: ' + dialog.textContent.slice(0, 40));
  return [...new Set(found)];
})()`;

/** In three quarters of the time: it collects only what is wrong, and reads no style sheet or medium again, for which no rule here asks. */
const quickly = `axe.run({ resultTypes: ['violations'], preload: false })`;

/** What axe finds wrong on the page in each look, and where the page is wider than its window. */
async function flaws(page: Page): Promise<string[]> {
  await loaded(page);
  // As text: the policy of the page refuses a script of another file.
  await page.evaluate(axe.source);
  const found: string[] = [];
  for (const { width, ...look } of looks) {
    await page.setViewportSize({ width, height: 800 });
    // A chart is drawn again after the page has a new width.
    await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    for (const flaw of await page.evaluate<string[]>(brokenWords)) found.push(`${width}: ${flaw}`);
    if (!('colorScheme' in look)) continue;
    await page.emulateMedia(look);
    const { violations } = (await page.evaluate(quickly)) as {
      violations: { id: string; nodes: { html: string }[] }[];
    };
    found.push(
      ...violations.map(({ id, nodes }) => `${look.colorScheme} ${width}: ${id} ${nodes[0]?.html}`),
    );
  }
  return found;
}

describe('an admin sees', () => {
  test(
    'every page',
    async () => {
      const idOf = async (list: 'apiKeys' | 'carPhotos' | 'customers' | 'appointments') =>
        (
          await service.admin.database.read
            .selectFrom(list)
            .select('id')
            .orderBy('createdAt', 'desc')
            .executeTakeFirstOrThrow()
        ).id;
      const { page, complaints } = await dashboard.shared();
      const found = await offenders(
        [...everyPage, ...everyPanel].map((name) => ({ name })),
        async ({ name }) => {
          await dashboard.open(
            page,
            name
              .replaceAll('CAR', carId)
              .replace('CUSTOMER', await idOf('customers'))
              .replace('APPOINTMENT', await idOf('appointments'))
              .replace('KEY', await idOf('apiKeys'))
              .replace('PHOTO', await idOf('carPhotos')),
          );
          expect([...(await flaws(page)), ...complaints.splice(0)]).toEqual([]);
        },
      );
      expect(found).toEqual([]);
    },
    forMany,
  );

  test('the new key, shown once', async () => {
    const opened = await dashboard.shared();
    await dashboard.open(opened.page, 'keys/new?preset=website');
    await opened.page.getByLabel('Name').fill('Shown once');
    await opened.page.getByRole('button', { name: 'Create key', exact: true }).click();
    await opened.page.getByText('Copy it now').waitFor();
    expect(await flaws(opened.page)).toEqual([]);
    expect(opened.complaints).toEqual([]);
  });

  test('the strip while the integration is off, and the menu of a phone', async () => {
    const opened = await dashboard.shared({ width: 320 });
    const { page } = opened;
    await dashboard.open(page, 'keys?do=turn-off');
    await page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click();
    await page.getByText('Integration is off:').waitFor();
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('link', { name: 'Usage' }).waitFor();
    expect(await flaws(page)).toEqual([]);
    await page.getByRole('button', { name: 'Turn on' }).click();
    await page.getByText('Integration is off:').waitFor({ state: 'detached' });
    expect((await service.call('GET', '/me')).status).toBe(200);
    expect(opened.complaints).toEqual([]);
  });
});

test('a phone number beside a name in Arabic letters is read from its country code on', async () => {
  const { id: customerId } = await make.customer({
    firstName: 'محمد',
    lastName: 'عبد الرحمن',
    phone: '+966 50 123 4567',
  });
  const { id: car } = await make.car({ customerId });
  await make.appointment({ startAt: inHours(-1), endAt: inHours(1), carId: car });
  const { page } = await dashboard.shared();
  await dashboard.open(page, 'today');
  const link = page.getByRole('link', { name: '+966 50 123 4567' });
  await link.waitFor();
  const [first, last] = await page.evaluate<[number, number]>(`(() => {
      const { firstChild } = document.querySelector('[href^="tel:+966"]');
      const range = document.createRange();
      return [0, firstChild.length - 1].map((at) => {
        range.setStart(firstChild, at);
        range.setEnd(firstChild, at + 1);
        return range.getBoundingClientRect().left;
      });
    })()`);
  expect(first).toBeLessThan(last);
});

test('the menu of a phone opens and closes with the keyboard, and closes with a tap beside it', async () => {
  const { page } = await dashboard.shared({ width: 320 });
  await dashboard.open(page, 'board');
  await loaded(page);
  const more = page.getByRole('button', { name: 'More' });
  const entry = page.getByRole('link', { name: 'Occupancy' });
  const focused = () => page.evaluate<string>('document.activeElement.textContent');
  await more.focus();
  await page.keyboard.press('Enter');
  await entry.waitFor();
  await expect
    .poll(async () => [await focused(), await more.getAttribute('aria-expanded')])
    .toEqual(['Occupancy', 'true']);
  await page.keyboard.press('Escape');
  await entry.waitFor({ state: 'hidden' });
  await expect
    .poll(async () => [await focused(), await more.getAttribute('aria-expanded')])
    .toEqual(['More', 'false']);
  await more.click();
  await entry.waitFor();
  await page.getByRole('heading', { level: 1 }).click();
  await entry.waitFor({ state: 'hidden' });
  await more.click();
  await page.getByRole('link', { name: 'Usage' }).click();
  await heading(page, 'Usage');
  await entry.waitFor({ state: 'hidden' });
});

test.each(['sign-in', 'forgotten', 'link'])('nobody signed in sees %s', async (path) => {
  const opened = await openDesk();
  const { token } = await inviteAdmin(service);
  await dashboard.open(opened.page, path === 'link' ? `link#${token}` : path);
  expect(await flaws(opened.page)).toEqual([]);
  expect(opened.complaints).toEqual([]);
});

test('the board prints a page for each location of a hundred spots, and no key is printed', async () => {
  const own = await startDashboard();
  onTestFinished(() => own.service.close());
  // Of a hundred spots each.
  const records = facility(own.service);
  const { data: zones } = (await own.service.call('GET', '/parking/zones')).body;
  for (const { id: zoneId, locationId } of zones)
    for (let spot = 1; spot <= 97; spot++)
      await records.spot(locationId, { zoneId, name: `B${spot}` });
  const { page } = await own.openSignedIn();
  await own.open(page, 'board');
  await page.getByText('HH-7 73').waitFor();
  const pdf = (await page.pdf({ format: 'A4' })).toString('latin1');
  expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(2);
  const lines = page.getByText(/^First · as of /);
  expect(await lines.first().isVisible()).toBe(false);
  await page.emulateMedia({ media: 'print' });
  expect(await lines.filter({ visible: true }).allTextContents()).toEqual(
    [1, 2].map(() =>
      expect.stringMatching(/^First · as of \d+ \w+ 20\d\d, \d\d:\d\d · 1 of 100 spots taken$/),
    ),
  );
  await page.emulateMedia({ media: 'screen' });
  await own.open(page, 'keys');
  await loaded(page);
  await page.emulateMedia({ media: 'print' });
  expect(await page.getByText(/^csk_/).first().isVisible()).toBe(false);
  expect(
    await page
      .getByRole('columnheader', { name: 'Key', exact: true, includeHidden: true })
      .isVisible(),
  ).toBe(false);
  expect(await page.getByRole('navigation').isVisible()).toBe(false);
  await page.emulateMedia({ media: 'screen' });
  expect(await page.getByText(/^csk_/).first().isVisible()).toBe(true);
});
