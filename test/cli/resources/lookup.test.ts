import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { cs } from '../../helpers/cli.ts';
import { facility } from '../../helpers/facility.ts';
import { startFaultyProxy } from '../../helpers/faulty-proxy.ts';
import { makeFolder, removeFolder } from '../../helpers/folder.ts';
import { testService } from '../../helpers/service.ts';
import { openTerminal } from '../../helpers/terminal.ts';

const ids: Record<string, string> = {};

const service = await testService();
const env = { CS_BASE_URL: service.url, CS_API_KEY: service.key };
const make = facility(service);
const main = await make.location({ name: 'Main' });
const yard = await make.location({ name: 'Yard' });
const hall = await make.zone(main.id, { name: 'Hall 1' });
const spot = await make.spot(main.id, { name: 'A12' });
await make.spot(main.id, { name: 'B1', zoneId: hall.id });
const yardSpot = await make.spot(yard.id, { name: 'B1' });
const yardTwin = await make.zone(yard.id, { name: 'Twin' });
await make.zone(main.id, { name: 'Twin' });
await make.spot(yard.id, { name: 'T1', zoneId: yardTwin.id });
const campaign = (
  await service.call('POST', '/marketing/campaigns', { name: 'Summer', channel: 'email' })
).body.data;
const ann = await make.customer({ firstName: 'Ann', lastName: 'Lee', email: 'ann@example.com' });
const car = await make.car({
  licensePlate: 'WN AB 123',
  vin: 'WP0ZZZ91ZES100001',
  nickname: 'Greta',
  model: '911',
});
await make.car({ licensePlate: 'WN AB 1234', nickname: 'Hans', model: '912' });
const { body: types } = await service.call('GET', '/event-types');
const dropOff = types.data.find(({ value }: { value: string }) => value === 'drop_off');
const parked = await make.car({ licensePlate: 'GO 42' });
const place = { carId: parked.id, parkingSpotId: spot.id };
const before = await make.assignment(place);
await make.change(`/parking/assignments/${before.id}`, { endedAt: new Date().toISOString() });
const assignment = await make.assignment(place);
const { sessionId } = await make.event(parked.id, { activityType: 'inspection' });
Object.assign(ids, {
  dropOff: dropOff.id,
  assignment: assignment.id,
  session: sessionId,
  yard: yard.id,
  yardSpot: yardSpot.id,
  yardTwin: yardTwin.id,
  campaign: campaign.id,
  main: main.id,
  hall: hall.id,
  spot: spot.id,
  ann: ann.id,
  car: car.id,
});

test.each([
  ['cars', 'WN AB 123', 'car'],
  ['cars', 'wn ab 123', 'car'],
  ['cars', 'wnab123', 'car'],
  ['cars', 'WN-AB-123', 'car'],
  ['cars', 'WN/AB/123', 'car'],
  ['cars', 'wp0zzz91zes100001', 'car'],
  ['cars', ' greta ', 'car'],
  ['customers', 'ann  LEE', 'ann'],
  ['customers', 'ann@example.com', 'ann'],
  ['locations', 'main', 'main'],
  ['parking zones', 'hall 1', 'hall'],
  ['parking spots', 'a12', 'spot'],
  ['event-types', 'drop_off', 'dropOff'],
  ['event-types', 'Drop-off', 'dropOff'],
  // By the name of their car.
  ['parking assignments', 'go-42', 'assignment'],
  ['sessions', 'GO 42', 'session'],
])('cs %s get %j', async (noun, name, wanted) => {
  const { code, json } = await cs([...noun.split(' '), 'get', name], { env });
  expect([code, json.id]).toEqual([0, ids[wanted]]);
});

test('the list that a hint names is of the same connection', async () => {
  const folder = await makeFolder();
  onTestFinished(() => removeFolder(folder));
  const caFile = join(folder, 'ca.pem');
  await writeFile(caFile, String(rootCertificates[0]));
  const flags = ['--base-url', service.url, '--ca-file', caFile, '--allow-insecure-http'];
  const { code, error } = await cs(['cars', 'get', 'nobody', ...flags], { env });
  expect([code, error.hint]).toEqual([6, `\`cs cars list ${flags.join(' ')}\` shows them`]);
});

test("a part of a name doesn't match, nor do make and model of a car", async () => {
  for (const name of ['WN AB', 'Gret', 'Porsche', '911'])
    expect((await cs(['cars', 'get', name], { env })).code).toBe(6);
  // What has no letter is a part of none.
  expect((await cs(['cars', 'get', '#'], { env })).error).toMatchObject({
    message: 'No car found for "#".',
    details: null,
  });
});

