/** How full the facility was, against parkings that the public interface made. */
import { describe, expect, test } from 'vitest';
import { spanAt, spansOf } from '../../../src/service/dashboard/rules/spans.ts';
import { signInAdmin } from '../../helpers/dashboard.ts';
import { testService } from '../../helpers/service.ts';

const service = await testService({ dashboard: {} });
const admin = await signInAdmin(service);

const make = async (path: string, body: object) =>
  (await service.call('POST', path, body)).body.data;
const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 60 * 60_000).toISOString();
const occupancy = async (query: string) =>
  (await admin.ask('GET', `/api/v1/team/occupancy?${query}`)).body.data;

const places = await Promise.all(
  ['North', 'South'].map(async (name) => {
    const location = await make('/locations', { name });
    const spots = await Promise.all(
      ['1', '2'].map((spot) => make('/parking/spots', { locationId: location.id, name: spot })),
    );
    return { location, spots };
  }),
);
const [north, south] = places as [(typeof places)[number], (typeof places)[number]];
const [first, second] = await Promise.all(
  ['HH-A 1', 'HH-B 2'].map((licensePlate) =>
    make('/cars', { licensePlate, year: 1998, make: 'VW', model: 'Golf' }),
  ),
);
const park = (car: { id: string }, spot: { id: string }, days: number) =>
  make('/parking/assignments', { carId: car.id, parkingSpotId: spot.id, startedAt: daysAgo(days) });

// First: in 20 days ago, moved to the other hall 10 days ago, out 3 days ago. Second: in 15 days ago, still here.
await park(first, north.spots[0], 20);
await park(second, north.spots[1], 15);
const moved = await park(first, south.spots[0], 10);
await service.call('PATCH', `/parking/assignments/${moved.id}`, { endedAt: daysAgo(3) });

const sum = (rows: { in: number; out: number }[], field: 'in' | 'out') =>
  rows.reduce((all, row) => all + row[field], 0);

test('cars stored at the end of each day, and what came in and went out: a move is neither', async () => {
  const { rows, capacity } = await occupancy('step=day');
  expect(capacity).toBe(4);
  expect(rows.at(-1).stored).toBe(1);
  const storedAt = (days: number) =>
    rows[spanAt({ starts: rows.map(({ at }: { at: string }) => at), end: '' }, daysAgo(days))]
      .stored;
  expect([25, 18, 12, 8, 1].map(storedAt)).toEqual([0, 1, 2, 2, 1]);
  expect([sum(rows, 'in'), sum(rows, 'out')]).toEqual([2, 1]);
});

test('what happened after the range is not part of its last row', async () => {
  const { rows } = await occupancy(`step=day&from=${daysAgo(30)}&to=${daysAgo(12)}`);
  expect(rows.at(-1).stored).toBe(2);
  expect([sum(rows, 'in'), sum(rows, 'out')]).toEqual([2, 0]);
});

test('of one location', async () => {
  const { rows, capacity } = await occupancy(`step=day&locationId=${south.location.id}`);
  expect(capacity).toBe(2);
  expect(Math.max(...rows.map(({ stored }: { stored: number }) => stored))).toBe(1);
  expect(rows.at(-1).stored).toBe(0);
});

test('where a zone has no limit, there is no capacity', async () => {
  const yard = await make('/parking/zones', { locationId: north.location.id, name: 'Yard' });
  expect((await occupancy('step=day')).capacity).toBeNull();
  expect((await occupancy(`step=day&locationId=${south.location.id}`)).capacity).toBe(2);
  await service.call('PATCH', `/parking/zones/${yard.id}`, { capacity: 3 });
  expect((await occupancy('step=day')).capacity).toBe(7);
  await service.call('PATCH', `/parking/zones/${yard.id}`, { isActive: false });
  expect((await occupancy('step=day')).capacity).toBe(4);
});

test.each([
  ['from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z', 'from'],
  ['from=2020-01-01T00:00:00Z', 'step'],
  ['step=hour&from=2026-01-01T00:00:00Z&to=2026-03-01T00:00:00Z', 'step'],
])('%s is refused', async (query, path) => {
  expect(await admin.ask('GET', `/api/v1/team/occupancy?${query}`)).toMatchObject({
    status: 422,
    body: { details: { issues: [{ path }] } },
  });
});

test('an unknown location is not found', async () => {
  expect(await admin.ask('GET', `/api/v1/team/occupancy?locationId=${first.id}`)).toMatchObject({
    status: 404,
  });
});

test('of one location: days of its own time zone, else of the team', async () => {
  const far = await make('/locations', { name: 'Far', timezone: 'Asia/Kathmandu' });
  const spot = await make('/parking/spots', { locationId: far.id, name: '1' });
  const car = await make('/cars', {
    licensePlate: 'HH-F 1',
    year: 1998,
    make: 'VW',
    model: 'Golf',
  });
  // Half an hour after midnight there, 18:45 of the day before in UTC.
  const parked = await make('/parking/assignments', {
    carId: car.id,
    parkingSpotId: spot.id,
    startedAt: '2026-03-09T18:45:00Z',
  });
  await service.call('PATCH', `/parking/assignments/${parked.id}`, {
    endedAt: '2026-03-10T10:00:00Z',
  });
  const range = 'from=2026-03-08T20:00:00Z&to=2026-03-11T00:00:00Z';
  const there = await occupancy(`${range}&locationId=${far.id}`);
  expect([there.timezone, there.from]).toEqual(['Asia/Kathmandu', '2026-03-08T18:15:00.000Z']);
  expect(there.rows.map(({ at, in: came }: { at: string; in: number }) => [at, came])).toEqual([
    ['2026-03-08T18:15:00.000Z', 0],
    ['2026-03-09T18:15:00.000Z', 1],
    ['2026-03-10T18:15:00.000Z', 0],
  ]);
  const whole = await occupancy(range);
  expect([whole.timezone, whole.from]).toEqual(['Europe/Berlin', '2026-03-07T23:00:00.000Z']);
});

describe('spans', () => {
  const now = new Date('2026-11-01T12:00:00Z');
  test('days of the team: one of 23 hours when the clocks go on, one of 25 when they go back', async () => {
    const { starts, end } = await spansOf(
      { from: '2026-10-24T12:00:00Z', to: '2026-10-26T12:00:00Z' },
      'Europe/Berlin',
      now,
    );
    expect([...starts, end]).toEqual([
      '2026-10-23T22:00:00.000Z',
      '2026-10-24T22:00:00.000Z',
      '2026-10-25T23:00:00.000Z',
      '2026-10-26T23:00:00.000Z',
    ]);
  });
  test('weeks begin on Monday; nothing is later than now', async () => {
    const { starts } = await spansOf(
      { from: '2026-10-14T12:00:00Z', to: '2199-01-01T00:00:00Z', step: 'week' },
      'UTC',
      now,
    );
    expect(starts.map((at) => at.slice(0, 10))).toEqual(['2026-10-12', '2026-10-19', '2026-10-26']);
  });
});
