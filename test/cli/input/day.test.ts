import { expect, test } from 'vitest';
import { clockTime, dayName, dayOf, parseDay } from '../../../src/cli/input/day.ts';

const now = new Date(2026, 1, 28, 13, 45, 10);
const local = (...parts: [number, number, number]) => new Date(...parts);

test('a day lasts from its first to its last millisecond, also into the next month', () => {
  expect(dayOf(now)).toEqual({
    date: '2026-02-28',
    from: local(2026, 1, 28).toISOString(),
    to: new Date(local(2026, 2, 1).getTime() - 1).toISOString(),
  });
  expect(dayOf(now, 1).date).toBe('2026-03-01');
  expect(dayOf(now, -28).date).toBe('2026-01-31');
});

test('every day of a year ends where the next starts, also at clock changes', () => {
  for (let shift = 0; shift < 366; shift++) {
    expect(Date.parse(dayOf(now, shift).to) + 1).toBe(Date.parse(dayOf(now, shift + 1).from));
  }
});

test.each([
  ['today', '2026-02-28'],
  ['Tomorrow', '2026-03-01'],
  ['yesterday', '2026-02-27'],
  [' 2024-02-29 ', '2024-02-29'],
])('%j is %s', (text, date) => {
  expect(parseDay(text, now, '--date').date).toBe(date);
});

test.each(['', 'soon', '2026-02-29', '2026-13-01', '26-01-01', '2026-1-1', '2026-01-01T10:00'])(
  '%j is no day: exit 2',
  (text) => {
    expect(() => parseDay(text, now, '--date')).toThrow(
      expect.objectContaining({ exitCode: 2, message: `--date: "${text}" isn't a day.` }),
    );
  },
);

test('times of day, and days in words', () => {
  expect([clockTime(now.toISOString()), clockTime(null), clockTime('soon')]).toEqual([
    '13:45',
    '',
    '',
  ]);
  expect(dayName(dayOf(now))).toBe('Saturday, 28 February 2026');
});
