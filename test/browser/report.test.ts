/** `cs report` as it is printed: in a browser, as a PDF, with names that are markup, and on the second server. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { openDesk } from '../helpers/browser.ts';
import { chromium } from '../helpers/chromium.ts';
import { cs } from '../helpers/cli.ts';
import { base64Of, facility, png } from '../helpers/facility.ts';
import { makeFolder, removeFolder } from '../helpers/folder.ts';
import { openOther } from '../helpers/other-facility.ts';
import { resultViolations } from '../helpers/result-schema.ts';
import { testService } from '../helpers/service.ts';
import { openTerminal } from '../helpers/terminal.ts';

const markup = '<img src="https://example.com/x.png" onerror=alert(1)> & "Hall" \u202e';
const service = await testService();
const folder = await makeFolder();
const env = { CS_BASE_URL: service.url, CS_API_KEY: service.key };
const make = facility(service);
const address = { line1: markup };
const site = await make.location({ name: 'Harbour', timezone: 'Asia/Tokyo', address });
const spot = await make.spot(site.id, { name: 'A1' });
const owner = await make.customer({ firstName: markup, lastName: 'Lee' });
const emma = await make.car({
  licensePlate: 'HH-E 61',
  mileage: 88_123,
  customerId: owner.id,
  nickname: 'Emma',
});
const bare = await make.car({ licensePlate: 'HH-B 1' });
const cars = { emma: emma.id, bare: bare.id };
const log = async (given: object, names: readonly string[]) => {
  const event = await make.event(emma.id, given);
  for (const [at, filename] of names.entries())
    await make.photo(emma.id, {
      sessionId: event.sessionId,
      filename,
      base64: base64Of(png(at + names.length * 100)),
    });
  return event.id;
};
const events = [
  await log({ parkingSpotId: spot.id, occurredAt: '2026-03-01T23:30:00Z', notes: markup }, [
    'front.png',
    'rear.png',
  ]),
  await log({ activityType: 'inspection', occurredAt: '2026-03-02T08:00:00Z' }, []),
  await log({ activityType: 'pick_up', occurredAt: '2026-03-03T08:00:00Z' }, [
    'front.png',
    `${markup}.png`,
    'key.png',
  ]),
];
afterAll(() => removeFolder(folder));

const report = (...argv: readonly string[]) => cs(['report', ...argv], { env, cwd: folder });

describe('in a browser', () => {
  test('before and after beside each other, as text, without a request', async () => {
    const { code, json, stderr } = await report('Emma', '--compare', '--to', 'emma.html');
    expect([code, stderr, await resultViolations('report', json)]).toEqual([0, '', []]);
    expect([json.eventIds, json.photos, json.notShown]).toEqual([[events[0], events[2]], 5, []]);
    const { page, complaints } = await openDesk();
    await page.goto(pathToFileURL(join(folder, 'emma.html')).href);
    const text = (await page.innerText('body')).replaceAll(/\s+/g, ' ');
    const shown = markup.replace('\u202e', '\ufffd').trim();
    for (const part of [
      `Harbour ${shown}`,
      `Owner ${shown} Lee`,
      'Mileage 88123',
      '2026-03-02 08:30 Place A1 · Harbour',
      `Notes ${shown}`,
      '2026-03-03 17:00',
      'front.png front.png',
      'no photo key.png',
      'rear.png no photo',
      'Handed over by',
    ])
      expect(text).toContain(part);
    const loaded = await page.$$eval('img', (all) =>
      all.map((one) => ('naturalWidth' in one ? Number(one.naturalWidth) : 0)),
    );
    expect([loaded.length, loaded.every((width) => width > 0)]).toEqual([5, true]);
    expect(complaints).toEqual([]);
  });

  test('as a PDF', async () => {
    const { code, stderr } = await cs(['report', 'Emma', '--to', 'emma.pdf', '-o', 'table'], {
      env: { ...env, PATH: process.env.PATH ?? '', CHROME_PATH: chromium ?? '' },
      cwd: folder,
    });
    expect([code, stderr]).toEqual([0, '']);
    expect((await readFile(join(folder, 'emma.pdf'))).subarray(0, 5).toString()).toBe('%PDF-');
  });
});

test('a car without an event, an event without photos, a file that exists, and what is missing', async () => {
  const bare = await report('HH-B 1', '--compare', '--to', 'bare.html');
  expect([bare.code, bare.json.eventIds, bare.json.photos]).toEqual([0, [], 0]);
  expect(await readFile(join(folder, 'bare.html'), 'utf8')).toContain('No photos.');
  const quiet = await report(cars.emma, '--event', String(events[1]), '--to', 'quiet.html');
  expect([quiet.code, quiet.json.photos]).toEqual([0, 0]);
  const again = await report(cars.bare, '--to', 'bare.html');
  expect([again.code, again.error.code]).toEqual([7, 'file_exists']);
  expect((await report('Emma', '--event', cars.bare)).code).toBe(6);
  expect((await report('Emma', '--to', 'emma.txt')).code).toBe(2);
  const few = await cs(['report', 'HH-E 61', '--to', 'few.html'], {
    env: { ...env, CS_API_KEY: await service.keyWith(['read:cars']) },
    cwd: folder,
  });
  expect([few.code, few.stderr]).toEqual([
    0,
    expect.stringContaining('owner, locations, spots and zones'),
  ]);
  const none = await cs(['report', 'Emma', '--to', 'none.pdf'], {
    env: { ...env, CHROME_PATH: '/nowhere/chrome' },
    cwd: folder,
  });
  expect([none.code, none.error.hint]).toEqual([2, expect.stringContaining('CHROME_PATH')]);
});

test('more photos than a page has, on a terminal', async () => {
  const make = facility(service);
  const car = await make.car({ licensePlate: 'HH-M 210' });
  const { sessionId } = await make.event(car.id, { activityType: 'inspection' });
  for (let at = 1; at <= 210; at += 1)
    await make.photo(car.id, {
      sessionId,
      filename: `${at}.png`,
      base64: base64Of(png(10_000 + at)),
    });
  const terminal = openTerminal(['report', 'HH-M 210', '--to', 'many.html'], { env, cwd: folder });
  expect(await terminal.exited).toBe(0);
  expect(terminal.screen().trim()).toMatch(/many\.html$/);
  const html = await readFile(join(folder, 'many.html'), 'utf8');
  const names = [...html.matchAll(/<figcaption>(\d+)\.png</g)].map(([, name]) => Number(name));
  expect(names).toEqual(Array.from({ length: 210 }, (_, at) => at + 1));
  expect(html.match(/<img alt="" src="data:image\/jpeg;base64,/g)).toHaveLength(210);
});

test('on a server that knows the specification alone', async () => {
  const other = await openOther();
  try {
    const { code, json } = await cs(['report', 'Emma', '--to', 'other.html'], {
      env: other.env,
      now: other.now,
      cwd: folder,
    });
    expect([code, json.notShown]).toEqual([0, []]);
  } finally {
    await other.close();
  }
});
