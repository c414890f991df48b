/** `cs labels`: each code is read back from the page as it is printed. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import jsQR from 'jsqr';
import sharp from 'sharp';
import { afterAll, describe, expect, test } from 'vitest';
import { openDesk } from '../helpers/browser.ts';
import { cs } from '../helpers/cli.ts';
import { facility } from '../helpers/facility.ts';
import { makeFolder, removeFolder } from '../helpers/folder.ts';
import { openOther } from '../helpers/other-facility.ts';
import { resultViolations } from '../helpers/result-schema.ts';
import { testService } from '../helpers/service.ts';
import { openTerminal } from '../helpers/terminal.ts';

const service = await testService();
const folder = await makeFolder();
const env = { CS_BASE_URL: service.url, CS_API_KEY: service.key };
const make = facility(service);
const site = await make.location({ name: 'Harbour' });
const hall = await make.zone(site.id, { name: '<b>Hall</b>' });
const empty = await make.zone(site.id, { name: 'Yard' });
const a1 = await make.spot(site.id, { name: 'A1', zoneId: hall.id });
await make.spot(site.id, { name: 'A2', zoneId: hall.id, isActive: false });
const emma = await make.car({ licensePlate: 'HH-E 61H' });
await make.event(emma.id, { parkingSpotId: a1.id });
await make.car({ licensePlate: 'HH-X 1' });
const ids = { a1: a1.id, emma: emma.id };
expect(empty.name).toBe('Yard');
afterAll(() => removeFolder(folder));

const labels = (...argv: readonly string[]) => cs(['labels', ...argv], { env, cwd: folder });
const read = ((jsQR as unknown as { default?: typeof jsQR }).default ?? jsQR) as unknown as (
  data: Uint8ClampedArray,
  width: number,
  height: number,
) => { data: string } | null;

describe('in a browser', () => {
  test.each([
    ['spots', 'L7160', () => ids.a1, 'A1 <b>Hall</b> · Harbour'],
    ['spots', 'L4732', () => ids.a1, 'A1 <b>Hall</b> · Harbour'],
    ['cars', '62mm', () => `${service.url}/dashboard/cars/${ids.emma}`, 'HH-E 61H'],
    ['keys', 'L7160', () => `${service.url}/dashboard/cars/${ids.emma}`, 'HH-E 61H Key · '],
  ])('%s on %s', async (what, sheet, code, name) => {
    const file = `${what}-${sheet}.html`;
    const { code: exit, json } = await labels(what, '--sheet', sheet, '--to', file);
    expect([exit, json.labels, json.pages]).toEqual([0, 1, 1]);
    expect(await resultViolations('labels', json)).toEqual([]);
    const { page, complaints } = await openDesk();
    await page.goto(pathToFileURL(join(folder, file)).href);
    expect((await page.innerText('div')).replaceAll(/\s+/g, ' ')).toContain(name);
    // As a printer has it: four times as many dots as the screen.
    await page.evaluate("document.body.style.zoom = '4'");
    const { data, info } = await sharp(await page.locator('div').first().screenshot())
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    const found = read(new Uint8ClampedArray(data), info.width, info.height);
    expect([found?.data, complaints]).toEqual([code(), []]);
  });
});

test('no labels are refused, and a file is kept', async () => {
  const none = await labels('spots', '--zone', 'Yard', '--to', 'none.html');
  expect([none.code, none.stdout]).toEqual([6, '']);
  expect(none.error.message).toContain('no file was written');
  expect((await labels('spots', '--to', 'labels.txt')).code).toBe(2);
  expect(await readdir(folder)).not.toEqual(
    expect.arrayContaining([expect.stringMatching(/none|txt/)]),
  );
  await labels('spots', '--to', 'kept.html');
  const terminal = openTerminal(['labels', 'spots', '--to', 'kept.html'], { env, cwd: folder });
  expect(await terminal.exited).toBe(7);
  expect(terminal.screen()).toContain('--overwrite');
  expect((await labels('spots', '--to', 'kept.html')).code).toBe(7);
});

test('the cars of a zone are those on its spots', async () => {
  const ofZone = (zone: string) => labels('cars', '--zone', zone, '--to', 'zone.html');
  expect((await ofZone('<b>Hall</b>')).json).toMatchObject({ labels: 1 });
  expect((await ofZone('Yard')).code).toBe(6);
});

test('a terminal shows the file', async () => {
  const terminal = openTerminal(['labels', 'spots'], { env, cwd: folder });
  expect(await terminal.exited).toBe(0);
  expect(terminal.screen().trim()).toBe('labels-spots.html');
});

test('on a server that knows the specification alone the codes hold ids', async () => {
  const other = await openOther();
  try {
    const argv = ['labels', 'cars', '--to', 'other.html'];
    const { code, json } = await cs(argv, { env: other.env, now: other.now, cwd: folder });
    expect([code, json.codes]).toEqual([0, 'id']);
  } finally {
    await other.close();
  }
});
