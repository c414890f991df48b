import { afterEach, describe, expect, test } from 'vitest';
import {
  type Client,
  createClient,
  ProtocolError,
  type ServerWarning,
  sync,
} from '../../src/client/client.ts';
import { conditionsOf, type Fit } from '../../src/client/filters.ts';
import { contract, type ResourceName } from '../../src/contract/contract.ts';
import type { Resource } from '../../src/contract/resource.ts';
import {
  json,
  type MisbehavingServer,
  startMisbehavingServer,
} from '../helpers/misbehaving-server.ts';

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

const emma = '0199aaaa-0000-7000-8000-000000000001';
const ferdi = '0199aaaa-0000-7000-8000-000000000002';

const refusal = (error: string, form: object = { code: 'invalid', details: null }) =>
  json(422, { error, ...form });

type Row = Record<string, unknown>;
interface Ways {
  /** Parameters that the server applies; it ignores the others. */
  applies?: readonly string[];
  /** The field that it searches for words (`q`). */
  searches?: string;
  /** Parameters for which it finds nothing. */
  findsNothing?: readonly string[];
  /** Parameters that it refuses with 422. */
  refuses?: readonly string[];
  /** Its errors have another shape than those of the specification. */
  ownErrors?: true;
  /** Its largest page; a larger one is refused. */
  most?: number;
  /** The code and the details of a refused limit. */
  form?: object;
  /** What it sends beside the records. */
  frame?: (numbers: { page: number; limit: number; total: number }) => object;
  /** It answers every page with all records. */
  unpaged?: boolean;
}

async function serve(
  rows: readonly Row[],
  ways: Ways = {},
): Promise<{ client: Client; server: MisbehavingServer; warnings: ServerWarning[] }> {
  const {
    applies = [],
    refuses = [],
    most = 200,
    frame = (numbers) => numbers,
    unpaged = false,
    searches,
    form,
    findsNothing = [],
  } = ways;
  const server = await startMisbehavingServer(({ url }) => {
    const query = new URL(url, 'http://localhost').searchParams;
    const limit = Number(query.get('limit') ?? Math.min(50, most));
    const page = Number(query.get('page') ?? 1);
    const bad = refuses.find((name) => query.has(name));
    if (bad)
      return ways.ownErrors
        ? json(422, { message: `unexpected parameter ${bad}` })
        : refusal(`unexpected parameter ${bad}`);
    if (limit > most) return refusal(`limit must be at most ${most}`, form);
    const word = query.get('q');
    const fits = (row: Row) =>
      searches === undefined || word === null || String(row[searches]).includes(word);
    const known = findsNothing.some((name) => query.has(name)) ? [] : rows;
    const found = known.filter(
      (row) =>
        fits(row) &&
        applies.every((name) => !query.has(name) || String(row[name]) === query.get(name)),
    );
    const data = unpaged ? found : found.slice((page - 1) * limit, page * limit);
    return json(200, { data, ...frame({ page, limit, total: found.length }) });
  });
  const warnings: ServerWarning[] = [];
  const client = createClient({
    baseUrl: server.url,
    key: 'csk_a.b',
    sleep: async () => {},
    onWarning: (warning) => warnings.push(warning),
  });
  opened.push(client, server);
  return { client, server, warnings };
}

const appointments = Array.from({ length: 120 }, (_, index) => ({
  id: `a${index}`,
  carId: index % 40 === 0 ? ferdi : emma,
}));
const ofFerdi = ['a0', 'a40', 'a80'];
const idsOf = (rows: readonly object[]) => rows.map((row) => (row as { id: unknown }).id);

