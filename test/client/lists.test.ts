/** Lists on servers that don't promise to apply filters, and on those that do. */
import { afterEach, describe, expect, test } from 'vitest';
import {
  type Client,
  type ClientOptions,
  createClient,
  type ServerWarning,
  sync,
} from '../../src/client/client.ts';
import { conditionsOf, matching } from '../../src/client/filters.ts';
import { contract, type ResourceName } from '../../src/contract/contract.ts';
import type { Resource } from '../../src/contract/resource.ts';
import { json, startMisbehavingServer } from '../helpers/misbehaving-server.ts';
import { noAbilities } from '../helpers/no-abilities.ts';

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

const emma = '0199aaaa-0000-7000-8000-000000000001';
const ferdi = '0199aaaa-0000-7000-8000-000000000002';

type Row = Readonly<Record<string, unknown>>;

interface Ways extends Partial<ClientOptions> {
  /** It applies filters, and promises that. */
  readonly promises?: boolean;
  /** Parameters that it refuses with 422. */
  readonly refuses?: readonly string[];
}

/** A server that keeps the records that it is sent, in the order of section 8. */
async function serve(
  given: readonly Row[],
  { promises = false, refuses = [], ...options }: Ways = {},
) {
  let rows = [...given];
  const server = await startMisbehavingServer(({ method, url, body }) => {
    const { pathname, searchParams: query } = new URL(url, 'http://localhost');
    const id = pathname.split('/')[4];
    if (method !== 'GET' && body.includes('refused'))
      return json(422, { error: 'no', code: 'invalid', details: null });
    if (method === 'DELETE') {
      rows = rows.filter((row) => row.id !== id);
      return json(200, { data: { id, deleted: true } });
    }
    if (method !== 'GET') {
      const row = { id: id ?? `c${rows.length + 1}`, ...JSON.parse(body) };
      rows = [row, ...rows.filter((one) => one.id !== row.id)];
      return json(id === undefined ? 201 : 200, { data: row });
    }
    const bad = refuses.find((name) => query.has(name));
    if (bad) return json(422, { error: `unexpected parameter ${bad}`, code: 'x', details: null });
    const ids = query.get('ids')?.split(',');
    const found = rows.filter(
      (row) =>
        (!ids || ids.includes(String(row.id))) &&
        (!promises || [...query].every(([name, value]) => !(name in row) || row[name] === value)),
    );
    const [page, limit] = [Number(query.get('page') ?? 1), Number(query.get('limit') ?? 50)];
    const data = found.slice((page - 1) * limit, page * limit);
    const headers = promises ? { 'total-of': 'all-pages' } : undefined;
    return json(200, { data, page, limit, total: found.length }, headers);
  });
  const warnings: ServerWarning[] = [];
  const client = createClient({
    baseUrl: server.url,
    key: 'csk_a.b',
    sleep: async () => {},
    onWarning: (warning) => warnings.push(warning),
    ...options,
  });
  opened.push(client, server);
  const asked = () => server.requests.map(({ url }) => url.replace(/^[^?]*\??/, ''));
  return { client, server, warnings, asked };
}

const appointments = Array.from({ length: 120 }, (_, index) => ({
  id: `a${index}`,
  carId: index % 40 === 0 ? ferdi : emma,
}));
const ofFerdi = ['a0', 'a40', 'a80'];
const idsOf = (rows: readonly object[]) => rows.map((row) => (row as { id: unknown }).id);
const plain = { abilities: noAbilities };

