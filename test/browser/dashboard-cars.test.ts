/** Cars with their photos, in the dashboard's pages. */

import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { afterAll, describe, expect, test } from 'vitest';
import { heicPhoto } from '../cli/commands/photos/photo-bytes.ts';
import { heading, loaded, startDashboard } from '../helpers/dashboard-pages.ts';

const dashboard = await startDashboard();
afterAll(() => dashboard.close());
const { make } = dashboard;

const large = (background: string) =>
  sharp({ create: { width: 4000, height: 3000, channels: 3, background } })
    .jpeg()
    .toBuffer()
    .then((bytes) => bytes.toString('base64'));

describe('the gallery of a car', () => {
  test('opens photos large, goes on with the keyboard, and closes', async () => {
    const car = await make.car({ licensePlate: 'HH-PH 1' });
    const { sessionId } = await make.event(car.id, {
      activityType: 'drop_off',
      parkingZoneId: (await make.zone((await make.location()).id)).id,
    });
    for (const color of ['#a00', '#0a0', '#00a'])
      await make.photo(car.id, { sessionId, base64: await large(color) });
    const heic = await make.photo(car.id, {
      sessionId,
      base64: heicPhoto({ width: 40, height: 30 }).toString('base64'),
      filename: 'IMG_1.HEIC',
    });
    const opened = await dashboard.shared();
    const { page } = opened;
    await dashboard.open(page, 'cars');
    await page.getByRole('searchbox').fill('HH-PH');
    const row = page.getByRole('row').filter({ hasText: 'HH-PH 1' });
    expect(
      await row
        .locator('img')
        .evaluate((image) =>
          (image as unknown as { decode(): Promise<void> }).decode().then(() => 'seen'),
        ),
    ).toBe('seen');
    await row.getByRole('link').first().click();
    await heading(page, 'HH-PH 1');
    const tiles = page.locator('.photos img');
    expect(await tiles.count()).toBe(3);
    await tiles.first().click();
    await page.waitForFunction("document.activeElement.getAttribute('aria-label') === 'Close'");
    const dialog = page.getByRole('dialog');
    const picture = dialog.getByRole('img');
    const width = () =>
      picture.evaluate(async (image) => {
        const shown = image as unknown as { decode(): Promise<void>; naturalWidth: number };
        await shown.decode();
        return shown.naturalWidth;
      });
    expect(await width()).toBe(1280);
    const alt = /^HH-PH 1, .*Drop-off, photo 1 of 4$/;
    expect(await picture.getAttribute('alt')).toMatch(alt);
    expect(await dialog.getByRole('button', { name: 'Previous photo' }).isDisabled()).toBe(true);
    await page.keyboard.press('ArrowRight');
    await page.getByRole('heading', { name: /photo 2 of 4/ }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: /photo 2 of 4/ }).waitFor();
    await dialog.getByRole('button', { name: 'Next photo' }).click();
    await dialog.getByRole('button', { name: 'Next photo' }).click();
    await dialog.getByText('HEIC: download the original to see it.').waitFor();
    const download = page.waitForEvent('download');
    await dialog.getByRole('link', { name: 'Download' }).click();
    expect((await download).suggestedFilename()).toBe('IMG_1.HEIC');
    expect(heic.contentType).toBe('image/heic');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'HEIC: open the original' }).waitFor();
    expect(new URL(page.url()).search).toBe('');
    expect(opened.complaints).toEqual([]);
  });

  test('moves with the arrows wherever the focus is, and gives the focus back to the photo that was opened', async () => {
    const car = await make.car({ licensePlate: 'HH-PH 2' });
    const { sessionId } = await make.event(car.id, {
      parkingZoneId: (await make.zone((await make.location()).id)).id,
    });
    for (const color of ['#a00', '#0a0', '#00a'])
      await make.photo(car.id, { sessionId, base64: await large(color) });
    const opened = await dashboard.shared();
    const { page } = opened;
    await dashboard.open(page, `cars/${car.id}`);
    await loaded(page);
    const tile = page.locator('.photos a').nth(1);
    await tile.focus();
    await page.keyboard.press('Enter');
    const photo = (number: number) =>
      page.getByRole('heading', { name: new RegExp(`photo ${number} of 3`) }).waitFor();
    await photo(2);
    const next = page.getByRole('button', { name: 'Next photo' });
    await next.focus();
    await page.keyboard.press('Enter');
    await photo(3);
    // At the end the button keeps the focus.
    await expect
      .poll(() => next.evaluate((button) => button === button.ownerDocument.activeElement))
      .toBe(true);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowLeft');
    await photo(2);
    await page.getByRole('dialog').getByRole('img').click();
    await page.keyboard.press('ArrowLeft');
    await photo(1);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect
      .poll(() => tile.evaluate((link) => link === link.ownerDocument.activeElement))
      .toBe(true);
    expect(opened.complaints).toEqual([]);
  });

  test('of a phone is swiped through', async () => {
    const { carId } = dashboard;
    await make.photo(carId);
    const { page } = await dashboard.shared({ width: 320 });
    await dashboard.open(page, `cars/${carId}`);
    await loaded(page);
    await page.locator('.photos img').first().click();
    await page.getByRole('dialog').getByRole('img').waitFor();
    const before = await page.getByRole('dialog').getByRole('heading').textContent();
    const swipe = (from: number, to: number) =>
      page.evaluate(`{
        const element = document.querySelector('.picture');
        const touch = (clientX) => [new Touch({ identifier: 1, target: element, clientX, clientY: 200 })];
        element.dispatchEvent(new TouchEvent('touchstart', { bubbles: true, changedTouches: touch(${from}) }));
        element.dispatchEvent(new TouchEvent('touchend', { bubbles: true, changedTouches: touch(${to}) }));
      }`);
    await swipe(250, 60);
    await expect
      .poll(() => page.getByRole('dialog').getByRole('heading').textContent())
      .not.toBe(before);
    await swipe(60, 250);
    await expect
      .poll(() => page.getByRole('dialog').getByRole('heading').textContent())
      .toBe(before);
  });
});