describe('a server that ignores a filter', () => {
  test('gives the right records in a whole list, with one warning', async () => {
    const { client, warnings } = await serve(appointments);
    expect(idsOf(await Array.fromAsync(client.appointments.all({ carId: ferdi })))).toEqual(
      ofFerdi,
    );
    expect(idsOf(await Array.fromAsync(client.appointments.all({ carId: ferdi })))).toEqual(
      ofFerdi,
    );
    expect(warnings).toMatchObject([
      { kind: 'filter_ignored', message: expect.stringContaining('ignores carId') },
    ]);
  });

  test('gives the right page, and a total only where it was read to the end', async () => {
    const { client } = await serve(appointments);
    const first = await client.appointments.list({ carId: ferdi, limit: 2 });
    expect(first).toMatchObject({ page: 1, limit: 2, total: undefined });
    expect(idsOf(first.data)).toEqual(['a0', 'a40']);
    const second = await client.appointments.list({ carId: ferdi, limit: 2, page: 2 });
    expect(second.total).toBe(3);
    expect(idsOf(second.data)).toEqual(['a80']);
  });

  test('is an error where a record lacks the field', async () => {
    const { client } = await serve([...appointments, { id: 'untold' }]);
    const error = await Array.fromAsync(client.appointments.all({ carId: ferdi })).catch(
      (caught: unknown) => caught,
    );
    expect(error).toBeInstanceOf(ProtocolError);
    expect(error).toMatchObject({
      code: 'filter_ignored',
      message: expect.stringContaining('carId'),
    });
  });

  test('cannot be told from one that applies it, for records without the field: an error, unless the caller takes them', async () => {
    const { client, warnings } = await serve([{ id: 'untold' }]);
    await expect(client.appointments.list({ carId: ferdi })).rejects.toMatchObject({
      code: 'filter_ignored',
    });
    await expect(Array.fromAsync(client.appointments.all({ carId: ferdi }))).rejects.toMatchObject({
      code: 'filter_ignored',
    });
    expect(warnings).toEqual([]);
    expect(
      await Array.fromAsync(client.appointments.all({ carId: ferdi }, { strict: false })),
    ).toHaveLength(1);
    expect(warnings).toMatchObject([
      { kind: 'filter_unchecked', message: expect.stringContaining('whether it applied carId') },
    ]);
  });

  test.each(['05.05.2026 10:00', 1_777_975_200, '2026', '2026-05-05', '2026-05-05T10:00:00'])(
    'is an error that names the specification where a time has another form: %j',
    async (startAt) => {
      const { client } = await serve([{ id: 'a', startAt }]);
      const reading = Array.fromAsync(
        client.appointments.all({ startFrom: '2026-05-01T00:00:00Z' }),
      );
      await expect(reading).rejects.toMatchObject({
        code: 'filter_ignored',
        message: expect.stringMatching(
          /startAt of its records, such as .*section 2.*"All timestamps are strings in ISO 8601 date-time format"/,
        ),
      });
    },
  );

  test('names the sentence of the specification where it is one of every list', async () => {
    const { client, warnings } = await serve([{ id: emma }, { id: ferdi }]);
    expect(idsOf((await client.cars.list({ ids: [ferdi] })).data)).toEqual([ferdi]);
    expect(warnings[0]?.message).toContain(
      'ids, which the specification (section 8) gives every list',
    );
  });

  test('gives a sync the changes alone', async () => {
    const rows = [
      { id: 'new', updatedAt: '2026-05-02T00:00:00Z' },
      { id: 'old', updatedAt: '2026-05-01T00:00:00+02:00' },
    ];
    const { client } = await serve(rows);
    expect(
      idsOf(await Array.fromAsync(sync(client, 'cars', { since: '2026-05-01T12:00:00.000Z' }))),
    ).toEqual(['new']);
  });
});

describe('an empty list', () => {
  const missing = '0199aaaa-0000-7000-8000-000000000003';

  test('of a server that finds nothing for a filter: the whole list is filtered here', async () => {
    const { client, warnings } = await serve(appointments, { findsNothing: ['carId'] });
    expect(
      (await client.appointments.list({ carId: ferdi, limit: 2 })).data.map(({ id }) => id),
    ).toEqual(['a0', 'a40']);
    expect(idsOf(await Array.fromAsync(client.appointments.all({ carId: ferdi })))).toEqual(
      ofFerdi,
    );
    expect(warnings).toMatchObject([{ kind: 'filter_ignored' }]);
  });

  test('of a server that applies the filter is true; it is tried once', async () => {
    const { client, server, warnings } = await serve(appointments, { applies: ['carId'] });
    for (const _ of [1, 2])
      expect(await Array.fromAsync(client.appointments.all({ carId: missing }))).toEqual([]);
    expect((await client.appointments.list({ carId: missing })).data).toEqual([]);
    expect(warnings).toEqual([]);
    expect(server.requests.map(({ url }) => url.replace('/api/v1/appointments?', ''))).toEqual([
      `carId=${missing}&page=1&limit=200`,
      'limit=50',
      `carId=${ferdi}&limit=1`,
      `carId=${missing}&page=1&limit=200`,
      `carId=${missing}`,
    ]);
  });

  test('is not checked where the caller takes it as it is, or where no record has a value', async () => {
    const { client } = await serve(appointments, { findsNothing: ['carId', 'locationId'] });
    expect((await client.appointments.list({ carId: ferdi }, { strict: false })).data).toEqual([]);
    expect((await client.appointments.list({ locationId: ferdi })).data).toEqual([]);
  });
});

