/** An error report as a person and a script get it: the whole text, of every kind of detail. */
import { describe, expect, test } from 'vitest';
import type { ErrorReport } from '../../../src/cli/errors/report.ts';
import { errorJson, errorText } from '../../../src/cli/framework/error-text.ts';
import { noStyles } from '../../../src/cli/terminal/style.ts';

const report = (told: Partial<ErrorReport> = {}): ErrorReport => ({
  ...{ code: 'validation_failed', message: 'The year is wrong.', status: 422, details: null },
  ...{ requestId: 'r1', hint: null, exitCode: 3 },
  ...told,
});
type How = Parameters<typeof errorText>[2];
const flags: Readonly<Record<string, string>> = { year: '--year', address: '--address' };
const flagOf = (field: string) => flags[field];
const text = (told: Partial<ErrorReport>, how: How = {}) =>
  errorText(report(told), noStyles, { flagOf, ...how }).split('\n');
/** The lines between the message and the reference. */
const details = (given: unknown, how: How = {}) => text({ details: given }, how).slice(1, -2);

const id = '00000000-0000-4000-8000-00000000000a';

test('message, hint, and the reference to tell the operator', () => {
  expect(text({ hint: 'look' })).toEqual([
    'error: The year is wrong.',
    'hint: look',
    '(validation_failed · request r1)',
    '',
  ]);
  expect(text({ requestId: null }).at(-2)).toBe('(validation_failed)');
  // The command's own error sums up the answer: its request is for those who look closer.
  expect(text({}, { isOurs: true }).at(-2)).toBe('(validation_failed)');
  expect(text({}, { isOurs: true, verbose: true }).at(-2)).toBe('(validation_failed · request r1)');
});

test('fits the terminal; a command stays on one line', () => {
  expect(text({ hint: 'sign in `cs auth login`, or ask' }, { width: 20 })).toEqual([
    'error: The year is',
    '       wrong.',
    'hint: sign in',
    '      `cs auth login`,',
    '      or ask',
    '(validation_failed ·',
    ' request r1)',
    '',
  ]);
  const hint = 'run cs cars list with a filter';
  expect(text({ hint }, { width: 20 })[2]).toBe(`hint: ${hint}`);
});

test('what the person stopped or declined is no error', () => {
  expect(
    text({ message: 'Nothing was stored, as you wish.', exitCode: 13 }, { width: 20 }),
  ).toEqual(['Nothing was stored,', 'as you wish.', '']);
  for (const message of ['Stopped.', 'Stopped. Nothing was changed.'])
    expect(text({ message, exitCode: 130 })).toEqual([message, '']);
  expect(text({ message: 'Stopped after 1 change.', exitCode: 130 })[0]).toMatch(/^error: /);
});

test('names in place of ids, quoted in commands; ids with --verbose', () => {
  const told = { message: `${id} is parked.`, hint: `see \`cs cars get ${id}\`` };
  const names = { [id]: 'HH 1' };
  expect(text(told, { names }).slice(0, 2)).toEqual([
    'error: HH 1 is parked.',
    "hint: see `cs cars get 'HH 1'`",
  ]);
  expect(text(told, { names, verbose: true }).slice(0, 2)).toEqual([
    `error: ${id} is parked.`,
    `hint: see \`cs cars get ${id}\``,
  ]);
});

