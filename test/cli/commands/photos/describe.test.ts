import { expect, test } from 'vitest';
import {
  changesTo,
  formatDistinctBytes,
  photoSummary,
  photoTable,
} from '../../../../src/cli/commands/photos/describe.ts';
import { formatDimensions } from '../../../../src/cli/commands/photos/view.ts';
import { formatBytes, photoLimit } from '../../../../src/contract/limits.ts';
import { markedStyles } from '../../../helpers/marked-styles.ts';

test.for([
  [0, '0 bytes'],
  [1, '1 byte'],
  [999, '999 bytes'],
  [1000, '1 KB'],
  [999_400, '999 KB'],
  [999_600, '1 MB'],
  [photoLimit, '3.1 MB'],
  [5_452_595, '5.5 MB'],
  [999_960_000, '1 GB'],
  [50_000_000_000, '50 GB'],
] as const)('%i is %s', ([bytes, text]) => {
  expect(formatBytes(bytes)).toBe(text);
});

test('shows exact sizes where rounded ones would be equal', () => {
  expect(formatDistinctBytes(photoLimit + 1, photoLimit)).toEqual([
    '3,145,729 bytes',
    '3,145,728 bytes',
  ]);
  expect(formatDistinctBytes(5_452_595, photoLimit)).toEqual(['5.5 MB', '3.1 MB']);
  expect(formatDistinctBytes(1000, 1000)).toEqual(['1 KB', '1 KB']);
});

test.each([
  [4032, 3024, '4032 × 3024'],
  [4032, null, ''],
  [null, 3024, ''],
  [null, null, ''],
])('%s by %s is "%s"', (width, height, text) => {
  expect(formatDimensions({ width, height })).toBe(text);
});

const photo = (
  filename: string,
  sizeBytes: number,
  hasLocation = false,
  width: number | null = 40,
) => ({ filename, sizeBytes, hasLocation, width, height: 30 }) as never;
const [small, large] = [
  photo('a.jpg', photoLimit),
  photo('long name.jpg', photoLimit + 1, false, 4000),
];
const [located, both] = [photo('b.jpg', 7, true, null), photo('c.jpg', photoLimit + 1, true)];

test.each([
  [small, {}, ''],
  [large, {}, 'will be shrunk'],
  [large, { resize: false }, ''],
  [located, {}, 'location removed'],
  [located, { keepLocation: true }, ''],
  [both, {}, 'shrunk, location removed'],
  [both, { keepLocation: true }, 'will be shrunk'],
  [both, { resize: false }, 'location removed'],
])('%j with %j: %s', (facts, options, changes) => {
  expect(changesTo(facts, options)).toBe(changes);
});

test.each([
  [[], {}, 'none'],
  [[small], {}, '1 photo, 3.1 MB'],
  [[small, large], {}, '2 photos, 6.3 MB (1 will be shrunk)'],
  [[small, large, both], {}, '3 photos, 9.4 MB (2 will be shrunk, location removed from 1)'],
  [[located, both], { keepLocation: true, resize: false }, '2 photos, 3.1 MB'],
])('the summary of %j with %j', (photos, options, text) => {
  expect(photoSummary(photos, options)).toBe(text);
});

test('a line for each photo, whose name is cut before the rest', () => {
  const table = (columns?: number) =>
    photoTable(
      { io: { columns }, styles: markedStyles } as never,
      [large, located, small],
      {},
    ).split('\n');
  expect(table()).toEqual([
    '    long name.jpg   3.1 MB  4000 × 30  <dim>will be shrunk</dim>',
    '    b.jpg          7 bytes             <dim>location removed</dim>',
    '    a.jpg           3.1 MB    40 × 30  <dim></dim>',
  ]);
  expect(table(54)[0]).toBe('    long name.j…   3.1 MB  4000 × 30  <dim>will be shrunk</dim>');
});
