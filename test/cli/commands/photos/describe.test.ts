import { expect, test } from 'vitest';
import { formatBytes, formatDistinctBytes } from '../../../../src/cli/commands/photos/describe.ts';
import { photoLimit } from '../../../../src/contract/limits.ts';

test.for([
  [0, '0 bytes'],
  [1, '1 byte'],
  [1023, '1023 bytes'],
  [1024, '1 KiB'],
  [1_048_000, '1023 KiB'],
  [1_048_500, '1 MiB'],
  [photoLimit, '3 MiB'],
  [5_452_595, '5.2 MiB'],
] as const)('%i is %s', ([bytes, text]) => {
  expect(formatBytes(bytes)).toBe(text);
});

test('shows exact sizes where rounded ones would be equal', () => {
  expect(formatDistinctBytes(photoLimit + 1, photoLimit)).toEqual(['3,145,729 bytes', '3,145,728 bytes']);
  expect(formatDistinctBytes(5_452_595, photoLimit)).toEqual(['5.2 MiB', '3 MiB']);
});
