import { describe, expect, test } from 'vitest';
import {
  breakIndented,
  breakWords,
  nearest,
  quote,
  quoted,
  sanitize,
  shortPath,
  words,
} from '../../../src/cli/terminal/text.ts';

describe('sanitize', () => {
  test.each([
    ['\u001b[31mred', '␛[31mred'],
    ['bell\u0007', 'bell␇'],
    ['two\nlines\r\n', 'two␊lines␍␊'],
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

test('nearest finds the closest word, or none', () => {
  expect(nearest('tabel', ['table', 'json', 'id'])).toEqual(['table']);
  expect(nearest('xml', ['table', 'json', 'yaml'])).toEqual([]);
  expect(nearest('nope', ['move'])).toEqual([]);
  expect(nearest('jsn', ['table', 'json'])).toEqual(['json']);
  expect(nearest('lits', ['list'])).toEqual(['list']);
  expect(nearest('cra', ['car'])).toEqual(['car']);
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
