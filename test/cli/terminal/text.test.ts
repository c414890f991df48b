import { describe, expect, test } from 'vitest';
import {
  alignValue,
  breakAround,
  breakIndented,
  breakWords,
  grouped,
  joinList,
  nearest,
  pluralize,
  quote,
  quoted,
  sanitize,
  shortPath,
  stateWords,
  twoColumns,
  words,
} from '../../../src/cli/terminal/text.ts';

describe('sanitize', () => {
  test.each([
    ['\u001b[31mred', '␛[31mred'],
    ['bell\u0007', 'bell␇'],
    ['two\nlines\r\n', 'two␊lines␍␊'],
    ['\u001f ', '␟ '],
    ['tab\there', 'tab␉here'],
    ['\u009b2J', '\ufffd2J'],
    ['\u202etxt.exe', '\ufffdtxt.exe'],
    ['\u007f', '␡'],
    ['\ud800', '\ufffd'],
    ['株式会社 🚗 é', '株式会社 🚗 é'],
  ])('%j', (text, shown) => {
    expect(sanitize(text)).toBe(shown);
  });
});

describe('free text of a server', () => {
  test('of one line stays as it is', () => {
    expect(quoted('a\u001b[2J\r\n')).toBe('a␛[2J');
  });
  test('of several lines has a bar on each, also after wrapping', () => {
    // A bar takes two cells, and one is left for the text.
    expect(quoted('a b\nc', 5)).toBe('| a b\n| c');
    expect(quoted('a b\nc', 4)).toBe('| a\n| b\n| c');
    expect(quoted('a b\nc', 0)).toBe('| a\n| b\n| c');
    expect(quoted('B\nerror: your key was revoked\r\n\n  hint: x\ry\u2028z', 14)).toBe(
      '| B\n| error: your\n| key was\n| revoked\n|\n|   hint: x␍y\ufffdz',
    );
  });
});

test("indents wrapped lines, so that server text can't start a line", () => {
  expect(breakIndented(`${'x'.repeat(9)} error: forged by it`, 12, 2)).toBe(
    'xxxxxxxxx\n  error:\n  forged by\n  it',
  );
  expect(breakIndented('a b', undefined, 2)).toBe('a b');
  expect(breakIndented('a b cd', 3, 2)).toBe('a\n  b\n  cd');
  expect(breakIndented('a b', 0, 2)).toBe('a\n  b');
});

test('breaks around commands, which stay on one line', () => {
  const hint = 'sign in with `cs auth login`; `cs auth status` shows it';
  expect(breakAround(hint, 20, 6)).toBe(
    'sign in with\n      `cs auth login`;\n      `cs auth status`\n      shows it',
  );
  expect(breakAround(hint, undefined, 6)).toBe(hint);
});

test('a value has 16 cells beside its label, or what the margin leaves', () => {
  const told = (width: number | undefined) =>
    alignValue((room) => `${room}\nx`, { width, margin: 3 });
  expect([undefined, 18, 19, 20].map(told)).toEqual([
    'undefined\n   x',
    '16\n   x',
    '16\n   x',
    '17\n   x',
  ]);
});

test('numbers and lists in words', () => {
  expect([[], ['A'], ['A', 'B'], ['A', 'B', 'C']].map((names) => joinList(names))).toEqual([
    '',
    'A',
    'A and B',
    'A, B and C',
  ]);
  expect(joinList(['A', 'B', 'C'], 'or')).toBe('A, B or C');
  expect([0, 1, 2, 1284].map((count) => pluralize(count, 'car', 'cars'))).toEqual([
    '0 cars',
    '1 car',
    '2 cars',
    '1,284 cars',
  ]);
  expect([999, 1_000_000].map(grouped)).toEqual(['999', '1,000,000']);
  expect(['checked_in_late', null, undefined, 3].map(stateWords)).toEqual([
    'checked in late',
    '',
    '',
    '3',
  ]);
});

