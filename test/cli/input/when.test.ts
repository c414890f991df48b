import { describe, expect, test } from 'vitest';
import { CliError } from '../../../src/cli/errors/exit.ts';
import {
  dayText,
  localMoment,
  localTime,
  localTimeWithDay,
  parseEventTime,
  parseExpiry,
  parseSpan,
  parseWhen,
  relativeTime,
} from '../../../src/cli/input/when.ts';

const now = new Date(2026, 2, 15, 12, 0, 0);
const local = (day: number, hour: number, minute: number, month = 2) =>
  new Date(2026, month, day, hour, minute).toISOString();

describe('invalid times', () => {
  const refused = (parse: () => unknown) => {
    try {
      parse();
    } catch (error) {
      return error as CliError;
    }
    throw new Error('It was taken.');
  };
  // By the field, from which the error finds the flag of the command.
  test.each([
    [() => parseWhen('nonsense', now, '--updated-after'), 'updatedAfter', "isn't a time"],
    [() => parseSpan('long', '--unused-for'), 'unusedFor', "isn't a duration"],
    [() => parseSpan('0d', '--unused-for'), 'unusedFor', 'must be greater than 0'],
    [() => parseEventTime('tomorrow', now, '--at'), 'at', 'is in the future'],
    [() => parseExpiry('yesterday', now, '--expires'), 'expires', 'is in the past'],
  ])('names its field %#', (parse, path, message) => {
    const { details } = refused(parse);
    expect(details).toEqual({ issues: [expect.objectContaining({ path, message })] });
  });
});

describe('parseWhen', () => {
  test.each([
    ['2026-03-01T14:30:00+01:00', '2026-03-01T13:30:00.000Z'],
    ['2026-03-01T14:30Z', '2026-03-01T14:30:00.000Z'],
    ['2026-03-01 14:30 -0500', '2026-03-01T19:30:00.000Z'],
    ['2026-03-01T14:30:00.250z', '2026-03-01T14:30:00.250Z'],
    ['now', now.toISOString()],
    ['2026-03-01 14:30', local(1, 14, 30)],
    ['2026-03-01T14:30', local(1, 14, 30)],
    ['2026-03-01 23:59:59', new Date(2026, 2, 1, 23, 59, 59).toISOString()],
    ['2026-03-01 9:05:30.25', new Date(2026, 2, 1, 9, 5, 30).toISOString()],
    ['2026-01-31', local(31, 0, 0, 0)],
    ['2026-12-01', local(1, 0, 0, 11)],
    ['2026-03-01', local(1, 0, 0)],
    ['today 9:00', local(15, 9, 0)],
    ['yesterday 17:30', local(14, 17, 30)],
    ['Yesterday at 17:30', local(14, 17, 30)],
    ['yesterday', local(14, 0, 0)],
    ['today', local(15, 0, 0)],
    ['tomorrow 8:00', local(16, 8, 0)],
    ['9:05', local(15, 9, 5)],
    ['10 minutes ago', local(15, 11, 50)],
    ['-10m', local(15, 11, 50)],
    ['2h ago', local(15, 10, 0)],
    ['1 hour ago', local(15, 11, 0)],
    ['90 sec ago', new Date(now.getTime() - 90_000).toISOString()],
    ['in 2h', local(15, 14, 0)],
    ['in 1h 30m', local(15, 13, 30)],
    ['  In   45 minutes ', local(15, 12, 45)],
    ['in 1y', new Date(now.getTime() + 365 * 86_400_000).toISOString()],
    ['+45m', local(15, 12, 45)],
    ['+2 h', local(15, 14, 0)],
    ['in 3 days', new Date(now.getTime() + 3 * 86_400_000).toISOString()],
    ['1 week ago', new Date(now.getTime() - 604_800_000).toISOString()],
  ])('%s', (text, time) => {
    expect(parseWhen(text, now, '--at')).toBe(time);
  });

  test.each([
    '',
    'soon',
    '2026-02-31',
    '2026-13-01 10:00',
    '2026-00-01',
    '2026-03-01 24:00',
    '2026-03-01 14:60',
    '2026-03-01 14:30:60',
    '24:00',
    '25:00',
    '9:75',
    '10 fortnights ago',
    'in',
    'in 2',
    'in a while',
    '+',
    'in 2h ago',
    '45m',
    '2026-02-31T10:00Z',
    '2026-03-01T25:00Z',
    '1767225600',
  ])('refuses %j', (text) => {
    expect(() => parseWhen(text, now, '--at')).toThrow(CliError);
    expect(() => parseWhen(text, now, '--at')).toThrow(/^--at: /);
  });
});

