/** `cs care`: series of stored cars from a plan, twice, killed at each request, on the second server, and what is due. */
import { writeFile } from 'node:fs/promises';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { Interrupted } from '../../../../src/cli/errors/ended-run.ts';
import { createEventType } from '../../../../src/service/admin.ts';
import { type CliOptions, cs } from '../../../helpers/cli.ts';
import { type Facility, facility } from '../../../helpers/facility.ts';
import { startFaultyProxy } from '../../../helpers/faulty-proxy.ts';
import { makeFolder, removeFolder } from '../../../helpers/folder.ts';
import { openOther } from '../../../helpers/other-facility.ts';
import { resultViolations } from '../../../helpers/result-schema.ts';
import { testService } from '../../../helpers/service.ts';
import { openTerminal } from '../../../helpers/terminal.ts';

const service = await testService();
let make: Facility;
let env: Record<string, string>;
let team: string;
let ids: Record<'emma' | 'greta' | 'otto' | 'inspection' | 'cleaning', string>;
let list: () => Promise<Record<string, string>[]>;
/** Two cars in Berlin, one in Tokyo, and one that isn't here. */
beforeEach(async () => {
  const own = await service.newTeam();
  team = own.team;
  make = facility(own);
  env = { CS_BASE_URL: service.url, CS_API_KEY: own.key, CS_RETRIES: '0' };
  const main = await make.location({ name: 'Main', timezone: 'Europe/Berlin' });
  const tokyo = await make.location({ name: 'Tokyo', timezone: 'Asia/Tokyo' });
  const hall = await make.zone(main.id, { name: 'Hall' });
  const yard = await make.zone(tokyo.id, { name: 'Yard' });
  const a1 = await make.spot(main.id, { name: 'A1', zoneId: hall.id });
  const ann = await make.customer({ firstName: 'Ann', lastName: 'Lee', phone: '+49405550101' });
  const emma = await make.car({ licensePlate: 'HH-E 61', make: 'Jaguar', customerId: ann.id });
  const greta = await make.car({ licensePlate: 'HH-G 2' });
  const otto = await make.car({ licensePlate: 'HH-O 7' });
  await make.car({ licensePlate: 'HH-N 1' });
  await make.event(emma.id, { parkingSpotId: a1.id });
  await make.event(greta.id, { parkingZoneId: hall.id });
  await make.event(otto.id, { parkingZoneId: yard.id });
  const types = (await own.call('GET', '/event-types')).body.data;
  const typeId = (value: string) => types.find((one: { value: string }) => one.value === value).id;
  ids = {
    emma: emma.id,
    greta: greta.id,
    otto: otto.id,
    inspection: typeId('inspection'),
    cleaning: typeId('interior_cleaning'),
  };
  list = async () => (await own.call('GET', '/appointments?limit=200')).body.data;
});

const inspection = `care:
  - type: Inspection
    recurrenceFrequency: monthly
    recurrenceCount: 2
    startAt: 2090-06-01 09:00
    endAt: 2090-06-01 09:30
`;
const both = `${inspection}    notes: Charge below 12.4 V
  - type: interior_cleaning
    recurrenceFrequency: quarterly
    startAt: 2090-06-02 22:00
    endAt: 2090-06-03 02:00
    cars: { make: [jaguar, Fiat] }
`;
const apply = (stdin: string, argv: readonly string[] = ['--yes'], options: CliOptions = {}) =>
  cs(['care', 'apply', '-', ...argv], { env, stdin, ...options });
const due = (argv: readonly string[] = [], options: CliOptions = {}) =>
  cs(['care', 'due', ...argv], { env, ...options });