describe('the list of cars', () => {
  test('is where it was left after Back, with what was searched', async () => {
    for (let at = 1; at <= 120; at++)
      await make.car({ licensePlate: `HH-BK ${at}`, make: 'Backward' });
    const { page, complaints } = await dashboard.shared();
    await dashboard.open(page, 'cars');
    const box = page.getByRole('searchbox');
    await box.fill('Backward');
    await page.getByText('120 cars').waitFor();
    await page.getByRole('link', { name: 'Show more' }).waitFor();
    // Far enough that it was added while scrolling.
    const rows = page.getByRole('link', { name: /HH-BK/ });
    await expect
      .poll(async () => {
        await page.mouse.wheel(0, 4_000);
        return rows.count();
      })
      .toBe(120);
    await rows.last().scrollIntoViewIfNeeded();
    const position = await page.evaluate<number>('scrollY');
    expect(position).toBeGreaterThan(500);
    await rows.last().click();
    await heading(page, /HH-BK/);
    expect(await page.evaluate('scrollY')).toBe(0);
    await page.goBack();
    await expect.poll(() => page.evaluate('scrollY')).toBe(position);
    expect(await box.inputValue()).toBe('Backward');
    // And where another choice on the same page was shorter.
    await page.getByLabel('Status').selectOption('archived');
    await page.getByText('No car matches').waitFor();
    await page.goBack();
    await expect.poll(() => page.evaluate('scrollY')).toBe(position);
    // The menu opens all cars, and the box doesn't keep what is no longer searched.
    await page.getByRole('link', { name: 'Cars', exact: true }).click();
    await expect.poll(() => box.inputValue()).toBe('');
    await page.goBack();
    await expect.poll(() => box.inputValue()).toBe('Backward');
    expect(complaints).toEqual([]);
  });

  test('finds cars by their owner, filters and sorts them, and writes what is shown as CSV', async () => {
    const owner = { firstName: 'Mary', lastName: 'Somerville', phone: '+44 20 7946 0018' };
    const { id: customerId } = await make.customer({ ...owner, email: 'mary@garage.example' });
    const { id: locationId } = await make.location({ name: 'Quay' });
    const { id: zoneId } = await make.zone(locationId, { name: '=Deck' });
    const one = await make.car({ licensePlate: 'HH-OW 1', customerId });
    await make.event(one.id, { parkingZoneId: zoneId, notes: 'Came first.' });
    await make.photo(one.id);
    await make.appointment({
      carId: one.id,
      startAt: '2090-01-01T10:00:00Z',
      endAt: '2090-01-01T11:00:00Z',
    });
    await make.car({ licensePlate: 'HH-OW 2', customerId, status: 'archived' });
    await make.car({ licensePlate: 'HH-OW 10', nickname: '=Somerville’s' });
    const { page, complaints } = await dashboard.shared({ as: 'staff' });
    await dashboard.open(page, 'cars?q=somervil');
    const plates = () => page.getByRole('link', { name: /HH-/ }).allInnerTexts();
    await expect.poll(plates).toEqual(['HH-OW 1', 'HH-OW 2', 'HH-OW 10']);
    const head = page.getByRole('columnheader', { name: 'Plate' });
    await head.getByRole('link').click();
    await head.getByRole('link').click();
    await expect.poll(plates).toEqual(['HH-OW 10', 'HH-OW 2', 'HH-OW 1']);
    expect(await head.getAttribute('aria-sort')).toBe('descending');
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'CSV' }).click();
    const lines = (await readFile(await (await download).path(), 'utf8')).split('\r\n');
    expect([lines.length, lines[0], lines[3]]).toEqual([
      5,
      '"Plate","Car","Owner","Place","Status"',
      // No formula for a spreadsheet.
      expect.stringMatching(/^"HH-OW 1",".*","Mary Somerville","'=Deck, Quay","stored"$/),
    ]);
    // Whoever has no owner comes last.
    await page.getByRole('columnheader', { name: 'Owner' }).getByRole('link').click();
    await expect.poll(plates).toEqual(['HH-OW 1', 'HH-OW 2', 'HH-OW 10']);
    await page.getByLabel('Location').selectOption({ label: 'Quay' });
    await expect.poll(plates).toEqual(['HH-OW 1']);
    await page.getByLabel('Photos').selectOption('none');
    await page.getByText('No car matches').waitFor();
    await page.getByLabel('Location').selectOption('');
    await page.getByLabel('Status').selectOption('archived');
    await expect.poll(plates).toEqual(['HH-OW 2']);
    // The owner has a page.
    await page.getByRole('link', { name: 'Mary Somerville' }).click();
    await heading(page, 'Mary Somerville');
    expect(await page.getByRole('link', { name: owner.phone }).first().getAttribute('href')).toBe(
      'tel:+442079460018',
    );
    await page.getByRole('link', { name: 'mary@garage.example' }).waitFor();
    await page.getByRole('row', { name: /HH-OW 2/ }).waitFor();
    await page.getByText(/1 Jan 2090, /).waitFor();
    await page.getByText(/, Quay · Came first\./).waitFor();
    expect(complaints).toEqual([]);
  });
});

