import { expect, test } from 'vitest';
import { startUploadProgress } from '../../../../src/cli/commands/photos/upload-progress.ts';

const mebi = 1024 * 1024;

test('counts photos and bytes, and tells the time left once it can', () => {
  let now = 0;
  const progress = startUploadProgress([2 * mebi, 2 * mebi, 36 * mebi], () => now);
  expect(progress.text()).toBe('0 of 3 photos · 0 bytes of 40 MiB');
  now = 1_000;
  progress.ended(0);
  expect(progress.text()).toBe('1 of 3 photos · 2 MiB of 40 MiB');
  now = 6_000;
  progress.ended(1);
  expect(progress.text()).toBe('2 of 3 photos · 4 MiB of 40 MiB · 55 s left');
  now = 150_000;
  expect(progress.text()).toBe('2 of 3 photos · 4 MiB of 40 MiB · 23 min left');
  progress.ended(2);
  expect(progress.text()).toBe('3 of 3 photos · 40 MiB of 40 MiB');
  expect(progress.summary()).toBe('Sent 3 photos, 40 MiB, in 3 min.');
});

test('hours, and a moment', () => {
  let now = 0;
  const progress = startUploadProgress([mebi, 1023 * mebi], () => now);
  now = 10_000;
  progress.ended(0);
  expect(progress.text()).toContain('2 h 51 min left');
  now = 9_000_000;
  expect(progress.summary()).toContain('in 2 h 30 min.');
  const quick = startUploadProgress([1], () => 0);
  quick.ended(0);
  expect(quick.summary()).toBe('Sent 1 photo, 1 byte, in 1 s.');
});

test('a photo that is shrunk counts with the bytes that are sent', () => {
  let now = 0;
  const progress = startUploadProgress([8 * mebi, 8 * mebi], () => now);
  progress.prepared(0, 2 * mebi);
  expect(progress.text()).toBe('0 of 2 photos · 0 bytes of 10 MiB');
  progress.prepared(1, 2 * mebi);
  now = 10_000;
  progress.ended(0);
  expect(progress.text()).toBe('1 of 2 photos · 2 MiB of 4 MiB · 10 s left');
  progress.ended(1);
  expect(progress.summary()).toBe('Sent 2 photos, 4 MiB, in 10 s.');
});