describe('a server that refuses a filter', () => {
  test.each([{}, { ownErrors: true }] as const)(
    'is read without it, and is not asked again: %j',
    async (ways) => {
      const { client, server, warnings } = await serve(appointments, {
        refuses: ['carId'],
        ...ways,
      });
      expect(idsOf((await client.appointments.list({ carId: ferdi })).data)).toEqual(ofFerdi);
      const before = server.requests.length;
      expect(idsOf(await Array.fromAsync(client.appointments.all({ carId: ferdi })))).toEqual(
        ofFerdi,
      );
      expect(server.requests.slice(before).some(({ url }) => url.includes('carId'))).toBe(false);
      expect(warnings).toMatchObject([
        { kind: 'filter_refused', message: expect.stringContaining('unexpected parameter carId') },
      ]);
    },
  );

  test('keeps its refusal of a value that the interface does not have', async () => {
    const { client, server } = await serve(appointments, { refuses: ['status'] });
    await expect(
      client.appointments.list({ status: 'parked' as 'scheduled' }),
    ).rejects.toMatchObject({ status: 422 });
    expect(server.requests).toHaveLength(1);
  });
});

describe('a server that applies a filter in its own way', () => {
  const cars = Array.from({ length: 250 }, (_, index) => ({
    id: `c${index}`,
    nickname: index % 100 === 7 ? 'Ferdi' : 'Emma',
  }));
  const byLetter = ({ url }: { url: string }) => {
    const query = new URL(url, 'http://localhost').searchParams;
    const [page, limit] = [Number(query.get('page') ?? 1), Number(query.get('limit') ?? 50)];
    // Its own idea of what is found, for every word.
    const found = query.has('q') ? cars.slice(0, 10) : cars;
    return json(200, {
      data: found.slice((page - 1) * limit, page * limit),
      page,
      limit,
      total: found.length,
    });
  };

  test('is read without it, so that no record is missed, and none comes twice', async () => {
    const server = await startMisbehavingServer(byLetter);
    const client = createClient({ baseUrl: server.url, key: 'csk_a.b' });
    opened.push(client, server);
    expect(idsOf(await Array.fromAsync(client.cars.all({ q: 'ferdi' })))).toEqual([
      'c7',
      'c107',
      'c207',
    ]);
    expect(idsOf((await client.cars.list({ q: 'ferdi', limit: 2 })).data)).toEqual(['c7', 'c107']);
    expect(server.requests.slice(3).some(({ url }) => url.includes('q='))).toBe(false);
  });
});

describe('a server with smaller pages', () => {
  test('is read in pages that it gives', async () => {
    const { client, warnings } = await serve(appointments, { most: 100 });
    expect(await Array.fromAsync(client.appointments.all())).toHaveLength(120);
    expect(warnings).toMatchObject([
      { kind: 'limit_refused', message: expect.stringContaining('section 8') },
    ]);
  });

  test('below 50: in the size of its own', async () => {
    const { client, warnings } = await serve(appointments, { most: 20 });
    expect(await Array.fromAsync(client.appointments.all())).toHaveLength(120);
    expect(warnings).toMatchObject([
      {
        kind: 'limit_refused',
        message: expect.stringContaining('allows 1 to 200 records per page'),
      },
    ]);
  });

  test.each([
    {
      code: 'VALIDATION',
      details: { issues: [{ path: ['limit'], code: 'too_big', message: 'Too big' }] },
    },
    { code: 'validation_failed', details: { issues: [{ path: ['limit'], rule: 'too_big' }] } },
    { code: 'E-1', details: ['limit'] },
  ])('is read so too where it says so in its own form: %j', async (form) => {
    const { client } = await serve(appointments, { most: 100, form });
    expect(await Array.fromAsync(client.appointments.all())).toHaveLength(120);
  });

  test('and without a filter', async () => {
    const { client } = await serve(appointments, { most: 100, refuses: ['carId'] });
    expect(idsOf(await Array.fromAsync(client.appointments.all({ carId: ferdi })))).toEqual(
      ofFerdi,
    );
  });
});