describe('a server that promises nothing', () => {
  test('gets no filter: its list is read once, and compared here', async () => {
    const { client, asked, warnings } = await serve(appointments, { ...plain, refuses: ['carId'] });
    expect(idsOf(await Array.fromAsync(client.appointments.all({ carId: ferdi })))).toEqual(
      ofFerdi,
    );
    const second = await client.appointments.list({ carId: ferdi, limit: 2, page: 2 });
    expect([idsOf(second.data), second.total]).toEqual([['a80'], 3]);
    expect((await client.appointments.list({ carId: emma, limit: 1 })).total).toBe(117);
    expect(asked()).toEqual(['page=1&limit=200']);
    expect(warnings).toEqual([]);
  });

  test('is found out by page 1 of the whole list, which is read on', async () => {
    const many = Array.from({ length: 201 }, (_, index) => ({ id: `a${index}`, carId: emma }));
    const { client, asked } = await serve(many);
    expect((await client.appointments.list({ carId: emma })).total).toBe(201);
    const pages = ['page=1&limit=200', 'page=2&limit=200'];
    expect(asked().slice(0, 2)).toEqual(pages);
  });

  test('a call that is aborted ends no other one that reads the same list', async () => {
    const { client } = await serve(appointments, plain);
    const stop = new AbortController();
    const aborted = client.appointments.list({ carId: ferdi }, { signal: stop.signal });
    const other = client.appointments.list({ carId: emma });
    stop.abort();
    await expect(aborted).rejects.toThrow();
    expect((await other).total).toBe(117);
  });

  test.each([
    ['the first page whatever is asked', { page: 1, limit: 2, total: 5 }],
    ['a total that denies its records', { page: 2, limit: 2, total: 0 }],
  ])('a page alone is checked, too: %s', async (_, numbers) => {
    const server = await startMisbehavingServer(() =>
      json(200, { data: [{ id: 'a' }, { id: 'b' }], ...numbers }),
    );
    opened.push(server);
    const client = createClient({ baseUrl: server.url, key: 'csk_a.b' });
    opened.push(client);
    await expect(client.cars.list({ page: 2, limit: 2 })).rejects.toMatchObject({
      code: 'unsteady_list',
    });
  });

  test('is not asked for a list without a filter', async () => {
    const { client, asked } = await serve(appointments);
    expect((await client.appointments.list({ ids: ['a1', 'a2'] })).data).toHaveLength(2);
    expect(await Array.fromAsync(client.appointments.all())).toHaveLength(120);
    expect(asked()).toEqual(['ids=a1%2Ca2', 'page=1&limit=200']);
  });

  test('a note says so for more than 10 pages', async () => {
    const many = Array.from({ length: 2_001 }, (_, index) => ({ id: `a${index}`, carId: emma }));
    const { client, warnings } = await serve(many, plain);
    expect(await Array.fromAsync(client.appointments.all({ carId: ferdi }))).toEqual([]);
    expect(warnings).toMatchObject([
      { kind: 'whole_list', message: expect.stringContaining('the whole list is read') },
    ]);
  });

  test('the names of what it does not tell are an error, never nothing found', async () => {
    const { client } = await serve([{ id: 'a' }, { id: 'b' }], plain);
    const error = { name: 'ProtocolError', code: 'filter_ignored' };
    await expect(client.appointments.list({ carId: ferdi })).rejects.toMatchObject({
      ...error,
      message: expect.stringMatching(/can't be filtered: no record shows carId$/),
    });
    await expect(Array.fromAsync(client.cars.all({ q: 'ferdi' }))).rejects.toMatchObject(error);
  });

  test('a record without a field that others have is empty there', async () => {
    const { client } = await serve([{ id: 'a' }, ...appointments], plain);
    expect(idsOf(await Array.fromAsync(client.appointments.all({ carId: ferdi })))).toEqual(
      ofFerdi,
    );
  });

  test('an empty list has nothing to find', async () => {
    const { client } = await serve([], plain);
    expect(await client.appointments.list({ carId: ferdi })).toMatchObject({ data: [], total: 0 });
  });

  test.each(['05.05.2026 10:00', 1_777_975_200, '2026-05-05', '2026-05-05T10:00:00'])(
    'a time of another form is compared with nothing: %j',
    async (startAt) => {
      const { client } = await serve([{ id: 'a', startAt }], plain);
      await expect(
        Array.fromAsync(client.appointments.all({ startFrom: '2026-05-01T00:00:00Z' })),
      ).rejects.toMatchObject({
        code: 'filter_ignored',
        message: expect.stringContaining(
          `the startAt of a record is ${JSON.stringify(startAt)}, in another form than the specification (section 2) has`,
        ),
      });
    },
  );

  test.each([
    ['free spots', (client: Client) => client.parkingSpots.list({ available: true })],
    ['customers with an address', (client: Client) => client.customers.list({ email: 'a@b.c' })],
    ['open assignments', (client: Client) => client.parkingAssignments.list({ active: true })],
    ['posts of an account', (client: Client) => client.socialPosts.list({ socialAccountId: 'a' })],
  ])('a rule needs what it compares: %s', async (_, list) => {
    const { client } = await serve([{ id: 'one', isActive: true }], plain);
    await expect(list(client)).rejects.toMatchObject({
      ...{ code: 'filter_ignored', message: expect.stringContaining("the records don't tell") },
    });
  });

  test('a search looks into the fields that a record shows, and is unknown where it finds nothing', async () => {
    const cars = [
      { id: 'c1', nickname: 'Ferdi' },
      { id: 'c2', nickname: 'Emma', vin: null },
    ];
    const { client, asked } = await serve(cars, plain);
    expect(idsOf((await client.cars.list({ q: 'ferdi' })).data)).toEqual(['c1']);
    await expect(client.cars.list({ q: 'HH-F 12' })).rejects.toMatchObject({
      code: 'filter_ignored',
      message: expect.stringMatching(/no record shows (?!.*(vin|nickname)).*licensePlate/),
    });
    const all = await client.cars.list({ q: 'HH-F 12', limit: 1 }, { words: 'caller' });
    expect([idsOf(all.data), all.total]).toEqual([['c1'], 2]);
    expect(asked()).toHaveLength(1);
  });

  test('event types may come as { data } alone, other lists not', async () => {
    const server = await startMisbehavingServer(() =>
      json(200, { data: [{ id: 't', scope: 'vehicle' }] }),
    );
    const client = createClient({ baseUrl: server.url, ...plain });
    opened.push(client, server);
    expect(idsOf(await Array.fromAsync(client.eventTypes.all({ scope: 'vehicle' })))).toEqual([
      't',
    ]);
    expect(await client.eventTypes.list({ limit: 5 })).toMatchObject({ total: 1 });
    await expect(client.cars.list()).rejects.toThrow(
      '"page", "limit" and "total" aren\'t whole numbers',
    );
  });

  test('a sync with a filter has the time of its first answer', async () => {
    const rows = [
      { id: 'new', status: 'stored', updatedAt: '2026-05-02T00:00:00Z' },
      { id: 'old', status: 'expected', updatedAt: '2026-05-01T00:00:00Z' },
    ];
    const { client } = await serve(rows, plain);
    const changes = sync(client, 'cars', { query: { status: 'stored' } });
    expect(idsOf(await Array.fromAsync(changes))).toEqual(['new']);
    expect(changes.next).toBe('2026-05-01T23:59:55.000Z');
  });
});

describe('a server that promises its lists', () => {
  const promises = { promises: true };

  test('is sent the filters, after page 1 of the whole list where that is not known', async () => {
    const { client, asked } = await serve(appointments, promises);
    expect(idsOf(await Array.fromAsync(client.appointments.all({ carId: ferdi })))).toEqual(
      ofFerdi,
    );
    expect((await client.appointments.list({ carId: ferdi, limit: 2 })).total).toBe(3);
    expect(asked()).toEqual([
      'page=1&limit=200',
      `carId=${ferdi}&page=1&limit=200`,
      `carId=${ferdi}&limit=2`,
    ]);
  });

  test('is asked with the filter for every page, and for what changed meanwhile', async () => {
    const rows = Array.from({ length: 201 }, (_, index) => ({
      id: `a${index}`,
      carId: ferdi,
      updatedAt: new Date(1e12 - index).toISOString(),
    }));
    const { client, asked } = await serve(rows, promises);
    expect(await Array.fromAsync(client.appointments.all({ carId: ferdi }))).toHaveLength(201);
    expect(asked().slice(1, 4)).toEqual([
      `carId=${ferdi}&page=1&limit=200`,
      `carId=${ferdi}&page=2&limit=200`,
      `carId=${ferdi}&page=1&limit=200&updatedAfter=2001-09-09T01%3A46%3A40.000Z`,
    ]);
  });

  test('no longer: that is an error, and the next list is compared here', async () => {
    const { client } = await serve(appointments, {
      abilities: { ...noAbilities, promisesLists: true },
    });
    const find = () => Array.fromAsync(client.appointments.all({ carId: ferdi }));
    await expect(find()).rejects.toMatchObject({
      code: 'filter_ignored',
      message: expect.stringContaining('it no longer promises to apply filters'),
    });
    expect(idsOf(await find())).toEqual(ofFerdi);
  });
});

describe('a list that was read whole', () => {
  const customers = [
    { id: 'c1', firstName: 'Ann', email: 'ann@example.com' },
    { id: 'c2', firstName: 'Bob', email: 'Bob@example.com' },
    { id: 'c3', firstName: 'Cy' },
  ];
  const start = async () => {
    const { client, server } = await serve(customers, plain);
    const find = async (email: string) =>
      idsOf(await Array.fromAsync(client.customers.all({ email })));
    const readings = () => server.requests.filter(({ method }) => method === 'GET').length;
    return { client, find, readings };
  };

  test('is read again after a write, and lists of other resources are kept apart', async () => {
    const { client, find, readings } = await start();
    expect(await find('new@example.com')).toEqual([]);
    await client.contacts.list({ email: 'new@example.com' });
    expect(readings()).toBe(2);
    const { id } = await client.customers.create({ firstName: 'New', email: 'NEW@example.com' });
    expect(await find('new@example.com')).toEqual([id]);
    await client.customers.update('c1', { email: 'LEE@example.com' });
    expect([await find('lee@example.com'), await find('ann@example.com')]).toEqual([['c1'], []]);
    expect(readings()).toBe(4);
  });

  test('lacks what was deleted since', async () => {
    const { client } = await serve([{ id: 'k1', email: 'Max@example.com' }], plain);
    const find = async () =>
      idsOf(await Array.fromAsync(client.contacts.all({ email: 'max@example.com' })));
    expect(await find()).toEqual(['k1']);
    await client.contacts.delete('k1');
    expect(await find()).toEqual([]);
  });

  test('is read again a minute later, and for a caller that needs it fresh', async () => {
    let now = 0;
    const { client, asked } = await serve(customers, { ...plain, now: () => now });
    const find = (call = {}) => client.customers.list({ email: 'ann@example.com' }, call);
    for (now of [0, 59_000, 60_000]) await find();
    expect(asked()).toHaveLength(2);
    await find({ fresh: true });
    expect(asked()).toHaveLength(3);
  });

  test('is read again after a write that failed, too, and after one of another resource', async () => {
    const { client, find, readings } = await start();
    await find('new@example.com');
    await expect(client.customers.create({ firstName: 'refused' })).rejects.toThrow('no');
    await find('new@example.com');
    await client.locations.create({ name: 'Hall' });
    await find('new@example.com');
    expect(readings()).toBe(3);
  });
});

describe('whether a record meets a filter', () => {
  const cases: [ResourceName, string, unknown, Row, boolean | undefined][] = [
    ['cars', 'customerId', emma, { customerId: emma.toUpperCase() }, true],
    ['cars', 'customerId', emma, { customerId: null }, false],
    ['cars', 'customerId', emma, {}, undefined],
    ['cars', 'customerId', '17', { customerId: 17 }, true],
    ['cars', 'status', 'stored', { status: 'expected' }, false],
    ['cars', 'status', 'stored', { status: null }, undefined],
    ['templates', 'channel', 'sms', { channel: null }, undefined],
    ['cars', 'licensePlate', 'HH-RS 73', { licensePlate: 'HHRS73' }, true],
    ['cars', 'licensePlate', 'HH-RS 73', { licensePlate: 'HH-RS 74' }, false],
    [
      'appointments',
      'startFrom',
      '2026-05-01T10:00:00Z',
      { startAt: '2026-05-01T12:00:00+02:00' },
      true,
    ],
    [
      'appointments',
      'startFrom',
      '2026-05-01T10:00:01Z',
      { startAt: '2026-05-01T11:59:00+02:00' },
      false,
    ],
    [
      'appointments',
      'startTo',
      '2026-05-01T10:00:00.500Z',
      { startAt: '2026-05-01T10:00:00Z' },
      true,
    ],
    ['appointments', 'startTo', '2026-05-01T10:00:00Z', { startAt: null }, false],
    ['locations', 'isActive', true, { isActive: false }, false],
    ['parkingAssignments', 'carId', 'aB3xK9', { carId: 'Ab3xk9' }, false],
    ['parkingAssignments', 'carId', 'aB3xK9', { carId: 'aB3xK9' }, true],
    ['parkingSpots', 'available', true, { isActive: true, occupiedByCarId: emma }, false],
    ['parkingSpots', 'available', true, { isActive: true, occupiedByCarId: null }, true],
    ['parkingSpots', 'available', false, { isActive: false, occupiedByCarId: null }, true],
    ['parkingSpots', 'available', true, { isActive: true }, undefined],
    ['parkingSpots', 'available', true, { isActive: 'yes', occupiedByCarId: null }, undefined],
    ['parkingZones', 'available', true, { isActive: true, available: 'some' }, undefined],
    ['locations', 'isActive', true, { isActive: 1 }, undefined],
    ['customers', 'externalId', '1-23', { externalId: '12-3' }, false],
    ['customers', 'externalId', 'crm-1', { externalId: 'CRM-1' }, false],
    ['customers', 'externalId', 'crm-1', { externalId: 'crm-1 ' }, true],
    [
      'appointments',
      'startFrom',
      '2026-05-01T10:00:00Z',
      { startAt: '05.05.2026 10:00' },
      undefined,
    ],
    ['appointments', 'startTo', '2026-05-01T10:00:00Z', { startAt: 1777975200000 }, undefined],
    ['parkingSpots', 'available', true, { isActive: null, occupiedByCarId: null }, undefined],
    ['parkingZones', 'available', true, { isActive: true, available: 0 }, false],
    ['parkingZones', 'available', true, { isActive: true, available: null }, true],
    ['parkingAssignments', 'active', true, { endedAt: '2026-05-01T10:00:00Z' }, false],
    ['parkingAssignments', 'active', true, { endedAt: null }, true],
    ['customers', 'email', 'Emma@Example.com', { email: 'emma@example.com' }, true],
    ['cars', 'q', 'hhe61 porsche', { licensePlate: 'HH-E 61', make: 'Porsche' }, undefined],
    ['cars', 'q', '911 porsche', { licensePlate: 'HH-E 61', make: 'Porsche', model: '911' }, true],
    ['cars', 'q', 'hhe61', { licensePlate: 'HH-E 61' }, true],
    ['customers', 'q', 'annlee', { firstName: 'Ann', lastName: 'Lee' }, true],
    ['socialPosts', 'socialAccountId', emma, { socialAccountIds: [ferdi] }, false],
    ['parkingAssignments', 'active', true, { endedAt: '2026-05-05T11:59:00Z' }, false],
    ['parkingAssignments', 'active', true, { endedAt: '2026-05-05T14:01:00+02:00' }, true],
    // It may have ended right now, by a clock that runs ahead.
    ['parkingAssignments', 'active', false, { endedAt: '2026-05-05T12:01:00Z' }, true],
    ['parkingAssignments', 'active', false, { endedAt: '2026-05-05T12:06:00Z' }, false],
  ];
  const now = Date.parse('2026-05-05T12:00:00Z');
  test.each(cases)('%s %s=%s of %j: %s', (name, filter, value, row, expected) => {
    const resource: Resource = contract[name];
    const conditions = conditionsOf(resource, { [filter]: value as string });
    // Another record shows every field.
    const shown = Object.fromEntries(Object.keys(row).map((field) => [field, null]));
    const { rows, unknown } = matching([row, shown], conditions, { resource, now });
    expect(unknown === undefined ? rows.includes(row) : undefined).toBe(expected);
  });

  test('is told for every filter that is not sent to every server', () => {
    for (const resource of Object.values<Resource>(contract))
      for (const [name, { required }] of Object.entries(resource.filters ?? {}))
        expect(conditionsOf(resource, { [name]: 'x' })).toHaveLength(
          required || name === 'scope' ? 0 : 1,
        );
  });
});
