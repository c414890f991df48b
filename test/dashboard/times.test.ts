/** Times, days and counts as the pages write them. */
import { afterEach, beforeEach, expect, test } from 'vitest';

// Without its types, which are those of a browser.
const pages: string = '../../src/dashboard';
const times = await import(`${pages}/times.ts`);
const { zone, relativeText, rangeOf, momentOf, localTime, dayKey, isDay, shiftDay } = times;

beforeEach(() => {
  zone.value = 'Europe/Berlin';
});
afterEach(() => {
  zone.value = 'UTC';
});

const now = Date.parse('2026-03-10T12:00:00Z');
const [minute, hour, day] = [60, 3600, 86_400];

test.each([
  ['just now', 0],
  ['just now', -59],
  ['in a moment', 59],
  ['1 minute ago', -minute],
  ['1 minute ago', -(2 * minute - 1)],
  // A link of 24 hours ends in 24 hours, also a second later.
  ['in 24 hours', day - 1],
  ['in 1 day', day],
  ['1 hour ago', -(2 * hour - 1)],
  ['23 hours ago', -(day - 1)],
  ['59 days ago', -59 * day],
  ['2 months ago', -60 * day],
  ['in 24 months', 729 * day],
  ['in 2 years', 730 * day],
])('%s', (text, seconds) => {
  expect(relativeText(new Date(now + seconds * 1000).toISOString(), now)).toBe(text);
});

test('a day ends with its last millisecond, also where the clocks change', () => {
  expect(['2026-03-10', '2026-03-29', '2026-10-25'].map((name) => rangeOf(name))).toEqual([
    { from: '2026-03-09T23:00:00.000Z', to: '2026-03-10T22:59:59.999Z' },
    { from: '2026-03-28T23:00:00.000Z', to: '2026-03-29T21:59:59.999Z' },
    { from: '2026-10-24T22:00:00.000Z', to: '2026-10-25T22:59:59.999Z' },
  ]);
});

test('a local time and the moment that it is mean each other', () => {
  const given = ['2026-03-29T01:59', '2026-03-29T03:00', '2026-10-25T03:00', '2026-07-01T00:00'];
  const moments = given.map((local) => momentOf(local));
  expect(moments.map((moment) => localTime(moment))).toEqual(given);
  expect(moments.map((moment) => moment.toISOString().slice(0, 16))).toEqual([
    '2026-03-29T00:59',
    '2026-03-29T01:00',
    '2026-10-25T02:00',
    '2026-06-30T22:00',
  ]);
  expect(momentOf('2026-07-01T00:00', 'Asia/Kolkata')).toEqual(new Date('2026-06-30T18:30Z'));
});

test('days', () => {
  expect([
    shiftDay('2026-02-28', 1),
    shiftDay('2026-01-01', -1),
    shiftDay('2026-03-29', 7),
  ]).toEqual(['2026-03-01', '2025-12-31', '2026-04-05']);
  expect([dayKey('2026-03-10T22:59:59Z'), dayKey('2026-03-10T23:00:00Z')]).toEqual([
    '2026-03-10',
    '2026-03-11',
  ]);
  expect(dayKey('2026-03-10T23:00:00Z', 'UTC')).toBe('2026-03-10');
  const asked = ['2026-02-28', '2026-02-30', '2026-13-01', '2026-2-28', '', 'today', '2026-99-99'];
  expect(asked.filter(isDay)).toEqual(['2026-02-28']);
});

test('the year of a day stands there unless it is this year; times are those of the zone', () => {
  const year = dayKey(new Date()).slice(0, 4);
  expect([times.dayText(`${year}-07-01T12:00Z`), times.dayText('2019-07-01T22:00Z')]).toEqual([
    expect.not.stringContaining(year),
    'Tuesday, July 2, 2019',
  ]);
  const moment = '2026-03-10T13:03:22Z';
  expect([times.dateText(moment), times.timeText(moment), times.clockText(moment)]).toEqual([
    'Mar 10, 2026',
    expect.stringMatching(/^Mar 10, 2026, 2:03\sPM$/),
    expect.stringMatching(/^2:03\sPM$/),
  ]);
  expect(times.secondsText(moment)).toMatch(/^2:03:22\sPM$/);
  zone.value = 'UTC';
  expect(times.clockText(moment)).toMatch(/^1:03\sPM$/);
});

test('counts', () => {
  const { plural } = times;
  expect([plural(1, 'car'), plural(0, 'car'), plural(1200, 'person', 'people')]).toEqual([
    '1 car',
    '0 cars',
    '1,200 people',
  ]);
});