type Json = Record<string, unknown>[];
const lines = ({ json }: { json: Json }) => json.map(({ type, car, at }) => `${type} ${car} ${at}`);
describe('apply', () => {
  test('shows first, and run twice it stores one series a car and type', async () => {
    const planned = await apply(both, ['--dry-run']);
    expect([planned.code, lines(planned), planned.json[0].id, await list()]).toEqual([
      ...[
        0,
        [
          'inspection HH-E 61 2090-06-01 09:00',
          'inspection HH-G 2 2090-06-01 09:00',
          'inspection HH-O 7 2090-06-01 09:00',
          'interior_cleaning HH-E 61 2090-06-02 22:00',
        ],
      ],
      ...[null, []],
    ]);
    expect((await apply(both, ['--dry-run', '-o', 'csv'])).stdout.split('\r\n')[0]).toBe(
      'change,type,car,carId,at,startAt,recurrenceFrequency,location,id',
    );
    expect((await apply(both, [])).code).toBe(2);
    const applied = await apply(both);
    expect([applied.code, applied.stderr, lines(applied)]).toEqual([0, '', lines(planned)]);
    expect(await resultViolations('care apply', applied.json)).toEqual([]);
    const stored = await list();
    expect(stored.find(({ id }) => id === applied.json[2].id)).toMatchObject({
      carId: ids.otto,
      startAt: '2090-06-01T00:00:00.000Z',
      endAt: '2090-06-01T00:30:00.000Z',
      notes: 'Charge below 12.4 V',
    });
    const again = await apply(both);
    expect([again.code, again.json, (await list()).length]).toEqual([0, [], stored.length]);
    expect(again.stderr).toContain('Nothing to store.');
    const none = await apply(both.replace('[jaguar, Fiat]', 'Lada'));
    expect(none.stderr).toMatch(/No stored car is meant by [^\n]*interior_cleaning/);
  });

  test('on a terminal asks, and No stores nothing', async () => {
    const cwd = await makeFolder();
    onTestFinished(() => removeFolder(cwd));
    await writeFile(`${cwd}/care.yaml`, inspection);
    for (const [answer, code, count] of [
      ['n', 13, 0],
      ['y', 0, 6],
    ] as const) {
      const terminal = openTerminal(['care', 'apply', 'care.yaml'], { env, cwd });
      const screen = await terminal.waitFor('Store 3 changes?');
      expect(
        screen
          .split('\n')
          .slice(0, 3)
          .map((line) => line.trimEnd()),
      ).toEqual(
        ['HH-E 61 · Main', 'HH-G 2 · Main', 'HH-O 7 · Tokyo'].map(
          (car) => `+ inspection monthly from 2090-06-01 09:00 · ${car}`,
        ),
      );
      terminal.type(`${answer}\r`);
      expect([await terminal.exited, (await list()).length]).toEqual([code, count]);
    }
  });

  test('joins at the next date, in local time, and not after the end', async () => {
    const past = (more: string) => `care:
  - type: inspection
    startAt: 2026-01-31 09:00
    endAt: 2026-01-31 09:30
    ${more}`;
    const at = async (more: string, now = '2026-03-30T07:30:00Z') =>
      lines(await apply(past(more), ['--dry-run'], { now: new Date(now) })).map((line) =>
        line.slice(-16),
      );
    expect(await at('recurrenceFrequency: monthly')).toEqual(Array(3).fill('2026-03-31 09:00'));
    // Nine o'clock has passed in Tokyo, and has not in Berlin.
    expect(await at('recurrenceFrequency: daily', '2026-03-30T05:30:00Z')).toEqual(
      expect.arrayContaining([
        expect.stringContaining('2026-03-31 09:00'),
        expect.stringContaining('2026-03-30 09:00'),
      ]),
    );
    expect(await at('recurrenceFrequency: yearly\n    recurrenceEndDate: 2026-12-31')).toEqual([]);
  });

  test('the 31st stays the last day of each month, and the last day counts, in local time', async () => {
    const text = `care:
  - type: inspection
    recurrenceFrequency: monthly
    recurrenceEndDate: 2090-05-31
    startAt: 2026-01-31 23:30
    endAt: 2026-01-31 23:45
    cars: { make: Jaguar }
`;
    const now = new Date('2090-02-01T00:00:00Z');
    expect((await apply(text, ['--yes'], { now })).code).toBe(0);
    const starts = (await list()).map(({ startAt = '' }) => startAt).sort();
    expect(starts).toEqual([
      ...['2090-02-28T22:30:00.000Z', '2090-03-31T21:30:00.000Z', '2090-04-30T21:30:00.000Z'],
      '2090-05-31T21:30:00.000Z',
    ]);
  });

  test('what runs stays, and is told where it differs; after its end the next is planned', async () => {
    await apply(inspection);
    for (const other of ['yearly', 'monthly\n    recurrenceInterval: 2']) {
      const { code, json, stderr } = await apply(inspection.replace('monthly', other));
      expect([code, json, stderr]).toEqual([
        ...[0, []],
        'Another series of inspection runs than that of the plan, and stays, for HH-E 61, HH-G 2 and HH-O 7. Cancel what is left of it, then run this again.\nNothing to store.\n',
      ]);
    }
    const cancel = ({ id }: Json[number]) =>
      make.change(`/appointments/${id}`, { status: 'cancelled' });
    const of = async (car: string) => (await list()).filter(({ carId }) => carId === car);
    for (const one of await of(ids.emma)) await cancel(one);
    // The others of the series are ahead.
    await cancel((await of(ids.otto))[0] as Json[number]);
    expect(lines(await apply(inspection))).toEqual(['inspection HH-E 61 2090-06-01 09:00']);
    expect((await apply(inspection)).json).toEqual([]);
  });

  test('killed before each write, and each answer lost, on a server without keys', async () => {
    let reached = 0;
    for (const fault of ['reset', 'lost'] as const) {
      let isReached = true;
      for (let at = 0; isReached; at += 1) {
        isReached = false;
        let writes = 0;
        for (const { id, status } of await list())
          if (status !== 'cancelled')
            await make.change(`/appointments/${id}`, { status: 'cancelled' });
        const before = (await list()).length;
        const stop = new AbortController();
        const proxy = await startFaultyProxy(
          service.url,
          ({ method }) => {
            // Reads store nothing: what is stored between two writes, the next write meets.
            if (method !== 'POST' || writes++ !== at) return undefined;
            isReached = true;
            reached += 1;
            if (fault === 'reset') setImmediate(() => stop.abort(new Interrupted('SIGTERM')));
            return fault;
          },
          { withoutKeys: true },
        );
        const there = { env: { ...env, CS_BASE_URL: proxy.url }, waiting: proxy.waiting };
        const killed = await apply(inspection, ['--yes'], { ...there, signal: stop.signal });
        expect(killed.code === 0).toBe(!isReached);
        expect((await apply(inspection, ['--yes'], there)).code).toBe(0);
        await proxy.close();
        const open = (await list()).filter(({ status }) => status === 'scheduled');
        expect({ at, fault, open: open.length, all: (await list()).length }).toEqual({
          at,
          fault,
          open: 6,
          all: before + 6,
        });
      }
    }
    expect(reached).toBe(6);
  });

  test('two at once store one series where the server takes keys', async () => {
    let other: { code: number; json: Json } | undefined;
    const proxy = await startFaultyProxy(service.url, async ({ method }) => {
      if (method === 'POST') other ??= await apply(inspection);
      return undefined;
    });
    const first = await apply(inspection, ['--yes'], { env: { ...env, CS_BASE_URL: proxy.url } });
    await proxy.close();
    expect([first.code, first.json, other?.code]).toEqual([0, other?.json, 0]);
    expect(await list()).toHaveLength(6);
  });

  const times = '    startAt: 2090-06-01 09:00\n    endAt: 2090-06-01 09:30\n';
  const wrong: [plan: string, told: unknown][] = [
    [
      `care:
  - type: waxing
    recurrenceFrequency: monthly
${times}  - type: drop_off
    recurrenceFrequency: hourly
    startAt: 2090-06-01 09:00
    endAt: 2090-06-01 09:00
  - type: inspection
    startAt: 2090-02-31 09:00
    endAt: tomorrow
    recurrenceEndDate: 2090-12-31T00:00:00Z
    recurrenceInterval: 1001
    carId: x
    cars: { colour: red }
  - type: Inspection
    recurrenceFrequency: monthly
    cars: red
${times}  - inspection
`,
      [
        'line 2 type: must be an event type for care of a car; known: inspection and interior_cleaning',
        'line 6 type: must be an event type for care of a car; known: inspection and interior_cleaning',
        'line 7 recurrenceFrequency: must be one of daily, weekly, biweekly, monthly, quarterly, yearly',
        'line 9 endAt: must be after startAt',
        'line 15 carId: is unknown',
        'line 10 recurrenceFrequency: is required',
        'line 14 recurrenceInterval: must be at most 1000',
        'line 16 colour: is no field of a car',
        'line 11 startAt: must be a local time such as 2026-12-01 09:00',
        'line 12 endAt: must be a local time such as 2026-12-01 09:00',
        'line 13 recurrenceEndDate: must be a local date such as 2027-12-31',
        'line 17 type: is already on line 10',
        'line 19 cars: must be fields of cars, such as { make: Porsche }',
        'line 22: must be a record with a type',
      ],
    ],
    ['', ['line 1 care: must be a list of kinds of care']],
    ['care: []\n', ['line 1 care: must be a list of kinds of care']],
    ['locations: []\n', expect.arrayContaining(['line 1 locations: is unknown'])],
    ['care: [', [expect.stringMatching(/^line 1: /)]],
  ];
  test.each(wrong)('a wrong plan is refused with its lines, %#', async (text, told) => {
    const { code, stdout, error } = await apply(text);
    const issues = error.details.issues.map((one: { path: string; message: string }) =>
      [one.path, one.message].join(': '),
    );
    expect([code, stdout, issues, await list()]).toEqual([3, '', told, []]);
  });

  test('a name of several types is refused', async () => {
    await createEventType(service.admin, team, {
      value: 'inspection_2',
      name: 'Inspection',
      scope: 'vehicle',
    });
    const { code, error } = await apply(inspection);
    expect([code, error.details.issues]).toMatchObject([
      3,
      [{ path: 'line 2 type', message: 'is the name of several event types: give its value' }],
    ]);
  });
});

