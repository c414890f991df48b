/** The dashboard with 3 locations, 8 zones, 300 spots, 200 cars, 500 appointments, 60 keys and 30 days of use. */
import { afterAll, expect, test } from 'vitest';
import { loaded, type SignedIn, startDashboard } from '../helpers/dashboard-pages.ts';
import { png } from '../helpers/facility.ts';

const dashboard = await startDashboard({ isLarge: true });
afterAll(() => dashboard.close());
const { make } = dashboard;

/** Of two visits with photos. */
const [{ id: carId }] = await make.read('/cars?q=HH-V%20199');
const [{ id: parkingSpotId }] = await make.read('/parking/spots?available=true');
for (const seed of [1, 2]) {
  const { sessionId } = await make.event(carId, { parkingSpotId });
  await make.photo(carId, { sessionId, base64: png(seed).toString('base64') });
  if (seed === 1) await make.event(carId, { activityType: 'pick_up' });
}

async function open(path: string, options: { readonly width?: number } = {}): Promise<SignedIn> {
  const opened = await dashboard.shared(options);
  await dashboard.open(opened.page, path);
  await loaded(opened.page);
  return opened;
}

test('the board is narrowed to a location, to what is free and to a plate, and folds its zones', async () => {
  const { page, complaints } = await open('board');
  const tiles = page.locator('.tile');
  await page.getByText('180 of 300 spots taken').waitFor();
  expect(await tiles.count()).toBe(300);
  await page.getByRole('button', { name: 'Free only' }).click();
  await expect.poll(() => tiles.count()).toBe(120);
  await page.getByLabel('Location').selectOption({ label: 'Airport' });
  await page.getByText('44 of 74 spots taken').first().waitFor();
  await expect.poll(() => tiles.count()).toBe(30);
  await page.getByRole('button', { name: 'Free only' }).click();
  await page.getByRole('searchbox').fill('v106');
  await expect.poll(() => tiles.allInnerTexts()).toEqual([expect.stringMatching(/HH-V 106/)]);
  await page.getByRole('searchbox').fill('');
  await expect.poll(() => tiles.count()).toBe(74);
  const deck = page.locator('details.zone').first();
  await deck.locator('summary').click();
  await page.reload();
  await loaded(page);
  await expect
    .poll(async () => [
      await deck.getAttribute('open'),
      await tiles.filter({ visible: true }).count(),
    ])
    .toEqual([null, 37]);
  // What is searched is shown, also where it is folded.
  await page.getByRole('searchbox').fill('v106');
  await expect.poll(() => tiles.filter({ visible: true }).count()).toBe(1);
  await page.getByRole('searchbox').fill('');
  await page.getByLabel('Location').selectOption('');
  await page.getByLabel('Go to').selectOption({ label: 'Old Mill · Yard' });
  await expect.poll(() => page.evaluate('scrollY')).toBeGreaterThan(0);
  expect(complaints).toEqual([]);
});

test('today comes by the hour, each under its heading', async () => {
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  const { page, complaints } = await open(`today?date=${tomorrow}`);
  const hours = await page
    .locator('.hour')
    .evaluateAll(
      (all: { innerText: string; querySelector(name: string): { textContent: string } }[]) =>
        all.map((one) => [
          one.querySelector('h3').textContent,
          [...new Set(one.innerText.match(/^\d\d:\d\d/gm))],
        ]),
    );
  expect(hours.length).toBeGreaterThan(5);
  expect(hours).toEqual(hours.map(([hour]) => [hour, [hour]]));
  expect(hours.map(([hour]) => hour)).toEqual(hours.map(([hour]) => hour).toSorted());
  expect(complaints).toEqual([]);
});

test('two visits are compared side by side', async () => {
  const { page, complaints } = await open(`cars/${carId}`);
  await page.getByRole('link', { name: 'Compare two visits…' }).click();
  const sides = page.locator('.compare > div');
  const photos = () =>
    sides.evaluateAll((all: { querySelector(name: string): { src: string } }[]) =>
      all.map((one) => one.querySelector('img').src),
    );
  const [before, after] = await photos();
  expect(after).not.toBe(before);
  await page.getByLabel('Before').selectOption({ index: 0 });
  await expect.poll(photos).toEqual([after, after]);
  await page.reload();
  await expect.poll(photos).toEqual([after, after]);
  await page.getByRole('button', { name: 'Close' }).click();
  await sides.first().waitFor({ state: 'detached' });
  expect(complaints).toEqual([]);
});

test('a key is found by its name, and the unused ones', async () => {
  const { page, complaints } = await open('keys');
  const rows = page.getByRole('row').filter({ hasText: 'csk_' });
  await expect.poll(() => rows.count()).toBe(61);
  await page.getByRole('searchbox').fill('program 17');
  await expect.poll(() => rows.count()).toBe(1);
  await page.getByRole('searchbox').fill('');
  await page.getByLabel('Show').selectOption({ label: 'Unused for 30 days' });
  await page.getByText('No key matches').waitFor();
  await page.getByRole('link', { name: 'Show all keys' }).click();
  const head = page.getByRole('columnheader', { name: 'Last used' });
  await head.getByRole('link').click();
  await expect.poll(() => rows.first().innerText()).toMatch(/^Program 60\b/);
  expect(complaints).toEqual([]);
});

test.each(['board', 'keys', 'cars', 'today'])(
  '%s is no wider than a phone of 320 px',
  async (path) => {
    const { page, complaints } = await open(path, { width: 320 });
    await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(320);
    expect(complaints).toEqual([]);
  },
);

test('no plate wraps in the list of cars', async () => {
  const { page } = await open('cars');
  for (const width of [1280, 800, 375]) {
    await page.setViewportSize({ width, height: 800 });
    const lines = await page
      .locator('a.plate')
      .evaluateAll((all: { getClientRects(): unknown[] }[]) =>
        all.map((one) => one.getClientRects().length),
      );
    expect(lines, `${width} px`).toEqual(Array(100).fill(1));
  }
});
