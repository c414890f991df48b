import { expect, test } from 'vitest';
import { startUploadProgress } from '../../../../src/cli/commands/photos/upload-progress.ts';

const mega = 1_000_000;

test('counts photos and bytes, and tells the time left once it can', () => {
  let now = 0;
  const progress = startUploadProgress([2 * mega, 2 * mega, 36 * mega], () => now);
  expect(progress.text()).toBe('0 of 3 photos · 0 bytes of 40 MB');
  now = 1_000;
  progress.ended(0);
  expect(progress.text()).toBe('1 of 3 photos · 2 MB of 40 MB');
  now = 6_000;
  progress.ended(1);
  expect(progress.text()).toBe('2 of 3 photos · 4 MB of 40 MB · 54 seconds left');
  now = 150_000;
  expect(progress.text()).toBe('2 of 3 photos · 4 MB of 40 MB · 22 minutes left');
  progress.ended(2);
  expect(progress.text()).toBe('3 of 3 photos · 40 MB of 40 MB');
  expect(progress.summary()).toBe('Sent 3 photos, 40 MB, in 2 minutes.');
});

test('a photo that is shrunk counts with the bytes that are sent', () => {
  let now = 0;
  const progress = startUploadProgress([8 * mega, 8 * mega], () => now);
  progress.prepared(0, 2 * mega);
  expect(progress.text()).toBe('0 of 2 photos · 0 bytes of 10 MB');
  progress.prepared(1, 2 * mega);
  now = 10_000;
  progress.ended(0);
  expect(progress.text()).toBe('1 of 2 photos · 2 MB of 4 MB · 10 seconds left');
  progress.ended(1);
  expect(progress.summary()).toBe('Sent 2 photos, 4 MB, in 10 seconds.');
});