describe('due', () => {
  const day = 86_400_000;
  beforeEach(async () => {
    const add = (carId: string, at: number, given: object) =>
      make.appointment({
        carId,
        recurrenceFrequency: 'monthly',
        recurrenceCount: 1,
        startAt: new Date(at).toISOString(),
        endAt: new Date(at + 60_000).toISOString(),
        ...given,
      });
    const appointmentTypeId = ids.inspection;
    const now = Date.now();
    // The latest of what is overdue stands for those before it.
    await add(ids.emma, now - 70 * day, { appointmentTypeId });
    await add(ids.emma, now - 40 * day, { appointmentTypeId });
    await add(ids.greta, now + 3 * day, { appointmentTypeId: ids.cleaning });
    await add(ids.otto, now + 2 * day, { appointmentTypeId });
    await add(ids.otto, now + 20 * day, { appointmentTypeId });
    // Done, and none of a series.
    await add(ids.greta, now - day, { appointmentTypeId, status: 'completed' });
    await make.appointment({ carId: ids.greta, appointmentTypeId });
  });

  test('in a pipe, of a zone, a location and more days', async () => {
    expect((await due(['-o', 'csv'])).stdout.split('\r\n')[0]).toBe(
      'state,at,type,car,carId,place,customer,phone,location,startAt,id',
    );
    const { code, json, stderr } = await due();
    expect([code, stderr, await resultViolations('care due', json)]).toEqual([0, '', []]);
    expect(json.map(({ state, car }: Record<string, string>) => `${state} ${car}`)).toEqual([
      ...['overdue HH-E 61', 'due HH-O 7', 'due HH-G 2'],
    ]);
    expect(json[0]).toMatchObject({
      ...{ place: 'A1', customer: 'Ann Lee', phone: '+49405550101', type: 'inspection' },
    });
    const cars = async (...argv: readonly string[]) =>
      (await due(argv)).json.map(({ car }: Record<string, string>) => car);
    expect(await cars('--zone', 'Hall')).toEqual(['HH-E 61', 'HH-G 2']);
    expect(await cars('--location', 'Tokyo')).toEqual(['HH-O 7']);
    expect(await cars('--days', '0')).toEqual(['HH-E 61']);
    expect(await cars('--location', 'Tokyo', '--days', '30')).toEqual(['HH-O 7', 'HH-O 7']);
    await cs(['pickup', 'HH-E 61', '--yes'], { env });
    expect(await cars('--days', '0')).toEqual([]);
  });

  test('a key that reads no customers: the owners are missing, and that is told', async () => {
    const key = await service.keyWith(
      ['read:cars', 'read:parking', 'read:locations', 'read:appointments'],
      team,
    );
    const { code, stderr, json } = await due([], { env: { ...env, CS_API_KEY: key } });
    expect([code, json.length, json[0].customer, stderr]).toEqual([
      ...[0, 3, null, "Without the owners: the key or the server doesn't show customers.\n"],
    ]);
  });

  test('days are those of the location', async () => {
    const at = (iso: string) => ({ startAt: iso, endAt: iso.replace(':00:00Z', ':30:00Z') });
    for (const carId of [ids.emma, ids.otto])
      await make.appointment({
        carId,
        appointmentTypeId: ids.cleaning,
        recurrenceFrequency: 'yearly',
        ...at('2090-06-01T16:00:00Z'),
      });
    const { json } = await due(['--days', '0'], { now: new Date('2090-06-01T12:00:00Z') });
    // In Tokyo it is the next day.
    expect(
      json.filter(({ startAt }: Record<string, string>) => startAt?.startsWith('2090')),
    ).toMatchObject([{ car: 'HH-E 61', at: '2090-06-01 18:00', state: 'due' }]);
  });

  test('a terminal shows a table', async () => {
    const terminal = openTerminal(['care', 'due'], { env, columns: 80 });
    expect(await terminal.exited).toBe(0);
    const [head, first] = terminal
      .screen()
      .split('\n')
      .filter((line) => line.trim());
    expect(head?.trim().split(/ +/)).toEqual(['STATE', 'AT', 'TYPE', 'CAR', 'PLACE', 'CUSTOMER']);
    expect(first).toMatch(/^overdue +\S+ \S+ +inspection +HH-E 61 +A1 +Ann Lee/);
  });
});

