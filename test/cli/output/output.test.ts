/** Command lines and what they print, on a terminal and in a pipe, against the real service. */
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import type { RecordFor } from '../../../src/contract/contract.ts';
import { builtInShell } from '../../helpers/built.ts';
import { type CliOptions, cs } from '../../helpers/cli.ts';
import { type Facility, facility } from '../../helpers/facility.ts';
import { testService } from '../../helpers/service.ts';
import { openTerminal } from '../../helpers/terminal.ts';

let env: Record<string, string>;
let make: Facility;
let car: RecordFor<'cars'>;

const service = await testService();
// Lists and counts are those of a whole team, so each test has its own.
beforeEach(async () => {
  const team = await service.newTeam();
  env = { CS_BASE_URL: service.url, CS_API_KEY: team.key };
  make = facility(team);
  const location = await make.location({ name: 'Main' });
  const zone = await make.zone(location.id, { name: 'Hall 1', capacity: 4 });
  const spot = await make.spot(location.id, { name: 'A12', zoneId: zone.id });
  const owner = await make.customer({ firstName: 'Ann', lastName: 'Lee' });
  car = await make.car({
    licensePlate: 'WN AB 123',
    nickname: 'Greta',
    model: '911',
    customerId: owner.id,
  });
  await make.car({
    year: 1965,
    make: 'Jaguar',
    model: 'E-Type',
    notes: 'red\u001b[31m\u0007 alert',
    nickname: '\u001b]0;owned\u0007',
  });
  await make.event(car.id, { parkingSpotId: spot.id });
});

const on = (as: 'terminal' | 'pipe', line: string[], options: CliOptions = {}) =>
  cs(line, { as, ...options, env: { ...env, ...options.env } });

test.each([
  ['cars list --limit 1', 1, '1 of 2; --all for the rest\n'],
  ['cars list --limit 1 --all', 2, ''],
  ['cars list --page 9', 0, 'Nothing on this page; 2 cars in total.\n'],
  ['cars list --status archived', 0, ''],
])('a pipe gets a note beside a part of a list: cs %s', async (line, count, note) => {
  const { code, json, stderr } = await on('pipe', line.split(' '));
  expect([code, json.length, stderr]).toEqual([0, count, note]);
});

test('a list by ids takes more of them than a request, and none', async () => {
  const ids = [car.id, ...Array.from({ length: 200 }, () => randomUUID())].join('\n');
  for (const [stdin, count] of [
    [ids, 1],
    ['', 0],
  ] as const) {
    const { code, json } = await on('pipe', ['cars', 'list', '--ids', '-'], { stdin });
    expect([code, json.length]).toEqual([0, count]);
  }
});

test.each([
  ['cars list --status archived', 'No cars match. Change or leave out a filter.\n'],
  ['social-posts list', 'No social posts. Write one with `cs social-posts create --body TEXT`.\n'],
])('a terminal gets the next step of an empty list: cs %s', async (line, note) => {
  const { code, stdout, stderr } = await on('terminal', line.split(' '));
  expect([code, stdout, stderr]).toEqual([0, '', note]);
});

test('a terminal is told how far near times are away; nothing else is', async () => {
  const now = new Date(Date.parse(car.updatedAt) + 2 * 3_600_000);
  const [get, list] = [
    ['cars', 'get', 'Greta'],
    ['cars', 'events', 'list', 'Greta'],
  ];
  const shown = async (as: 'terminal' | 'pipe', ...line: string[]) =>
    (await on(as, line, { now, columns: 100 })).stdout;
  expect(await shown('terminal', ...get)).toMatch(
    /^Created at +\d{4}-\d\d-\d\d \d\d:\d\d, 2 hours ago \(.*Z\)$/m,
  );
  expect(await shown('terminal', ...list)).toMatch(
    /^WHEN +TYPE +PARKED +SESSION\n\d{4}-\d\d-\d\d \d\d:\d\d {2}2 hours ago {2}Drop-off +A12/,
  );
  for (const format of ['table', 'csv', 'tsv', 'json'])
    for (const line of [get, list]) {
      expect(await shown('pipe', ...line, '-o', format)).not.toContain('ago');
      if (format !== 'table')
        expect(await shown('terminal', ...line, '-o', format)).not.toContain('ago');
    }
});

describe('writes', () => {
  test('a terminal gets one line, a pipe the record', async () => {
    const line = ['customers', 'create', '--first-name', 'Bo', '--last-name', 'Ek'];
    expect((await on('terminal', line)).stdout).toBe('customer created  Bo Ek\n');
    expect((await on('terminal', [...line, '-v'])).stdout).toMatch(
      /^customer [0-9a-f-]{36} created {2}Bo Ek\n$/,
    );
    expect((await on('pipe', line)).json).toMatchObject({
      firstName: 'Bo',
      lastName: 'Ek',
      status: 'active',
    });
  });

  test('names the flag of an invalid value before any request', async () => {
    const line = `cars create --year 1700 --make= --model TT --license-plate ${'x'.repeat(33)}`;
    const { code, stderr } = await on('terminal', line.split(' '));
    expect(code).toBe(2);
    for (const flag of ['year', 'make', 'license-plate'])
      expect(stderr).toMatch(new RegExp(`^ {2}--${flag}: `, 'm'));
    const input = 'cars create --input {"id":"x","wheels":4} --year 2000 --make A --model B';
    expect((await on('pipe', input.split(' '))).error.details.issues).toEqual([
      { path: 'id', rule: 'read_only', message: 'is read-only' },
      { path: 'wheels', rule: 'unknown', message: 'is unknown' },
    ]);
  });
});

test('a single issue of the server appears once, with its flag; the reference comes last', async () => {
  const line = ['cars', 'create', '--year', '2950', '--make', 'A', '--model', 'B'];
  const { code, stderr } = await on('terminal', line);
  expect(code).toBe(3);
  expect(stderr).toMatch(
    /^error: --year must be .*\n(hint: .*\n)?\(validation_failed · request \S+\)\n$/,
  );
});

test('a future time of an event is refused before any request, by its flag', async () => {
  const line = ['cars', 'events', 'log', 'Greta', '--type', 'inspection', '--at'];
  const { code, error } = await on('pipe', [...line, 'tomorrow 12:00']);
  expect([code, error.code, error.status]).toEqual([3, 'occurred_at_in_future', null]);
  expect(error.message).toBe('--at: "tomorrow 12:00" is in the future.');
});

test('plates fit 30 cells', async () => {
  const { stdout } = await on('terminal', ['cars', 'list'], { columns: 30 });
  expect(stdout).toMatch(/^WN AB 123 /m);
  expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(30);
});

test('columns that were asked for and have no room are named', async () => {
  const line = ['cars', 'list', '--q', 'Greta', '--columns', 'plate,vin,owner,nickname,id,year'];
  const { stdout, stderr } = await on('terminal', line, { columns: 40 });
  expect([stdout, stderr]).toEqual([
    'PLATE      VIN  OWNER    NICKNAME\nWN AB 123       Ann Lee  Greta\n',
    'Too narrow for: id, year; -o csv has\n  every column.\n1 car\n',
  ]);
});

test('a text for a pipe has no colour, although stderr is a terminal', async () => {
  const terminal = openTerminal(['-c', `${builtInShell} auth status -o table | cat`], {
    program: 'sh',
    env,
  });
  expect(await terminal.exited).toBe(0);
  expect(terminal.raw()).toContain('Server     http');
});