test('parseEventTime accepts past times, and a small clock difference', () => {
  expect(parseEventTime('now', now, '--at')).toBe(now.toISOString());
  expect(parseEventTime('12:05', now, '--at')).toBe(local(15, 12, 5));
  expect(() => parseEventTime('12:06', now, '--at')).toThrow(/^--at: "12:06" is in the future/);
});

test.each(['soon', '2001-01-01', '10 minutes ago', 'now', '0d'])(
  'parseExpiry refuses %j, and says what it takes',
  (text) => {
    expect(parseExpiry('90d', now, '--expires')).toBe(
      new Date(now.getTime() + 90 * 86_400_000).toISOString(),
    );
    try {
      parseExpiry(text, now, '--expires');
      expect.unreachable();
    } catch (error) {
      expect(error).toMatchObject({
        message: expect.stringMatching(/^--expires: /),
        hint: expect.stringContaining('90d'),
      });
      expect((error as CliError).hint).not.toContain('yesterday');
    }
  },
);

test.each([
  ['45m', 45],
  ['2h', 120],
  ['1h30m', 90],
  ['1h 30 min', 90],
  ['2 hours', 120],
  ['1 day', 1_440],
])('parseSpan %s', (text, minutes) => {
  expect(parseSpan(text, '--for')).toBe(minutes * 60_000);
});

test.each(['', '45', 'an hour', '-45m', '1h 30', '45m ago'])('parseSpan refuses %j', (text) => {
  expect(() => parseSpan(text, '--for')).toThrow(/^--for: .* isn't a duration/);
});

test.each([
  ['2026-03-01T12:00:29Z', 'now'],
  ['2026-03-01T11:59:31Z', 'now'],
  ['2026-03-01T11:59:00Z', '1 min ago'],
  ['2026-03-01T11:00:31Z', '59 min ago'],
  ['2026-03-01T12:59:29Z', 'in 59 min'],
  ['2026-02-28T12:31:00Z', '23 hours ago'],
  ['2026-02-28T12:30:00Z', '1 day ago'],
  ['2026-03-01T11:00:29Z', '1 hour ago'],
  ['2026-03-01T12:35:00Z', 'in 35 min'],
  ['2026-03-01T13:59:00Z', 'in 2 hours'],
  ['2026-02-28T12:40:00Z', '23 hours ago'],
  ['2026-02-28T12:00:00Z', '1 day ago'],
  ['2026-03-04T12:00:00Z', 'in 3 days'],
  ['2026-02-22T12:00:00Z', '7 days ago'],
  ['2026-02-21T12:00:00Z', ''],
  ['2027-03-01T12:00:00Z', ''],
  ['soon', ''],
  [null, ''],
])('%s is %j', (iso, shown) => {
  expect(relativeTime(iso, new Date('2026-03-01T12:00:00Z'))).toBe(shown);
});

test('times as people write them; invalid times unchanged', () => {
  expect(localTime(local(1, 4, 3))).toBe('2026-03-01 04:03');
  expect(localMoment(new Date(2026, 10, 12, 14, 30, 5).toISOString())).toBe('2026-11-12 14:30:05');
  expect(localTimeWithDay(local(1, 14, 30))).toBe('Sun 2026-03-01 14:30');
  for (const shown of [localTime, localMoment])
    expect(['soon', null, undefined, { at: 1 }].map(shown)).toEqual(['soon', '', '', '{"at":1}']);
  expect(localTimeWithDay('soon')).toBe('soon');
});

test.each([
  [local(15, 9, 5), 'today 09:05'],
  [local(16, 9, 5), '16 Mar'],
  [new Date(2025, 2, 15).toISOString(), '15 Mar 2025'],
])('the day of %s', (iso, shown) => {
  expect(dayText(iso, now)).toBe(shown);
});