describe('a part of a plate', () => {
  const open = (argv: readonly string[]) => openTerminal(argv, { env });
  beforeAll(async () => {
    const make = facility(service);
    for (const licensePlate of ['XY 1002', 'XY 70021', 'XY 7003', 'XY 7004'])
      await make.car({ licensePlate });
  });

  test('on a terminal finds the only car, with a note, in one request after the one that asks about lists', async () => {
    const proxy = await startFaultyProxy(service.url, () => undefined);
    onTestFinished(() => proxy.close());
    const terminal = openTerminal(['cars', 'get', 'y-1002', '--jq', '.licensePlate'], {
      env: { ...env, CS_BASE_URL: proxy.url },
    });
    expect(await terminal.exited).toBe(0);
    expect(terminal.screen()).toMatch(
      /^No car is called "y-1002": this is XY 1002 · .*\.\nXY 1002$/,
    );
    expect(proxy.requests).toHaveLength(2);
  });

  test('on a terminal asks among several, and before a write', async () => {
    const several = open(['cars', 'get', '700', '--jq', '.licensePlate']);
    expect(await several.waitFor('? No car is called "700"')).toMatch(/XY 7/);
    several.type('\r');
    await several.waitFor(/^XY 7/m);
    const write = open(['cars', 'update', '1002', '--color', 'red']);
    await write.waitFor(/\? No car is called "1002"[\s\S]*❯ XY 1002/);
    write.press('ctrl-c');
    expect(await write.exited).toBe(130);
  });

  test('in a script is exit 6 with the candidates, of more than a page exit 14', async () => {
    const one = await cs(['cars', 'get', '1002'], { env });
    const [{ name }] = one.error.details.candidates;
    expect([one.code, name, one.error.hint]).toEqual([
      6,
      expect.stringMatching(/^XY 1002 · \d/),
      `similar: ${name}. Give the name exactly, or the id`,
    ]);
    const { error: several } = await cs(['cars', 'get', 'xy'], { env });
    expect(several.details.candidates).toHaveLength(4);
    expect(several.hint).toMatch(
      /^similar: XY \d+ · [^·]+, XY \d+ · [^·]+ and XY \d+ · [^·]+ …\. Give/,
    );
    // Of the car, where a record is named by it.
    const { error: through } = await cs(['sessions', 'get', '1002'], { env });
    expect(through).toMatchObject({
      message: 'No car found for "1002".',
      details: one.error.details,
    });
    const make = facility(service);
    for (let count = 0; count < 21; count += 1) await make.car({ licensePlate: `ZZ 8${count}` });
    const { code, error } = await cs(['cars', 'get', 'zz 8'], { env });
    expect([code, error.message, error.hint]).toEqual([
      14,
      'No car is called "zz 8", and more than 20 match it in part.',
      'give more of the name, or the id',
    ]);
  });
});

test('the same name in two locations: candidates show the location', async () => {
  const line = ['parking', 'spots', 'get', 'B1'];
  const { code, error } = await cs(line, { env });
  const names = error.details.candidates.map(({ name }: { name: string }) => name).sort();
  expect([code, error.message, names]).toEqual([
    14,
    '"B1" matches 2 spots.',
    ['B1 · Hall 1 · Main', 'B1 · Yard'],
  ]);
  const terminal = openTerminal(line, { env });
  await terminal.waitFor(/^\? Which spot "B1"\?\n. B1 · /m);
  terminal.press('ctrl-c');
  expect(await terminal.exited).toBe(130);
});

test('records with the same name and description differ by their creation time', async () => {
  const make = facility(service);
  for (let count = 0; count < 2; count += 1)
    await make.customer({ firstName: 'Sam', lastName: 'Twin', email: null });
  const { code, error } = await cs(['customers', 'get', 'Sam Twin'], { env });
  expect([code, error.details.candidates.map(({ name }: { name: string }) => name)]).toEqual([
    14,
    [
      expect.stringMatching(/^Sam Twin · since \d{4}-\d\d-\d\d \d\d:\d\d$/),
      expect.stringMatching(/ · since /),
    ],
  ]);
});