test('one search opens plates, names, spots, keys and pages from the keyboard, by a part of them', async () => {
  const { id: locationId } = await make.location({ name: 'Findable' });
  await make.spot(locationId, { name: 'F77' });
  const { id: customerId } = await make.customer({
    firstName: 'Émilie',
    lastName: 'du Châtelet',
  });
  await make.car({ licensePlate: 'FI-ND 9081', customerId });
  const { page, complaints } = await dashboard.shared();
  await dashboard.open(page, 'today');
  await loaded(page);
  const find = async (typed: string, key = '/') => {
    await page.keyboard.press(key);
    await page.getByRole('combobox', { name: /^Plate, name/ }).waitFor();
    await page.keyboard.type(typed);
    await page.locator('[role=option]').first().waitFor();
  };
  await find('908');
  await page.keyboard.press('Enter');
  await heading(page, 'FI-ND 9081');
  await find('châtelet émi', 'Control+k');
  await page.keyboard.press('Enter');
  await heading(page, 'Émilie du Châtelet');
  await find('f77');
  await page.keyboard.press('Enter');
  await heading(page, 'Board');
  await page.getByRole('link', { name: 'free: drop off in F77' }).waitFor();
  expect(await page.locator('.tile').count()).toBe(1);
  // Arrows go on to the next one, and Escape gives the focus back.
  await find('e');
  await page.keyboard.press('ArrowDown');
  await expect
    .poll(() => page.locator('[role=option][aria-selected=true]').evaluate((one) => one.id))
    .toMatch(/-1$/);
  await page.keyboard.press('Escape');
  await page.getByRole('combobox', { name: /^Plate, name/ }).waitFor({ state: 'detached' });
  await find('usag');
  await page.getByRole('option', { name: /Usage/ }).click();
  await heading(page, 'Usage');
  expect(complaints).toEqual([]);
});

test('the sheet to print: as `cs report` writes it, alone and beside the visit before', async () => {
  const markup = '<img src=x onerror=alert(1)>';
  const owner = await make.customer({ firstName: markup, lastName: 'Lee' });
  const car = await make.car({ licensePlate: 'HH-SH 1', customerId: owner.id });
  const site = await make.location({ name: 'Pier', timezone: 'Asia/Tokyo' });
  const { id: parkingZoneId } = await make.zone(site.id, { name: 'Deck' });
  for (const [occurredAt, colour] of [
    ['2026-03-01T23:30:00Z', '#a00'],
    ['2026-03-03T08:00:00Z', '#00a'],
  ] as const) {
    const given = { activityType: 'drop_off', parkingZoneId, occurredAt };
    const { sessionId } = await make.event(car.id, given);
    const base64 = await large(colour);
    await make.photo(car.id, { sessionId, base64, filename: 'front.jpg' });
  }
  const opened = await dashboard.shared({ as: 'staff' });
  await dashboard.open(opened.page, `cars/${car.id}`);
  const [page] = await Promise.all([
    opened.page.context().waitForEvent('page'),
    opened.page.getByRole('link', { name: 'Print sheet' }).click(),
  ]);
  const text = async () => (await page.innerText('body')).replaceAll(/\s+/g, ' ');
  const pictures = () =>
    page.$$eval('img', (all) => all.map((one) => 'naturalWidth' in one && one.naturalWidth));
  await page.waitForLoadState();
  for (const part of ['Pier', `Owner ${markup} Lee`, 'Drop-off, 2026-03-03 17:00', 'Deck · Pier'])
    expect(await text()).toContain(part);
  expect(await text()).not.toContain('2026-03-02');
  expect(await pictures()).toEqual([1280]);
  await page.getByRole('link', { name: 'Beside the visit before' }).click();
  await page.waitForLoadState();
  expect(await text()).toContain('Drop-off, 2026-03-02 08:30');
  expect(await pictures()).toEqual([1280, 1280]);
  await page.emulateMedia({ media: 'print' });
  expect(await page.locator('nav').isVisible()).toBe(false);
  expect(opened.complaints).toEqual([]);
});
