import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { readSpokenTime } from '../../../src/cli/input/spoken-time.ts';
import { parseEventTime, parseWhen } from '../../../src/cli/input/when.ts';

/** A Sunday. */
const now = new Date(2026, 2, 15, 12, 0, 0);
const local = (year: number, month: number, day: number, hour = 0, minute = 0, second = 0) =>
  new Date(year, month - 1, day, hour, minute, second).toISOString();

describe('ahead', () => {
  test.each([
    ['9am', local(2026, 3, 15, 9)],
    ['9:30 pm', local(2026, 3, 15, 21, 30)],
    ['12am', local(2026, 3, 15, 0)],
    ['12 pm', local(2026, 3, 15, 12)],
    ['1am', local(2026, 3, 15, 1)],
    ['0:00', local(2026, 3, 15)],
    ['23:59:59', local(2026, 3, 15, 23, 59, 59)],
    ['at 9:00:30', local(2026, 3, 15, 9, 0, 30)],
    ['yesterday', local(2026, 3, 14)],
    ['today', local(2026, 3, 15)],
    ['tomorrow', local(2026, 3, 16)],
    ['tomorrow 23', local(2026, 3, 16, 23)],
    ['tomorrow at 9 pm', local(2026, 3, 16, 21)],
    ['tomorrow 9', local(2026, 3, 16, 9)],
    ['tomorrow at 9', local(2026, 3, 16, 9)],
    ['mon 9:00', local(2026, 3, 16, 9)],
    ['on monday 9am', local(2026, 3, 16, 9)],
    ['sat', local(2026, 3, 21)],
    ['thurs 14:30', local(2026, 3, 19, 14, 30)],
    ['next friday 10:00', local(2026, 3, 20, 10)],
    ['last friday 10:00', local(2026, 3, 13, 10)],
    ['tues', local(2026, 3, 17)],
    // Today is a Sunday.
    ['sun', local(2026, 3, 15)],
    ['sun 12:00', local(2026, 3, 15, 12)],
    ['sun 17:00', local(2026, 3, 15, 17)],
    ['this sunday 11:59', local(2026, 3, 22, 11, 59)],
    ['sunday 9:00', local(2026, 3, 22, 9)],
    ['next sunday 17:00', local(2026, 3, 22, 17)],
    ['last sunday 9:00', local(2026, 3, 8, 9)],
    ['24.12. 9:00', local(2026, 12, 24, 9)],
    ['24.12. 9', local(2026, 12, 24, 9)],
    ['1.2.', local(2027, 2, 1)],
    ['15.3.', local(2026, 3, 15)],
    ['14.3.', local(2027, 3, 14)],
    ['24.12.2026 9:00', local(2026, 12, 24, 9)],
    ['24.12.27', local(2027, 12, 24)],
  ])('%s', (text, time) => {
    expect(parseWhen(text, now, '--at')).toBe(time);
  });
});

describe('past: a day without a year or a week has been', () => {
  test.each([
    ['mon 9:00', local(2026, 3, 9, 9)],
    ['sun', local(2026, 3, 15)],
    ['sun 12:00', local(2026, 3, 15, 12)],
    ['sun 9:00', local(2026, 3, 15, 9)],
    ['sunday 17:00', local(2026, 3, 8, 17)],
    ['24.12. 9:00', local(2025, 12, 24, 9)],
    ['15.3. 9am', local(2026, 3, 15, 9)],
    ['15.3. 12:00', local(2026, 3, 15, 12)],
    ['15.3. 12:01', local(2025, 3, 15, 12, 1)],
    ['1.2.', local(2026, 2, 1)],
    ['last monday', local(2026, 3, 9)],
    // Refused afterwards, as a time in the future.
    ['next monday', undefined],
  ])('%s', (text, time) => {
    const read = () => parseEventTime(text, now, '--at');
    if (time) expect(read()).toBe(time);
    else expect(read).toThrow('is in the future');
  });
});

test.each([
  '31.2.',
  '29.2.',
  '31.2.2026',
  '0.1.',
  '24.13.',
  '13am',
  '0pm',
  '24:00',
  '9:60',
  '9:00:60',
  '24:00:00',
  'suns',
  'tomorrow at 9 p m',
  'tomorrow 24',
  'm 9:00',
  'mo 9',
  'fri fri',
  '9',
  'next tomorrow',
  '9 9',
])('refuses %s', (text) => {
  expect(readSpokenTime(text, now)).toBeUndefined();
});

describe('dates with slashes follow the locale', () => {
  const inLocale = (locale: string, texts: readonly string[]) => {
    const module = new URL('../../../src/cli/input/spoken-time.ts', import.meta.url).href;
    const script = `const { readSpokenTime } = await import(${JSON.stringify(module)});
      const times = ${JSON.stringify(texts)}.map((text) => readSpokenTime(text, new Date(2026, 2, 15, 12)));
      console.log(JSON.stringify(times.map((time) =>
        time ? [time.getFullYear(), time.getMonth() + 1, time.getDate(), time.getHours()].join('-') : 'none')));`;
    const env = { PATH: process.env.PATH, LC_ALL: locale };
    return JSON.parse(
      execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
        env,
        encoding: 'utf8',
      }),
    );
  };
  test.each([
    ['en_US.UTF-8', { '12/24 9am': '2026-12-24-9', '4/3/27': '2027-4-3-0', '24/12': 'none' }],
    ['en_GB.UTF-8', { '24/12 9am': '2026-12-24-9', '4/3/2026': '2026-3-4-0' }],
    ['de_DE.UTF-8', { '12/24': 'none' }],
  ])('%s', (locale, times) => {
    expect(inLocale(locale, Object.keys(times))).toEqual(Object.values(times));
  });
});
