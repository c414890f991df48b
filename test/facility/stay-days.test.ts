/** Which days of a month are counted for stays, case by case. */
import { expect, test } from 'vitest';
import { stayDays } from '../../src/facility/stay-days.ts';

const now = '2026-12-15T12:00:00Z';
type Given = readonly [from: string, until: string | null, more?: { car?: string; zone?: string }];

/** The days of the month with the number of the stay: `24.1 25.1 25.2`, of all cars by day. */
function daysOf(stays: readonly Given[], { month = '2026-11', at = now } = {}): string {
  const given = stays.map(([from, until, { car = 'a', zone = 'Europe/Berlin' } = {}], index) => ({
    carId: car,
    timeZone: zone,
    number: index + 1,
    from: Date.parse(from),
    until: until === null ? null : Date.parse(until),
  }));
  return stayDays(given, { month, now: Date.parse(at) })
    .map(({ date, stay }) => `${date.slice(8)}.${stay.number}`)
    .sort()
    .join(' ');
}
const allOf = (length: number) =>
  Array.from({ length }, (_, day) => `${String(day + 1).padStart(2, '0')}.1`).join(' ');

test.each<[name: string, days: string, stays: Given[], at?: { month?: string; at?: string }]>([
  ['no time at all', '10.1', [['2026-11-10T09:00+01:00', '2026-11-10T09:00+01:00']]],
  ['over one midnight', '10.1 11.1', [['2026-11-10T23:59+01:00', '2026-11-11T00:01+01:00']]],
  ['until midnight', '10.1', [['2026-11-10T09:00+01:00', '2026-11-11T00:00+01:00']]],
  ['from midnight to midnight', '10.1', [['2026-11-10T00:00+01:00', '2026-11-11T00:00+01:00']]],
  [
    'a move: the day belongs to the place that came first',
    '10.1 11.1 12.2',
    [
      ['2026-11-10T08:00+01:00', '2026-11-11T09:00+01:00'],
      ['2026-11-11T09:00+01:00', '2026-11-12T10:00+01:00'],
    ],
  ],
  [
    'a move, told in another order',
    '10.2 11.2 12.1',
    [
      ['2026-11-11T09:00+01:00', '2026-11-12T10:00+01:00'],
      ['2026-11-10T08:00+01:00', '2026-11-11T09:00+01:00'],
    ],
  ],
  [
    'two cars',
    '10.1 10.2',
    [
      ['2026-11-10T08:00+01:00', '2026-11-10T09:00+01:00'],
      ['2026-11-10T08:00+01:00', '2026-11-10T09:00+01:00', { car: 'b' }],
    ],
  ],
  [
    'open, in this month: until now',
    '13.1 14.1 15.1',
    [['2026-12-13T08:00+01:00', null]],
    { month: '2026-12' },
  ],
  ['open, in an earlier month: until its end', '29.1 30.1', [['2026-11-29T08:00+01:00', null]]],
  [
    'an end that is planned: until now',
    '14.1 15.1',
    [['2026-12-14T08:00+01:00', '2026-12-20T08:00+01:00']],
    { month: '2026-12' },
  ],
  ['a start that is planned', '', [['2026-12-20T08:00+01:00', null]], { month: '2026-12' }],
  ['over both ends of the month', allOf(30), [['2026-10-20T08:00+02:00', '2026-12-02T08:00Z']]],
  [
    'ended as the month began, and began as it ended',
    '',
    [
      ['2026-10-20T08:00+02:00', '2026-11-01T00:00+01:00'],
      ['2026-12-01T00:00+01:00', '2026-12-02T00:00+01:00'],
    ],
  ],
  [
    'the hour that is twice when summer time ends',
    '24.1 25.1',
    [['2026-10-24T23:30+02:00', '2026-10-25T23:30+01:00']],
    { month: '2026-10' },
  ],
  [
    'until the midnight after summer time ended, 25 hours',
    '25.1',
    [['2026-10-25T00:00+02:00', '2026-10-26T00:00+01:00']],
    { month: '2026-10' },
  ],
  [
    'until the midnight after summer time began, 23 hours',
    '29.1',
    [['2026-03-29T00:00+01:00', '2026-03-30T00:00+02:00']],
    { month: '2026-03' },
  ],
  [
    'one time in two zones',
    '10.1 11.2',
    [
      ['2026-11-10T20:00Z', '2026-11-10T21:00Z', { zone: 'America/New_York' }],
      ['2026-11-10T20:00Z', '2026-11-10T21:00Z', { car: 'b', zone: 'Asia/Tokyo' }],
    ],
  ],
  [
    'the month of another zone',
    '01.1',
    [['2026-10-31T15:30Z', '2026-10-31T16:00Z', { zone: 'Asia/Tokyo' }]],
  ],
  [
    'a move into another zone on one date',
    '10.1',
    [
      ['2026-11-10T09:00Z', '2026-11-10T12:00Z'],
      ['2026-11-10T12:00Z', '2026-11-10T23:30Z', { zone: 'Europe/Lisbon' }],
    ],
  ],
])('%s', (_name, days, stays, at) => {
  expect(daysOf(stays, at)).toBe(days);
});
