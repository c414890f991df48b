import { afterEach, describe, expect, expectTypeOf, test } from 'vitest';
import * as entry from '../../src/client/client.ts';
import {
  type Client,
  createClient,
  type Page,
  type RecordFor,
  wasReplayed,
} from '../../src/client/client.ts';
import { contract } from '../../src/contract/contract.ts';
import { operationsOf } from '../../src/contract/operations.ts';
import type { Resource } from '../../src/contract/resource.ts';
import {
  html,
  json,
  type MisbehavingServer,
  problem,
  raw,
  record,
  type Script,
  startMisbehavingServer,
} from '../helpers/misbehaving-server.ts';
import { noAbilities } from '../helpers/no-abilities.ts';

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

const promised = { ...noAbilities, promisesLists: true, idempotencyKeys: true };
const promise = { 'total-of': 'all-pages' };

async function connect(
  script: Script,
): Promise<{ client: Client; server: MisbehavingServer; seen: () => string[] }> {
  const server = await startMisbehavingServer(script);
  const client = createClient({
    baseUrl: server.url,
    key: 'csk_a.b',
    abilities: promised,
    sleep: async () => {},
  });
  opened.push(client, server);
  return {
    client,
    server,
    seen: () => server.requests.map(({ method, url }) => `${method} ${url.replace('/api/v1', '')}`),
  };
}

const page = (data: object[], more: object = {}) =>
  json(200, { data, page: 1, limit: 50, total: data.length, ...more }, promise);

describe('the methods of a resource', () => {
  test('match its operations', () => {
    const client = createClient({ baseUrl: 'http://127.0.0.1:1' });
    for (const [name, resource] of Object.entries<Resource>(contract)) {
      const verbs = Array.from(operationsOf(resource), ({ verb }) => verb as string);
      const expected = verbs.includes('list') ? [...verbs, 'all'] : verbs;
      expect(Object.keys(client[name as keyof typeof contract]).sort()).toEqual(expected.sort());
      expect(resource.name).toBe(name);
    }
    expect(Object.keys(client).sort()).toEqual(
      [...Object.keys(contract), 'close', 'transport'].sort(),
    );
  });

  test('send their arguments', async () => {
    const { client, seen, server } = await connect((request) => {
      if (request.url.includes('/content')) return raw(200, 'image/png', 'bytes');
      if (request.method === 'DELETE')
        return json(200, { data: { id: /([^/?]+)(\?|$)/.exec(request.url)?.[1], deleted: true } });
      const one = /\/(?:cars|events)\/([^/]+)$/.exec(request.url)?.[1] ?? 'c1';
      return /\/(cars|photos|events)(\?|$)/.test(request.url) && request.method === 'GET'
        ? page([{ id: 'c1' }])
        : record({ id: decodeURIComponent(one) });
    });
    expect(await client.me.get()).toEqual({ id: 'c1' });
    expect(await client.cars.list({ status: 'stored', ids: ['c1', 'c2'], page: 1 })).toMatchObject({
      data: [{ id: 'c1' }],
      total: 1,
    });
    await client.cars.list();
    await client.cars.get('c/1');
    await client.cars.create(
      { year: 1973, make: 'Porsche', model: '911' },
      { idempotencyKey: 'mine' },
    );
    await client.cars.update('c1', { notes: null });
    await client.carEvents.list('c1', { activityType: 'drop_off' });
    await client.carEvents.get('c1', 'e1');
    await client.carEvents.create(
      'c1',
      { activityType: 'drop_off', parkingSpotId: 's1' },
      { ifParkedIn: 's0' },
    );
    await client.locations.delete('l1');
    expect(await client.locations.delete('l1', { hard: true })).toEqual({
      id: 'l1',
      deleted: true,
    });
    expect(await client.carPhotos.delete('c1', 'p1')).toEqual({ id: 'p1', deleted: true });
    const content = await client.carPhotos.content('c1', 'p1');
    expect(content).toMatchObject({ contentType: 'image/png' });
    expect(Buffer.concat(await Array.fromAsync(content.body)).toString()).toBe('bytes');
    expect(seen()).toEqual([
      'GET /me',
      'GET /cars?status=stored&ids=c1%2Cc2&page=1',
      'GET /cars',
      'GET /cars/c%2F1',
      'POST /cars',
      'PATCH /cars/c1',
      'GET /cars/c1/events?activityType=drop_off',
      'GET /cars/c1/events/e1',
      'POST /cars/c1/events',
      'DELETE /locations/l1',
      'DELETE /locations/l1?hard=true',
      'DELETE /cars/c1/photos/p1',
      'GET /cars/c1/photos/p1/content',
    ]);
    expect(server.requests.map(({ body }) => body).filter(Boolean)).toEqual([
      '{"year":1973,"make":"Porsche","model":"911"}',
      '{"notes":null}',
      '{"activityType":"drop_off","parkingSpotId":"s1"}',
    ]);
    expect(server.requests[4]?.headers['idempotency-key']).toBe('mine');
    expect(server.requests[8]?.headers['if-parked-in']).toBe('s0');
  });

  test('keep fields outside the contract, and allow missing fields', async () => {
    const { client } = await connect([record({ id: 'c1', invented: { later: true } })]);
    expect(await client.cars.get('c1')).toEqual({ id: 'c1', invented: { later: true } });
  });

  test('refuse an id that would change the path, before the first request', async () => {
    const { client, server } = await connect([record({})]);
    await expect(client.cars.get('')).rejects.toMatchObject({
      name: 'UsageError',
      code: 'invalid_path',
    });
    await expect(client.carEvents.get('c1', '..')).rejects.toMatchObject({ code: 'invalid_path' });
    await expect(client.carEvents.all('').next()).rejects.toMatchObject({ code: 'invalid_path' });
    expect(server.requests).toEqual([]);
  });

  test('accept the options of a call', async () => {
    const { client, server } = await connect([problem(500, 'internal_error')]);
    await expect(client.cars.get('c1', { retries: 1 })).rejects.toMatchObject({ status: 500 });
    expect(server.requests).toHaveLength(2);
    const enough = AbortSignal.abort(new Error('enough'));
    await expect(client.cars.list({}, { signal: enough })).rejects.toThrow('enough');
    await expect(client.cars.all({}, { signal: enough }).next()).rejects.toThrow('enough');
  });
});

