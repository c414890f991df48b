import { expect, test } from 'vitest';
import { formatDistinctBytes } from '../../../../src/cli/commands/photos/describe.ts';
import { formatBytes, photoLimit } from '../../../../src/contract/limits.ts';

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
});
