import { expect, test } from 'vitest';
import { formatBytes, formatBytesApart, photoLine } from '../../../../src/cli/commands/photos/describe.ts';
import { photoLimit } from '../../../../src/contract/cars.ts';

test.for([
  [0, '0 bytes'],
  [1, '1 byte'],
  [1023, '1023 bytes'],
  [1024, '1 KB'],
  [1_048_000, '1023 KB'],
  [1_048_500, '1 MB'],
  [photoLimit, '3 MB'],
  [5_452_595, '5.2 MB'],
] as const)('%i is %s', ([bytes, text]) => {
  expect(formatBytes(bytes)).toBe(text);
});

test('sizes that would read the same are told in full', () => {
  expect(formatBytesApart(photoLimit + 1, photoLimit)).toEqual(['3,145,729 bytes', '3,145,728 bytes']);
  expect(formatBytesApart(5_452_595, photoLimit)).toEqual(['5.2 MB', '3 MB']);
});

test('a photo in one line, with what is known', () => {
  expect(photoLine({ path: '/card/front.jpg', sizeBytes: 5_452_595, width: 4032, height: 3024 })).toBe('front.jpg  5.2 MB  4032 × 3024');
  expect(photoLine({ path: 'odd.heic', sizeBytes: 900_000, width: null, height: null })).toBe('odd.heic  879 KB');
});