test('the types match the contract', () => {
  expectTypeOf<keyof Client>().toEqualTypeOf<keyof typeof contract | 'transport' | 'close'>();
  expectTypeOf<keyof Client['cars']>().toEqualTypeOf<
    'list' | 'all' | 'get' | 'create' | 'update'
  >();
  expectTypeOf<keyof Client['me']>().toEqualTypeOf<'get'>();
  expectTypeOf<keyof Client['carPhotos']>().toEqualTypeOf<
    'list' | 'all' | 'get' | 'create' | 'delete' | 'content'
  >();

  expectTypeOf<Client['cars']['list']>().returns.resolves.toEqualTypeOf<Page<RecordFor<'cars'>>>();
  expectTypeOf<RecordFor<'cars'>>().toHaveProperty('licensePlate').toEqualTypeOf<string | null>();
  expectTypeOf<RecordFor<'cars'>>().toHaveProperty('updatedAt').toEqualTypeOf<string>();
  expectTypeOf<Client['cars']['get']>().parameter(0).toEqualTypeOf<string>();
  expectTypeOf<Client['carEvents']['get']>().parameter(1).toEqualTypeOf<string>();
  expectTypeOf<Client['carEvents']['create']>()
    .returns.resolves.toHaveProperty('sessionId')
    .toEqualTypeOf<string>();
  expectTypeOf<Client['me']['get']>()
    .returns.resolves.toHaveProperty('keyName')
    .toEqualTypeOf<string>();

  const client = createClient({ baseUrl: 'http://127.0.0.1:1' });
  const never = () => {
    // @ts-expect-error a car needs a year
    void client.cars.create({ make: 'Porsche', model: '911' });
    // @ts-expect-error it is read-only
    void client.cars.update('c1', { parkingSpotId: 's1' });
    // @ts-expect-error no such status
    void client.cars.list({ status: 'lost' });
    // @ts-expect-error events are never changed
    void client.carEvents.update('c1', 'e1', {});
    // @ts-expect-error an event has a car
    void client.carEvents.list({ activityType: 'drop_off' });
    // @ts-expect-error all reads every page
    void client.cars.all({ page: 2 });
    // @ts-expect-error photos are deleted for good anyway
    void client.carPhotos.delete('c1', 'p1', { hard: true });
    void client.locations.delete('l1', { hard: true });
  };
  expect(never).toBeTypeOf('function');
});

describe('wasReplayed', () => {
  const replay = { 'idempotent-replayed': 'true' };
  const body = { year: 1973, make: 'Porsche', model: '911' };

  test.each([
    ['an answer that the server replays', [record({ id: 'c1' }, replay)], true],
    ['a new answer', [record({ id: 'c1' })], false],
    [
      'a replayed answer after a refused attempt, which stored nothing',
      [problem(429, 'rate_limited'), record({ id: 'c1' }, replay)],
      true,
    ],
  ])('%s', async (_, script, expected) => {
    const { client } = await connect(script);
    expect(wasReplayed(await client.cars.create(body, { idempotencyKey: 'k' }))).toBe(expected);
  });

  test('false after a retry in the same call, since the first attempt may have stored the record', async () => {
    const description = json(200, {
      paths: {
        '/api/v1/cars': { post: { parameters: [{ in: 'header', name: 'Idempotency-Key' }] } },
      },
    });
    let posts = 0;
    const { client } = await connect((request) => {
      if (request.url.endsWith('/openapi.json')) return description;
      posts += 1;
      return posts === 1 ? html(502) : record({ id: 'c1' }, replay);
    });
    const made = await client.cars.create(body);
    expect([posts, wasReplayed(made)]).toEqual([2, false]);
  });
});

test('the package entry exports exactly these names', () => {
  expect(Object.keys(entry).sort()).toMatchInlineSnapshot(`
    [
      "ApiError",
      "CarStorageError",
      "NetworkError",
      "ProtocolError",
      "UnsteadyListError",
      "UsageError",
      "createClient",
      "readAbilities",
      "sync",
      "uploadPhotos",
      "wasReplayed",
    ]
  `);
});