describe('terms and their descriptions', () => {
  const about = (text: string) => (room: number) => breakWords(text, room).split('\n');
  const entries = [
    ['--all', about('every record of the list')],
    ['-o, --output', () => []],
    ['', about('a line without a term, of forty-seven letters.')],
  ] as const;

  test('stand in two columns where 24 cells are left beside the terms', () => {
    expect(twoColumns(entries, 40)).toEqual([
      '  --all         every record of the list',
      '  -o, --output',
      '                a line without a term,',
      '                of forty-seven letters.',
    ]);
  });
  test('stand below the terms otherwise', () => {
    expect(twoColumns(entries, 39)).toEqual([
      '  --all',
      '      every record of the list',
      '  -o, --output',
      '  ',
      '      a line without a term, of',
      '      forty-seven letters.',
    ]);
    expect(twoColumns([['a', about('b c')]], 5)).toEqual(['  a', '      b', '      c']);
  });
  test('stand in columns of a least width', () => {
    expect(twoColumns([['a', about('b')]], 80, { atLeast: 4 })).toEqual(['  a     b']);
    expect(twoColumns([['longer', about('b')]], 80, { atLeast: 4 })).toEqual(['  longer  b']);
  });
});

test.each([
  ['plain.jpg', 'plain.jpg'],
  ['two words', "'two words'"],
  ["it's", "'it'\\''s'"],
  ['$HOME', "'$HOME'"],
  ['', "''"],
])('quote %j', (word, quoted) => {
  expect(quote(word)).toBe(quoted);
});

test.each([
  ['/home/ann/cars/a.jpg', 'a.jpg'],
  ['/home/ann/cars/new/a.jpg', 'new/a.jpg'],
  ['/home/ann/a.jpg', '/home/ann/a.jpg'],
  ['/tmp/a.jpg', '/tmp/a.jpg'],
  ['/home/ann/cars', '/home/ann/cars'],
])('in /home/ann/cars, %s is shown as %s', (path, shown) => {
  expect(shortPath('/home/ann/cars', path)).toBe(shown);
});

test.each<[string, string[], string[], number?]>([
  ['tabel', ['table', 'json', 'id'], ['table']],
  ['xml', ['table', 'json', 'yaml'], []],
  ['nope', ['move'], []],
  ['jsn', ['table', 'json'], ['json']],
  ['lits', ['list'], ['list']],
  ['cra', ['car'], ['car']],
  // The nearest first: what it starts, then one edit, then two.
  ['spotts', ['spooks', 'spotts-of-zone', 'spots'], ['spotts-of-zone', 'spots', 'spooks']],
  ['sessio', ['sections'], []],
  ['session', ['sektion'], ['sektion']],
  // One letter starts everything, and is one edit from any other.
  ['c', ['cars', 'x'], ['x']],
  ['ca', ['cars'], ['cars']],
  ['cars', ['cat'], ['cat'], 2],
])('nearest(%j, %j)', (word, known, found, distance) => {
  expect(nearest(word, known, distance)).toEqual(found);
});

test('words', () => {
  expect(['licensePlate', 'customerId', 'vin'].map(words)).toEqual([
    'License plate',
    'Customer ID',
    'VIN',
  ]);
});

test.each([
  ['error: short', 40, 'error: short'],
  ['one two three four', 9, 'one two\nthree\nfour'],
  ['one two', 7, 'one two'],
  ['one two', 6, 'one\ntwo'],
  [' indented text stays', 9, ' indented text stays'],
  [
    'a-word-that-is-longer-than-the-line and more',
    12,
    'a-word-that-is-longer-than-the-line\nand more',
  ],
  ['kept\nas it was', 20, 'kept\nas it was'],
  ['no width, no breaks at all', undefined, 'no width, no breaks at all'],
])('breakWords(%j, %j)', (text, width, broken) => {
  expect(breakWords(text, width)).toBe(broken);
});