describe('a server that does not count', () => {
  test.each<[string, Ways]>([
    ['the records alone, in pages', { frame: () => ({}) }],
    ['the records alone, all at once', { frame: () => ({}), unpaged: true }],
    ['no total', { frame: ({ page, limit }) => ({ page, limit }) }],
    [
      'a total as text',
      { frame: ({ page, limit, total }) => ({ page, limit, total: `${total}` }) },
    ],
    ['null for each', { frame: () => ({ page: null, limit: null, total: null }) }],
  ])('is read to its end: %s', async (_, ways) => {
    const rows = Array.from({ length: 450 }, (__, index) => ({ id: index + 1 }));
    const { client } = await serve(rows, ways);
    // Ids are text for the client, as in the specification.
    expect(idsOf(await Array.fromAsync(client.cars.all()))).toEqual(idsOf(rows).map(String));
  });

  test('misses no record that moves to a page which was read already', async () => {
    const rows = Array.from({ length: 250 }, (_, index) => ({ id: `r${index}` }));
    let reads = 0;
    const server = await startMisbehavingServer(({ url }) => {
      const query = new URL(url, 'http://localhost').searchParams;
      const page = Number(query.get('page'));
      if (reads++ === 1) rows.shift();
      return json(200, { data: rows.slice((page - 1) * 200, page * 200) });
    });
    const client = createClient({ baseUrl: server.url, key: 'csk_a.b' });
    opened.push(client, server);
    expect(await Array.fromAsync(client.cars.all())).toHaveLength(250);
  });

  test('answers one page without a total', async () => {
    const { client } = await serve(appointments, { frame: () => ({}) });
    expect(await client.appointments.list({ limit: 10 })).toMatchObject({
      page: 1,
      limit: 10,
      total: undefined,
    });
  });
});

describe('a search by words', () => {
  const cars = Array.from({ length: 120 }, (_, index) => ({
    id: `c${index}`,
    nickname: index % 40 === 0 ? 'Ferdi' : 'Emma',
    owner: 'Ann',
  }));

  test('on a server that ignores it: the whole list is read and searched here', async () => {
    const { client, warnings } = await serve(cars);
    const page = await client.cars.list({ q: 'ferdi', limit: 2 });
    expect([page.data.map(({ id }) => id), page.total]).toEqual([['c0', 'c40'], undefined]);
    expect((await Array.fromAsync(client.cars.all({ q: 'ferdi' }))).map(({ id }) => id)).toEqual([
      'c0',
      'c40',
      'c80',
    ]);
    expect(warnings).toMatchObject([
      { kind: 'filter_ignored', message: expect.stringContaining('ignores q') },
    ]);
  });

  test('on a server that refuses it: the same', async () => {
    const { client, warnings } = await serve(cars, { refuses: ['q'] });
    expect((await client.cars.list({ q: 'ferdi' })).data.map(({ id }) => id)).toEqual([
      'c0',
      'c40',
      'c80',
    ]);
    expect(warnings).toMatchObject([{ kind: 'filter_refused' }]);
  });

  test('in fields of the server: what it found', async () => {
    const { client, warnings, server } = await serve(cars, { searches: 'owner' });
    expect((await client.cars.list({ q: 'Ann', limit: 2 })).total).toBe(120);
    expect((await client.cars.list({ q: 'Ann', limit: 2 })).total).toBe(120);
    expect(warnings).toEqual([]);
    // Once, a word that no record has.
    expect(server.requests).toHaveLength(3);
  });
});

