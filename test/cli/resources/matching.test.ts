import { expect, test } from 'vitest';
import {
  holdsSearch,
  isSameReading,
  isShortSearch,
  normalizeName,
  searchesFor,
} from '../../../src/cli/input/matching.ts';

test.each(['HH-RS 73', 'hhrs73', 'hh.rs.73', ' HH·RS_73 ', 'HH/RS 73'])(
  '%j is the same plate',
  (plate) => {
    expect(normalizeName(plate)).toBe('hhrs73');
  },
);

test('searches a plate as typed, then without separators, then by its digits', () => {
  expect(searchesFor('HH-RS 73')).toEqual(['HH-RS 73', 'hhrs73', '73']);
  expect(searchesFor('wnab123x4')).toEqual(['wnab123x4', '123 4']);
  expect(searchesFor('911')).toEqual(['911']);
  expect(searchesFor('Emma')).toEqual(['Emma']);
});

test.each([
  // Separators left out, or others in their places.
  ['HH-RS 73', 'hhrs73', true],
  ['HH-RS 73', 'HH RS-73', true],
  ['HH-RS 73', 'hh rs73', true],
  ['HH-RS 73', 'hhrs 73', true],
  ['HHRS73', 'HH-RS 73', true],
  ['B-OT 7', 'BOT7', true],
  ['B-OT 7', 'b ot7', true],
  ['WN-AB 123X', 'WNAB-123-X', true],
  ['A3', 'A-3', true],
  ['Ann Lee', 'annlee', true],
  ['Big Red', 'big-red', true],
  // Separators in other places.
  ['B-OT 7', 'BO-T 7', false],
  ['B-OT 7', 'BO T7', false],
  ['BA-B 12', 'B-AB 12', false],
  ['Ann Lee', 'An Nlee', false],
  // Between digits each separator counts.
  ['A1-2', 'A12', false],
  ['A1-2', 'A1 2', true],
  ['12-34-AB', '1234-AB', false],
  ['1-23', '12-3', false],
  // Addresses and file names.
  ['ann.b@example.com', 'annb@example.com', false],
  ['ann@example.com', 'Ann@Example.com', true],
  ['img_1.jpg', 'img1.jpg', false],
  // Other letters, or none.
  ['HH-E 61', 'HH-E 62', false],
  ['-', '/', false],
])('whether %j and %j can be the same name: %s', (a, b, expected) => {
  expect(isSameReading(a, b)).toBe(expected);
  expect(isSameReading(b, a)).toBe(expected);
});

test('a text is short when each of its words has fewer than three characters', () => {
  expect(['FI', 'm', 'hh 7', ' fi '].filter((text) => !isShortSearch(text))).toEqual([]);
  expect(['emm', 'HH-7', 'hh 500'].filter(isShortSearch)).toEqual([]);
});

test.each([
  ['FI', true],
  ['fi fi', true],
  ['5 0', true],
  // Letters and digits in a row.
  ['i5', true],
  ['if', false],
  ['fi x', false],
  ['-', true],
  ['.', false],
])('the plate HH-FI 500 holds %j: %j', (search, expected) => {
  expect(holdsSearch(['HH-FI 500', null, undefined], search)).toBe(expected);
});
