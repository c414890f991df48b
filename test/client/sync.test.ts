/** Changes since the last run, with the real service and with servers that have other clocks and orders. */

import { afterAll, describe, expect, test } from 'vitest';
import { createClient, sync } from '../../src/client/client.ts';
import { startOf } from '../../src/client/sync.ts';
import { facility } from '../helpers/facility.ts';
import { startFaultyProxy } from '../helpers/faulty-proxy.ts';
import fc from '../helpers/property.ts';
import { testService } from '../helpers/service.ts';

const service = await testService();
const make = facility(service);
const client = createClient({ baseUrl: service.url, key: service.key });
afterAll(async () => {
  await client.close();
});

const read = <T>(changes: AsyncIterable<T>) => Array.fromAsync(changes);

describe('with the service', () => {
  test('first all records, then the changed ones', async () => {
    const spots = [];
    const { id: locationId } = await make.location();
    for (let count = 0; count < 3; count++) spots.push(await make.spot(locationId));
    const query = { locationId };

    const first = sync(client, 'parkingSpots', { query });
    expect(first.next).toBeUndefined();
    expect((await read(first)).map(({ id }) => id).sort()).toEqual(
      spots.map(({ id }) => id).sort(),
    );
    expect(Date.parse(first.next as string)).toBeLessThanOrEqual(
      Date.parse(spots[2]?.updatedAt as string),
    );

    await make.change(`/parking/spots/${spots[0]?.id}`, { notes: 'Low ceiling' });
    const second = sync(client, 'parkingSpots', { query, since: first.next });
    expect(await read(second)).toContainEqual(
      expect.objectContaining({ id: spots[0]?.id, notes: 'Low ceiling' }),
    );
    expect(Date.parse(second.next as string)).toBeGreaterThanOrEqual(
      Date.parse(first.next as string),
    );
  });

  test('an empty list has no next time, so the next run reads all records', async () => {
    const empty = sync(client, 'templates');
    expect([await read(empty), empty.next]).toEqual([[], undefined]);
  });

  test('a run without changes keeps the time', async () => {
    await make.customer();
    const future = '2900-01-01T00:00:00.000Z';
    const changes = sync(client, 'customers', { since: future });
    expect([await read(changes), changes.next]).toEqual([[], future]);
  });

  test('reads one list of child records', async () => {
    const thread = await make.thread({});
    const messages = [];
    for (let count = 0; count < 3; count++) messages.push(await make.message(thread.id, {}));
    const changes = sync(client, 'messages', { within: [thread.id] });
    expect((await read(changes)).map(({ id }) => id)).toEqual(messages.map(({ id }) => id));
    expect(Date.parse(changes.next as string)).toBeLessThan(
      Date.parse(messages[0]?.createdAt as string),
    );
    const later = await make.message(thread.id, {});
    expect(
      (await read(sync(client, 'messages', { within: [thread.id], since: changes.next }))).map(
        ({ id }) => id,
      ),
    ).toContain(later.id);
  });

  test('an interrupted run has no next time', async () => {
    const stop = new AbortController();
    const changes = sync(client, 'customers', { signal: stop.signal });
    stop.abort(new Error('enough'));
    await expect(read(changes)).rejects.toThrow('enough');
    expect(changes.next).toBeUndefined();
  });

  test('a loop that ends early has no next time', async () => {
    await make.customer();
    const changes = sync(client, 'customers');
    for await (const _ of changes) break;
    expect(changes.next).toBeUndefined();
    await read(changes);
    expect(changes.next).toBeDefined();
  });
});

test('with changes between all pages of every run, the copy finally equals the server', async () => {
  const change = fc.record({
    at: fc.nat(5),
    what: fc.constantFrom('make', 'change'),
    which: fc.nat(1_000),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(change, { maxLength: 8 }), { minLength: 1, maxLength: 3 }),
      async (runs) => {
        const { id: locationId } = await make.location();
        const ids: string[] = [];
        const act = async ({ what, which }: { what: string; which: number }) => {
          const id = ids[which % Math.max(ids.length, 1)];
          if (what === 'make' || !id) ids.push((await make.spot(locationId)).id);
          else await make.change(`/parking/spots/${id}`, { notes: `Note ${which} ${ids.length}` });
        };
        for (let count = 0; count < 12; count++) await act({ what: 'make', which: 0 });

        const copy = new Map<string, unknown>();
        let since: string | undefined;
        for (const changes of [...runs, []]) {
          const proxy = await startFaultyProxy(service.url, async ({ number }) => {
            for (const one of changes.filter(({ at }) => at === number)) await act(one);
            return undefined;
          });
          const through = createClient({ baseUrl: proxy.url, key: service.key });
          try {
            const reading = sync(through, 'parkingSpots', {
              since,
              query: { locationId },
              limit: 10,
            });
            for await (const spot of reading) copy.set(spot.id, spot);
            since = reading.next;
          } finally {
            await through.close();
            await proxy.close();
          }
        }
        const { body } = await service.call(
          'GET',
          `/parking/spots?limit=200&locationId=${locationId}`,
        );
        expect(Object.fromEntries(copy)).toEqual(
          Object.fromEntries(body.data.map((spot: { id: string }) => [spot.id, spot])),
        );
      },
    ),
    { numRuns: 12 },
  );
});

