import { describe, expect, test } from 'vitest';
import {
  type Occurrence,
  occurrencesOf,
  type Recurrence,
} from '../../../src/service/rules/recurrence.ts';

const berlin = 'Europe/Berlin';
const newYork = 'America/New_York';

/** An hour, unless another end is given. */
const from = (
  startAt: string,
  endAt = new Date(Date.parse(startAt) + 3_600_000).toISOString(),
): Occurrence => ({
  startAt: new Date(startAt).toISOString(),
  endAt: new Date(endAt).toISOString(),
});
const starts = async (startAt: string, recurrence: Recurrence, timezone = 'UTC') =>
  (await occurrencesOf(from(startAt), recurrence, timezone)).map(
    (occurrence) => occurrence.startAt,
  );
/** `2026-01-31 09:00` of each occurrence, as the clocks on the wall show it. */
const walls = async (startAt: string, recurrence: Recurrence, timezone: string) =>
  (await starts(startAt, recurrence, timezone)).map((time) =>
    new Date(time).toLocaleString('sv-SE', {
      timeZone: timezone,
      dateStyle: 'short',
      timeStyle: 'short',
    }),
  );
const days = async (startAt: string, recurrence: Recurrence, timezone = 'UTC') =>
  (await walls(startAt, recurrence, timezone)).map((wall) => wall.slice(0, 10));

describe('which days', () => {
  test.each<[string, string, Recurrence, string[]]>([
    [
      'every third day',
      '2026-02-27',
      { recurrenceFrequency: 'daily', recurrenceInterval: 3, recurrenceCount: 3 },
      ['2026-02-27', '2026-03-02', '2026-03-05'],
    ],
    [
      'weekly on several days, given in any order and twice',
      '2026-06-01', // a Monday
      { recurrenceFrequency: 'weekly', recurrenceDaysOfWeek: [5, 1, 3, 5], recurrenceCount: 5 },
      ['2026-06-01', '2026-06-03', '2026-06-05', '2026-06-08', '2026-06-10'],
    ],
    [
      'weekly on days that the first is none of',
      '2026-06-02', // a Tuesday
      { recurrenceFrequency: 'weekly', recurrenceDaysOfWeek: [1, 3], recurrenceCount: 4 },
      ['2026-06-02', '2026-06-03', '2026-06-08', '2026-06-10'],
    ],
    [
      'weekly on Sundays, 0',
      '2026-06-03',
      { recurrenceFrequency: 'weekly', recurrenceDaysOfWeek: [0], recurrenceCount: 3 },
      ['2026-06-03', '2026-06-07', '2026-06-14'],
    ],
    [
      'weekly on no days at all is on the day of the first',
      '2026-06-03',
      { recurrenceFrequency: 'weekly', recurrenceDaysOfWeek: [], recurrenceCount: 2 },
      ['2026-06-03', '2026-06-10'],
    ],
    [
      'every third week, which begins on Sunday',
      '2026-06-03',
      {
        recurrenceFrequency: 'weekly',
        recurrenceInterval: 3,
        recurrenceDaysOfWeek: [0, 6],
        recurrenceCount: 4,
      },
      ['2026-06-03', '2026-06-06', '2026-06-21', '2026-06-27'],
    ],
    [
      'biweekly with an interval',
      '2026-06-03',
      {
        recurrenceFrequency: 'biweekly',
        recurrenceInterval: 2,
        recurrenceDaysOfWeek: [3, 4],
        recurrenceCount: 4,
      },
      ['2026-06-03', '2026-06-04', '2026-07-01', '2026-07-02'],
    ],
    [
      'monthly on the 31st: short months take their last day, and the 31st comes back',
      '2026-01-31',
      { recurrenceFrequency: 'monthly', recurrenceCount: 5 },
      ['2026-01-31', '2026-02-28', '2026-03-31', '2026-04-30', '2026-05-31'],
    ],
    [
      'monthly on another day than the first',
      '2026-01-10',
      { recurrenceFrequency: 'monthly', recurrenceDayOfMonth: 15, recurrenceCount: 3 },
      ['2026-01-10', '2026-01-15', '2026-02-15'],
    ],
    [
      'monthly on a day that has passed',
      '2026-01-20',
      {
        recurrenceFrequency: 'monthly',
        recurrenceDayOfMonth: 31,
        recurrenceInterval: 2,
        recurrenceCount: 3,
      },
      ['2026-01-20', '2026-01-31', '2026-03-31'],
    ],
    [
      'quarterly',
      '2026-11-30',
      { recurrenceFrequency: 'quarterly', recurrenceCount: 3 },
      ['2026-11-30', '2027-02-28', '2027-05-30'],
    ],
    [
      'yearly on a leap day',
      '2024-02-29',
      { recurrenceFrequency: 'yearly', recurrenceCount: 5 },
      ['2024-02-29', '2025-02-28', '2026-02-28', '2027-02-28', '2028-02-29'],
    ],
    [
      'days of the week say nothing to months, days of the month nothing to weeks',
      '2026-06-03',
      { recurrenceFrequency: 'monthly', recurrenceDaysOfWeek: [1], recurrenceCount: 2 },
      ['2026-06-03', '2026-07-03'],
    ],
  ])('%s', async (_name, day, recurrence, expected) => {
    expect(await days(`${day}T09:00:00Z`, recurrence)).toEqual(expected);
  });
});