describe('whether a record meets a filter', () => {
  const cases: [ResourceName, string, unknown, Row, Fit][] = [
    ['cars', 'customerId', emma, { customerId: emma.toUpperCase() }, 'meets'],
    ['cars', 'customerId', emma, { customerId: null }, 'differs'],
    ['cars', 'customerId', emma, {}, 'unknown'],
    ['cars', 'customerId', '17', { customerId: 17 }, 'meets'],
    ['cars', 'status', 'stored', { status: 'expected' }, 'differs'],
    ['cars', 'status', 'stored', { status: null }, 'unknown'],
    ['templates', 'channel', 'sms', { channel: null }, 'unknown'],
    ['cars', 'licensePlate', 'HH-RS 73', { licensePlate: 'HHRS73' }, 'meets'],
    ['cars', 'licensePlate', 'HH-RS 73', { licensePlate: 'HH-RS 74' }, 'differs'],
    [
      'appointments',
      'startFrom',
      '2026-05-01T10:00:00Z',
      { startAt: '2026-05-01T12:00:00+02:00' },
      'meets',
    ],
    [
      'appointments',
      'startFrom',
      '2026-05-01T10:00:01Z',
      { startAt: '2026-05-01T11:59:00+02:00' },
      'differs',
    ],
    [
      'appointments',
      'startTo',
      '2026-05-01T10:00:00.500Z',
      { startAt: '2026-05-01T10:00:00Z' },
      'meets',
    ],
    ['appointments', 'startTo', '2026-05-01T10:00:00Z', { startAt: null }, 'differs'],
    [
      'cars',
      'updatedAfter',
      '2026-05-01T10:00:00.700Z',
      { updatedAt: '2026-05-01T10:00:00Z' },
      'meets',
    ],
    [
      'cars',
      'updatedAfter',
      '2026-05-01T10:00:02Z',
      { updatedAt: '2026-05-01T10:00:00Z' },
      'differs',
    ],
    ['locations', 'isActive', true, { isActive: false }, 'differs'],
    ['parkingAssignments', 'carId', 'aB3xK9', { carId: 'Ab3xk9' }, 'differs'],
    ['parkingAssignments', 'carId', 'aB3xK9', { carId: 'aB3xK9' }, 'meets'],
    ['parkingSpots', 'available', true, { isActive: true, occupiedByCarId: emma }, 'differs'],
    ['parkingSpots', 'available', true, { isActive: true, occupiedByCarId: null }, 'meets'],
    ['parkingSpots', 'available', false, { isActive: false, occupiedByCarId: null }, 'meets'],
    ['parkingSpots', 'available', true, { isActive: true }, 'unknown'],
    ['parkingSpots', 'available', true, { isActive: 'yes', occupiedByCarId: null }, 'unknown'],
    ['parkingZones', 'available', true, { isActive: true, available: 'some' }, 'unknown'],
    ['locations', 'isActive', true, { isActive: 1 }, 'unknown'],
    ['customers', 'externalId', '1-23', { externalId: '12-3' }, 'differs'],
    [
      'appointments',
      'startFrom',
      '2026-05-01T10:00:00Z',
      { startAt: '05.05.2026 10:00' },
      'unknown',
    ],
    ['appointments', 'startTo', '2026-05-01T10:00:00Z', { startAt: 1777975200000 }, 'unknown'],
    ['cars', 'updatedAfter', '2026-05-01T10:00:02Z', { updatedAt: null }, 'unknown'],
    ['parkingSpots', 'available', true, { isActive: null, occupiedByCarId: null }, 'unknown'],
    ['parkingZones', 'available', true, { isActive: true, available: 0 }, 'differs'],
    ['parkingZones', 'available', true, { isActive: true, available: null }, 'meets'],
    ['parkingAssignments', 'active', true, { endedAt: '2026-05-01T10:00:00Z' }, 'differs'],
    ['parkingAssignments', 'active', true, { endedAt: null }, 'meets'],
    ['customers', 'email', 'Emma@Example.com', { email: 'emma@example.com' }, 'meets'],
    ['cars', 'q', 'hhe61 porsche', { licensePlate: 'HH-E 61', make: 'Porsche' }, 'differs'],
    [
      'cars',
      'q',
      '911 porsche',
      { licensePlate: 'HH-E 61', make: 'Porsche', model: '911' },
      'meets',
    ],
    ['cars', 'q', 'hhe61', { licensePlate: 'HH-E 61' }, 'meets'],
    ['customers', 'q', 'annlee', { firstName: 'Ann', lastName: 'Lee' }, 'meets'],
    ['socialPosts', 'socialAccountId', emma, { socialAccountIds: [ferdi] }, 'differs'],
    ['parkingAssignments', 'active', true, { endedAt: '2026-05-05T11:59:00Z' }, 'differs'],
    ['parkingAssignments', 'active', true, { endedAt: '2026-05-05T14:01:00+02:00' }, 'meets'],
    // It may have ended right now, by a clock that runs ahead.
    ['parkingAssignments', 'active', false, { endedAt: '2026-05-05T12:01:00Z' }, 'meets'],
    ['parkingAssignments', 'active', false, { endedAt: '2026-05-05T12:06:00Z' }, 'differs'],
  ];
  const now = Date.parse('2026-05-05T12:00:00Z');
  test.each(cases)('%s %s=%s of %j: it %s', (name, filter, value, row, expected) => {
    const [condition] = conditionsOf(
      contract[name] as Resource,
      { [filter]: value as string },
      now,
    );
    expect(condition?.fits(row)).toBe(expected);
  });

  test('is told for every filter', () => {
    for (const [name, resource] of Object.entries<Resource>(contract))
      for (const [filter, { schema }] of Object.entries(resource.filters ?? {}))
        expect([
          name,
          filter,
          conditionsOf(resource, { [filter]: schema === undefined ? '' : 'x' }, now).length,
        ]).toEqual([name, filter, 1]);
  });
});