describe('on a server that knows the specification alone', () => {
  test('and ignores filters: the same series, stored once', async () => {
    const other = await openOther({ filters: 'ignored' });
    const there = { env: other.env, now: other.now };
    const plan = inspection.replace('Inspection', 'interior_cleaning');
    const applied = await apply(plan, ['--yes'], there);
    expect([applied.code, other.writes().length > 0]).toEqual([0, true]);
    const { length } = other.writes();
    const again = await apply(plan, ['--yes'], there);
    expect([again.code, again.json, other.writes().length]).toEqual([0, [], length]);
    expect((await due(['--days', '40000'], there)).json).toHaveLength(length);
    await other.close();
  });

  test('unknown is never nothing found', async () => {
    const other = await openOther();
    const there = { env: other.env, now: other.now };
    const plan = inspection.replace('Inspection', 'interior_cleaning');
    for (const field of ['appointmentTypeId', 'carId', 'recurrenceFrequency']) {
      other.hide('/appointments', field);
      const { code, error } = await apply(plan, ['--yes'], there);
      expect([code, error.message]).toEqual([9, expect.stringContaining(field)]);
      expect((await due([], there)).code).toBe(9);
      await other.reset();
    }
    other.hide('/cars', 'make');
    const chosen = await apply(`${plan}    cars: { make: Jaguar }\n`, ['--yes'], there);
    expect([chosen.code, chosen.error.message]).toEqual([
      9,
      "The server doesn't tell the make of cars, so the plan is for unknown cars.",
    ]);
    await other.reset();
    for (const ways of [{ paths: 'specified' }, { nulls: 'left out' }] as const) {
      other.server.ways = ways;
      expect((await apply(plan, ['--yes'], there)).code).toBe(9);
    }
    other.server.ways = {};
    // A list that says that it has more than it shows.
    other.server.spoil = ({ method, path }, answer) =>
      method === 'GET' && path === '/appointments'
        ? { ...answer, body: String(answer.body).replace(/"total":\d+/, '"total":999') }
        : answer;
    expect((await apply(plan, ['--yes'], there)).code).toBe(9);
    // It forgets the type of what it stores.
    other.server.spoil = ({ method }, answer) =>
      method === 'POST'
        ? {
            ...answer,
            body: String(answer.body).replace(
              /"appointmentTypeId":"[^"]*"/,
              '"appointmentTypeId":null',
            ),
          }
        : answer;
    expect(other.writes()).toEqual([]);
    const forgotten = await apply(plan, ['--yes'], there);
    expect([forgotten.code, other.writes().length]).toEqual([9, 1]);
    expect(forgotten.error.details.failed[0].message).toMatch(
      /^The server doesn't tell the type and the recurrence of the appointment (\S+) that it stored, so the next run would plan it again: cancel it with `cs appointments cancel \1`\.$/,
    );
    await other.close();
  });
});
