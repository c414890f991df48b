/** `cs audit --phone`: the questions of a stock-taking in a phone's browser, with the photo of a label. */

import sharp from 'sharp';
import { encode } from 'uqr';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openPhone } from '../helpers/browser.ts';
import { facility } from '../helpers/facility.ts';
import { makeFolder, removeFolder } from '../helpers/folder.ts';
import { ownAddress } from '../helpers/phone-counter.ts';
import { testService } from '../helpers/service.ts';
import { openTerminal } from '../helpers/terminal.ts';

const ids: Record<string, string> = {};
const service = await testService();
const make = facility(service);
const { id: locationId } = await make.location({ name: 'Harbour' });
const hall = await make.zone(locationId, { name: 'Hall A' });
for (const name of ['A1', 'A2', 'A3', 'A4']) {
  const spot = await make.spot(locationId, { name, zoneId: hall.id });
  const car = await make.car({ licensePlate: `HH-${name}`, make: 'Porsche', model: '911' });
  Object.assign(ids, { [name]: spot.id, [`HH-${name}`]: car.id });
  if (name !== 'A4') await make.assignment({ carId: car.id, parkingSpotId: spot.id });
}

/** A label as a camera takes it: small, turned, grey, on a wall. */
async function photoOf(text: string) {
  const { data } = encode(text, { ecc: 'M', border: 2 });
  const squares = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
  );
  const side = data.length;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}" width="500" height="500"><rect width="100%" height="100%" fill="#ddd"/><path d="${squares.join('')}" fill="#333"/></svg>`;
  const label = await sharp(Buffer.from(svg)).rotate(12, { background: '#987' }).toBuffer();
  const wall = { width: 3000, height: 4000, channels: 3 as const, background: '#987' };
  const buffer = await sharp({ create: wall })
    .composite([{ input: label, left: 1300, top: 2100 }])
    .jpeg({ quality: 70 })
    .toBuffer();
  return { name: 'image.jpg', mimeType: 'image/jpeg', buffer };
}

describe('a stock-taking with a phone', () => {
  test('confirms, goes by a scanned label, notes a scanned car, and tells the counter', async () => {
    const argv = ['audit', '--zone', 'Hall A', '--phone', '--phone-address', ownAddress];
    const env = { CS_BASE_URL: service.url, CS_API_KEY: service.key };
    const terminal = openTerminal(argv, { env, columns: 120, rows: 50 });
    const screen = await terminal.waitFor(/http:\/\/\S+#\S{22}/);
    const { page, complaints } = await openPhone();
    await page.goto(/http:\/\/\S+#\S{22}/.exec(screen)?.[0] ?? '');
    await terminal.waitFor('iPhone connected.');
    const tap = (name: string) => page.getByRole('button', { name, exact: true }).click();
    const scan = async (text: string) => page.setInputFiles('#scan', await photoOf(text));
    const asked = (label: string) => page.getByRole('heading', { name: label }).waitFor();

    await asked('A1 (1 of 4)');
    expect(await page.innerText('#hint')).toContain('HH-A1');
    expect([await page.title(), await page.innerText('h1')]).toEqual([
      'Stock-taking',
      'Stock-taking',
    ]);
    expect(await page.locator('#question .button').allInnerTexts()).toEqual([
      ...['Confirm', 'Empty', 'Back', 'Scan a label', 'Note'],
    ]);
    await tap('Confirm');
    await asked('A2 (2 of 4)');
    // The label of a spot goes there, that of a car notes it.
    await scan(ids.A3 ?? '');
    await asked('A3 (3 of 4)');
    await scan(`${service.url}/dashboard/cars/${ids['HH-A4']}`);
    await terminal.waitFor('A3: HH-A4');
    await asked('A2 (2 of 4)');
    // Nothing else can be answered while a photo is on its way.
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
    await page.route('**/photo', (route) => held.then(() => route.continue()), { times: 1 });
    await page.setInputFiles('#scan', [{ ...(await photoOf('x')), buffer: Buffer.from('none') }]);
    await page.getByText('Reading the code …').waitFor();
    expect(await page.getByRole('button', { name: 'Confirm' }).isDisabled()).toBe(true);
    letGo();
    await page.getByText('No code found in the photo: go nearer, or type it.').waitFor();
    // The connection may break, and the page may be loaded again.
    await page.reload();
    await asked('A2 (2 of 4)');
    await page.fill('#plate', 'HH-A1');
    await tap('Note');
    await asked('HH-A1 was noted in A1. Is it here now?');
    await tap('No');
    await asked('A2 (2 of 4)');
    await tap('Empty');
    await asked('A4 (4 of 4)');
    expect(await page.getByRole('button', { name: 'Empty' }).count()).toBe(0);
    await tap('Confirm');
    await asked('4 of 4 noted');
    await tap('Back');
    await asked('A4 (4 of 4)');
    await tap('Confirm');
    await asked('4 of 4 noted');
    await tap('Compare');
    await page.getByText('All spots are noted. The counter has the result').waitFor();
    expect(await terminal.exited).toBe(12);
    expect(terminal.screen()).toMatch(/missing +HH-A2/);
    expect(terminal.screen()).toMatch(/missing +HH-A3/);
    expect(terminal.screen()).toMatch(/unexpected +HH-A4 +A3/);
    expect(complaints).toEqual([]);
  });

  test('Ctrl-C ends it, and the notes stay', async () => {
    const argv = ['audit', '--zone', 'Hall A', '--phone', '--phone-address', ownAddress];
    const state = await makeFolder();
    onTestFinished(() => removeFolder(state));
    const env = { CS_BASE_URL: service.url, CS_API_KEY: service.key, CS_STATE_DIR: state };
    const terminal = openTerminal(argv, { env, columns: 120, rows: 50 });
    const screen = await terminal.waitFor(/http:\/\/\S+#\S{22}/);
    const { page } = await openPhone();
    await page.goto(/http:\/\/\S+#\S{22}/.exec(screen)?.[0] ?? '');
    await page.getByRole('button', { name: 'Confirm' }).click();
    await terminal.waitFor('A1: HH-A1');
    terminal.type('\u0003');
    expect(await terminal.exited).toBe(130);
    const later = openTerminal(['audit', '--zone', 'Hall A'], { env, columns: 120 });
    await later.waitFor('1 of 4 spots are noted');
    later.kill();
  });
});