test('a lost connection loses no changes', async () => {
  const { id: locationId } = await make.location();
  const spot = await make.spot(locationId);
  let broken = 0;
  const proxy = await startFaultyProxy(service.url, ({ attempt }) => {
    if (attempt > 0) return undefined;
    broken += 1;
    return 'reset';
  });
  const through = createClient({ baseUrl: proxy.url, key: service.key, sleep: async () => {} });
  const changes = sync(through, 'parkingSpots', { query: { locationId } });
  expect((await read(changes)).map(({ id }) => id)).toEqual([spot.id]);
  // The list, and the request that finds out whether it may be filtered.
  expect([broken, changes.next === undefined]).toEqual([2, false]);
  await through.close();
  await proxy.close();
});

describe('the start time of a run', () => {
  const at = (time: string) => `2026-03-01T${time}.000Z`;
  const date = (time: string) => new Date(at(time)).toUTCString();
  const page = (...stamps: string[]) => ({
    data: stamps.map((stamp, index) => ({ id: String(index), updatedAt: at(stamp) })),
  });
  test.each([
    [
      'a recent change: slightly before it',
      page('10:00:00', '09:00:00'),
      date('10:00:01'),
      '09:59:55',
    ],
    [
      'an older change: slightly before it, too',
      page('09:00:00', '08:00:00'),
      date('10:00:00'),
      '08:59:55',
    ],
    ["a proxy's clock that is ahead", page('10:00:00'), date('18:00:00'), '09:59:55'],
    ["a proxy's clock that is behind", page('10:00:00'), date('03:00:00'), '09:59:55'],
    ['no clock', page('10:00:00'), undefined, '09:59:55'],
    [
      'another order: slightly before the latest change',
      page('08:00:00', '09:00:00'),
      date('10:00:00'),
      '08:59:55',
    ],
    [
      'no stamps: by the clock, minus the wait',
      { data: [{ id: '1' }] },
      date('10:00:00'),
      '09:59:53',
    ],
    ['neither stamps nor a clock: unchanged', { data: [{ id: '1' }] }, undefined, '07:00:00'],
    [
      'a recent change after the previous time: unchanged',
      page('07:00:03'),
      date('07:00:04'),
      '07:00:00',
    ],
    ['no changes: unchanged', page(), date('10:00:00'), '07:00:00'],
  ])('%s', (_, body, header, expected) => {
    const answer = { body, headers: header === undefined ? {} : { date: header } };
    expect(startOf(answer, { since: at('07:00:00'), tookMs: 2_000 })).toBe(at(expected));
  });

  test.each([
    ['a recent change: slightly before it', date('10:00:01'), '09:59:55'],
    ['an older change: exactly its time', date('18:00:00'), '10:00:00'],
    ["a proxy's clock that is behind", date('03:00:00'), '09:59:55'],
    ['no clock', undefined, '09:59:55'],
  ])('of a server that promises whole lists, %s', (_, header, expected) => {
    const answer = {
      body: page('10:00:00', '08:00:00'),
      headers: { date: header, 'total-of': 'all-pages' },
    };
    expect(startOf(answer, { since: at('07:00:00'), tookMs: 2_000 })).toBe(at(expected));
  });

  test('of a server that promises whole lists, another order: the time of the latest change', () => {
    const answer = {
      body: page('08:00:00', '09:00:00'),
      headers: { date: date('10:00:00'), 'total-of': 'all-pages' },
    };
    expect(startOf(answer, { since: at('07:00:00'), tookMs: 2_000 })).toBe(at('09:00:00'));
  });
});