describe('where it ends', () => {
  const count = async (startAt: string, recurrence: Recurrence, timezone?: string) =>
    (await starts(startAt, recurrence, timezone)).length;

  test('includes the last day at any hour', async () => {
    const until = (recurrenceEndDate: string) =>
      days('2026-06-01T18:00:00Z', { recurrenceFrequency: 'daily', recurrenceEndDate });
    for (const end of ['2026-06-03T00:00:00Z', '2026-06-03T18:00:00Z', '2026-06-04T00:30:00+01:00'])
      expect(await until(end)).toEqual(['2026-06-01', '2026-06-02', '2026-06-03']);
    expect(await until('2026-06-01T00:00:00Z')).toEqual(['2026-06-01']);
  });
  test('is a day in the time zone', async () => {
    const until = (end: string) =>
      days(
        '2026-06-01T18:00:00-04:00',
        { recurrenceFrequency: 'daily', recurrenceEndDate: end },
        newYork,
      );
    expect(await until('2026-06-03T00:00:00-04:00')).toHaveLength(3);
    expect(await until('2026-06-03T00:00:00Z')).toHaveLength(2);
  });
  test('before the first: refused', async () => {
    const recurrence = {
      recurrenceFrequency: 'daily',
      recurrenceEndDate: '2026-05-31T23:59:59Z',
    } as const;
    await expect(starts('2026-06-01T00:00:00Z', recurrence)).rejects.toMatchObject({
      code: 'validation_failed',
      details: { issues: [{ path: 'recurrenceEndDate', rule: 'after_start' }] },
    });
  });
  test('a count and an end: the earlier one applies', async () => {
    const both = (recurrenceCount: number) =>
      count('2026-06-01T09:00:00Z', {
        recurrenceFrequency: 'daily',
        recurrenceCount,
        recurrenceEndDate: '2026-06-05T00:00:00Z',
      });
    expect([await both(3), await both(5), await both(1000)]).toEqual([3, 5, 5]);
  });
  test('without both: twelve months', async () => {
    const all = ['daily', 'weekly', 'biweekly', 'monthly', 'quarterly', 'yearly'] as const;
    const counts = await Promise.all(
      all.map((recurrenceFrequency) => count('2026-06-01T09:00:00Z', { recurrenceFrequency })),
    );
    expect(counts).toEqual([365, 53, 27, 12, 4, 1]);
    expect(await count('2027-06-01T09:00:00Z', { recurrenceFrequency: 'daily' })).toBe(366);
  });
  test('366 at most', async () => {
    const daily = (more: object) =>
      count('2026-06-01T09:00:00Z', { recurrenceFrequency: 'daily', ...more });
    expect(await daily({ recurrenceCount: 366 })).toBe(366);
    for (const more of [
      { recurrenceCount: 367 },
      { recurrenceCount: 2 ** 53 - 1 },
      { recurrenceEndDate: '9998-12-31T00:00:00Z' },
    ])
      await expect(daily(more)).rejects.toMatchObject({
        code: 'recurrence_too_long',
        details: { limit: 366 },
      });
  });
  test.each(['daily', 'weekly', 'biweekly', 'monthly', 'quarterly', 'yearly'] as const)(
    '%s with an interval beyond all calendars',
    async (recurrenceFrequency) => {
      for (const recurrenceInterval of [10_000, 2_000_000, 2 ** 31, 2 ** 53 - 1]) {
        const recurrence = { recurrenceFrequency, recurrenceInterval };
        expect(await count('2026-06-01T09:00:00Z', recurrence)).toBe(1);
        expect(
          await count('0001-01-01T00:00:00+14:00', { ...recurrence, recurrenceCount: 1 }),
        ).toBe(1);
      }
      const recurrence = {
        recurrenceFrequency,
        recurrenceInterval: 2 ** 53 - 1,
        recurrenceCount: 2,
      };
      await expect(count('0001-01-01T00:00:00+14:00', recurrence)).rejects.toMatchObject({
        code: 'recurrence_too_long',
      });
      await expect(count('9998-12-31T23:59:59-14:00', recurrence)).rejects.toMatchObject({
        code: 'recurrence_too_long',
      });
    },
  );
});