test.each([
  ['cars events log Hans --type drop_off --location Yard --spot B1 -n', 'yardSpot'],
  ['parking spots create --location Yard --zone Twin --name X1 -n', 'yardTwin'],
  ['parking spots create --input {"locationId":"@yard"} --zone Twin --name X1 -n', 'yardTwin'],
  ['parking spots list --zone Twin --location Yard', 'yardTwin'],
  ['parking spots update @yardSpot --zone Twin -n', 'yardTwin'],
])('a name is looked up at the given location: cs %s', async (line, wanted) => {
  const words = line.replace(/@(\w+)/, (_, name) => ids[name] as string).split(' ');
  const { code, stdout, stderr } = await cs(words, { env });
  expect(code, stderr).toBe(0);
  expect(stdout).toContain(ids[wanted]);
});

test('without it, the hint names the flag', async () => {
  const { error } = await cs(['parking', 'spots', 'list', '--zone', 'Twin'], { env });
  expect([error.exitCode, error.hint]).toEqual([14, 'give --location, or use the id']);
});

test.each([
  ['cars photos get Greta none.jpg', 'cs cars photos list Greta'],
  ['cars photos get Greta @campaign', 'cs cars photos list Greta'],
  ['campaigns content get Summer 7', 'cs campaigns content list Summer'],
  ['parking assignments get Hans', 'cs parking assignments list --active'],
  ['parking assignments get Nobody', 'cs parking assignments list --active'],
])('cs %s: the hint is a working command', async (line, list) => {
  const withIds = (text: string) => text.replace(/@(\w+)/, (_, name) => ids[name] as string);
  const { error } = await cs([...withIds(line).split(' '), '--base-url', service.url], { env });
  const command = `${withIds(list)} --base-url ${service.url}`;
  expect(error).toMatchObject({ exitCode: 6, hint: `\`${command}\` shows them` });
  expect((await cs(command.split(' ').slice(1), { env })).code).toBe(0);
});

test("prefers a car that isn't archived, and finds an archived one if it is the only one", async () => {
  const make = facility(service);
  await make.car({ vin: 'SHARED-1', model: 'then', status: 'archived' });
  const now = await make.car({ vin: 'SHARED-1', model: 'now' });
  await make.car({ vin: 'ALONE-1', model: 'gone', status: 'archived' });
  expect((await cs(['cars', 'get', 'shared-1'], { env })).json.id).toBe(now.id);
  expect((await cs(['cars', 'get', 'alone-1'], { env })).json.model).toBe('gone');
});

test('finds an event of a car by type or time; names it in the error', async () => {
  const make = facility(service);
  const { id } = await make.car({ licensePlate: 'WN EV 1' });
  const event = await make.event(id, {
    activityType: 'inspection',
    occurredAt: '2026-01-02T03:04:05.000Z',
  });
  for (const name of ['inspection', '2026-01-02T03:04:05.000Z'])
    expect((await cs(['cars', 'events', 'get', 'WN EV 1', name], { env })).json.id).toBe(event.id);
  const { code, error } = await cs(['cars', 'events', 'get', 'WN EV 1', 'nothing'], { env });
  expect([code, error.message]).toEqual([6, 'No car event found for "nothing".']);
});

test('finds a car among many with one request, and one that finds out whether lists can be filtered', async () => {
  const make = facility(service);
  const wanted = await make.car({ licensePlate: 'AC 1', model: 'wanted' });
  for (let count = 0; count < 25; count += 1) await make.car({ licensePlate: `AC 1${count}` });
  const proxy = await startFaultyProxy(service.url, () => undefined);
  onTestFinished(() => proxy.close());
  const { json } = await cs(['cars', 'get', 'ac-1'], { env: { ...env, CS_BASE_URL: proxy.url } });
  expect(json.id).toBe(wanted.id);
  expect(proxy.requests.map(({ url }) => url)).toEqual([
    '/api/v1/cars?page=1&limit=200',
    '/api/v1/cars?q=ac-1&page=1&limit=200',
  ]);
});

test("prefers an exact name to one that differs in spaces and dashes; a longer one doesn't match", async () => {
  const made: string[] = [];
  for (const licensePlate of ['BA-B 120', 'BA-B 12', 'B-AB 12'])
    made.push((await facility(service).car({ licensePlate })).id);
  for (const [index, name] of ['BA-B 120', 'ba-b 12', 'B-AB 12'].entries())
    expect((await cs(['cars', 'get', name], { env })).json.id).toBe(made[index]);
  const { code, error } = await cs(['cars', 'get', 'bab12'], { env });
  expect([code, error.details.candidates.map(({ id }: { id: string }) => id).sort()]).toEqual([
    14,
    made.slice(1).sort(),
  ]);
  for (const firstName of ['Ottoline', 'Otto-line'])
    await facility(service).customer({ firstName, lastName: null });
  expect((await cs(['customers', 'get', 'otto line'], { env })).code).toBe(14);
});