describe('details', () => {
  const issue = { path: 'year', rule: 'min', message: 'must be 1900 or more' };

  test('an only issue that the message tells is told once, with its flag', () => {
    const message = 'year must be 1900 or more';
    expect(text({ message, details: { issues: [issue] } })).toEqual([
      'error: --year must be 1900 or more',
      '(validation_failed · request r1)',
      '',
    ]);
    expect(text({ message: `The ${message}`, details: { issues: [issue] } })[0]).toBe(
      `error: The ${message}`,
    );
    // Of a field without a flag.
    const other = { ...issue, path: 'years' };
    expect(text({ message: `years ${issue.message}`, details: { issues: [other] } })[0]).toBe(
      'error: years must be 1900 or more',
    );
    expect(text({ message, details: { issues: [issue, issue] } })).toHaveLength(5);
  });

  test.each<[string, unknown, string[], How?]>([
    [
      'issues, with flags where the command has them',
      {
        issues: [
          issue,
          { path: 'address.city', rule: 'required' },
          { path: 'vin', message: 'is taken' },
          { message: 'a\u0007' },
          { rule: 'x' },
          'odd',
        ],
      },
      [
        '  --year: must be 1900 or more',
        '  --address city: required',
        '  vin: is taken',
        '  a␇',
        '  x',
        '  odd',
      ],
    ],
    [
      'candidates',
      {
        candidates: [
          { id: 'a', name: 'Ann' },
          { id: 'b', email: 'x' },
        ],
      },
      ['  a  Ann', '  {"id":"b","email":"x"}'],
    ],
    [
      'what is stored, uncertain and failed',
      {
        stored: [{ did: 'POST /cars', id: 'a' }, { did: 'DELETE /cars/b' }],
        unknown: ['POST /keys'],
        failed: [
          { id: 'a', name: 'Ann', code: 'c', message: 'why' },
          { id: 'b', code: 'c', message: 'why' },
        ],
      },
      [
        '  stored:  POST /cars  a',
        '  stored:  DELETE /cars/b',
        '  uncertain:  POST /keys',
        '  a  Ann  c: why',
        '  b  c: why',
      ],
    ],
    ['what a program wrote', { stderr: 'no\u001b' }, ['  stderr: no␛']],
    ['no text of a program', { stderr: 5 }, []],
    ['a text', 'why', ['  why']],
    [
      'other values, but none that the message tells',
      {
        year: 1,
        fields: ['year', 'vin'],
        field: 'address',
        other: 'year',
        is: 'wrong',
        The: 'x',
        count: 2,
        list: [1, 2],
        nested: { a: 1 },
        mixed: [1, {}],
        nothing: null,
        ownId: 'short',
        carId: id,
      },
      [
        '  --year: 1',
        '  fields: --year, vin',
        '  field: --address',
        '  The: x',
        '  count: 2',
        '  list: 1, 2',
        '  ownId: short',
      ],
    ],
    ['ids with --verbose', { carId: id }, [`  carId: ${id}`], { verbose: true }],
    [
      'of the command itself, none but lists',
      { year: 1, stderr: 's' },
      ['  stderr: s'],
      { isOurs: true },
    ],
  ])('%s', (_, given, lines, how) => {
    expect(details(given, how)).toEqual(lines);
  });

  test('a count beside its word is told by the message', () => {
    expect(text({ message: 'There are 2 cars.', details: { cars: 2, spots: 2 } })[1]).toBe(
      '  spots: 2',
    );
    expect(text({ message: 'Car 2 is gone.', details: { Car: 2, spots: 3 } })[1]).toBe(
      '  spots: 3',
    );
  });

  test('of many stored records, the first 20', () => {
    const stored = (count: number) =>
      details({ stored: Array.from({ length: count }, (_, at) => ({ did: 'x', id: `${at}` })) });
    expect(stored(20)).toHaveLength(20);
    expect(stored(20).at(-1)).toBe('  stored:  x  19');
    expect(stored(22)).toHaveLength(21);
    expect(stored(22).at(-1)).toBe('  and 2 more');
  });
});

describe('for a script', () => {
  test('is one line of JSON, with the flag at each issue', () => {
    const issues = [{ path: 'year' }, { path: 'address.city' }, { path: 'vin' }, {}];
    expect(errorJson(report({ details: { issues, more: 1 } }), { flagOf })).toBe(
      `${JSON.stringify({
        error: {
          code: 'validation_failed',
          message: 'The year is wrong.',
          status: 422,
          details: {
            issues: [
              { path: 'year', flag: '--year' },
              { path: 'address.city', flag: '--address' },
              { path: 'vin' },
              {},
            ],
            more: 1,
          },
          requestId: 'r1',
          hint: null,
          exitCode: 3,
        },
      })}\n`,
    );
  });
  test.each([[null], ['text'], [{ issues: 'none' }], [{ issues: [1] }]])(
    'keeps details of another shape: %j',
    (given) => {
      expect(JSON.parse(errorJson(report({ details: given }))).error.details).toEqual(given);
    },
  );
});