describe('wall time', () => {
  const daily: Recurrence = { recurrenceFrequency: 'daily', recurrenceCount: 3 };
  const weekly: Recurrence = { recurrenceFrequency: 'weekly', recurrenceCount: 2 };

  test('is kept when the clocks change', async () => {
    expect(await starts('2026-03-28T09:00:00+01:00', daily, berlin)).toEqual([
      '2026-03-28T08:00:00.000Z',
      '2026-03-29T07:00:00.000Z',
      '2026-03-30T07:00:00.000Z',
    ]);
  });
  test('is local time, with any offset in the request', async () => {
    expect(await starts('2026-03-28T17:00:00+09:00', daily, berlin)).toEqual(
      await starts('2026-03-28T08:00:00Z', daily, berlin),
    );
    expect(await days('2026-06-01T23:30:00Z', weekly, berlin)).toEqual([
      '2026-06-02',
      '2026-06-09',
    ]);
  });
  test('that the clocks skip moves by the gap, on that day only', async () => {
    expect(await walls('2026-03-28T02:30:00+01:00', daily, berlin)).toEqual([
      '2026-03-28 02:30',
      '2026-03-29 03:30',
      '2026-03-30 02:30',
    ]);
  });
  test('that comes twice is the earlier of the two', async () => {
    expect(await starts('2026-10-24T02:30:00+02:00', daily, berlin)).toEqual([
      '2026-10-24T00:30:00.000Z',
      '2026-10-25T00:30:00.000Z',
      '2026-10-26T01:30:00.000Z',
    ]);
  });
  test('of the first stays as it was given, also the later of the two', async () => {
    expect(await starts('2026-10-25T02:30:00+01:00', daily, berlin)).toEqual([
      '2026-10-25T01:30:00.000Z',
      '2026-10-26T01:30:00.000Z',
      '2026-10-27T01:30:00.000Z',
    ]);
  });
  test('is kept at the end too, over the night on which the clocks change', async () => {
    const nights = await occurrencesOf(
      from('2026-03-27T22:00:00+01:00', '2026-03-28T06:00:00+01:00'),
      daily,
      berlin,
    );
    expect(nights).toEqual([
      from('2026-03-27T22:00:00+01:00', '2026-03-28T06:00:00+01:00'),
      from('2026-03-28T22:00:00+01:00', '2026-03-29T06:00:00+02:00'),
      from('2026-03-29T22:00:00+02:00', '2026-03-30T06:00:00+02:00'),
    ]);
  });
  test('of an end that would come before its beginning gives way to the duration', async () => {
    const skipped = await occurrencesOf(
      from('2026-03-28T02:30:00+01:00', '2026-03-28T03:15:00+01:00'),
      daily,
      berlin,
    );
    expect(skipped[1]).toEqual(from('2026-03-29T03:30:00+02:00', '2026-03-29T04:15:00+02:00'));
    const repeated = await occurrencesOf(
      from('2026-10-25T02:45:00+02:00', '2026-10-25T02:15:00+01:00'),
      daily,
      berlin,
    );
    expect(repeated[1]).toEqual(from('2026-10-26T02:45:00+01:00', '2026-10-26T03:15:00+01:00'));
  });
  test('of zones that change by half an hour', async () => {
    expect(await starts('2026-04-04T12:00:00+11:00', daily, 'Australia/Lord_Howe')).toEqual([
      '2026-04-04T01:00:00.000Z',
      '2026-04-05T01:30:00.000Z',
      '2026-04-06T01:30:00.000Z',
    ]);
  });
});
