/** When the dashboard's pages read again. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CallError } from '../../src/dashboard/call.ts';
import { startReader } from '../../src/dashboard/reader.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A reader whose readings have these results, in turn; later ones succeed. */
function start(results: readonly (CallError | undefined)[] = [], { retries = true } = {}) {
  const readings: number[] = [];
  const startedAt = Date.now();
  const abort = new AbortController();
  const read = async () => {
    const failure = results[readings.length];
    readings.push((Date.now() - startedAt) / 1000);
    if (failure) throw failure;
  };
  return {
    reader: startReader(read, { paceMs: 2_000, retries, signal: abort.signal }),
    readings,
    abort,
  };
}

const busy = new CallError('Busy.', { code: 'unavailable', status: 503 });
const tooMany = (retryAfter: number) =>
  new CallError('Wait.', { code: 'rate_limited', status: 429, details: { retryAfter } });

test('a change after a calm time is read at once, and many together at most every two seconds', async () => {
  const { reader, readings } = start();
  await vi.advanceTimersByTimeAsync(10_000);
  for (let change = 0; change < 60; change++) {
    reader.want();
    await vi.advanceTimersByTimeAsync(100);
  }
  await vi.advanceTimersByTimeAsync(60_000);
  expect(readings).toEqual([0, 10, 12, 14, 16]);
  expect(reader.isWanted()).toBe(false);
});

test('a failure that passes is tried again without a change, later each time', async () => {
  const { reader, readings } = start([undefined, busy, busy, busy]);
  await vi.advanceTimersByTimeAsync(10_000);
  reader.want();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(reader.isWanted()).toBe(true);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(readings).toEqual([0, 10, 11, 13, 17]);
  expect(reader.isWanted()).toBe(false);
});

test('a refusal for too many requests is waited out, and the readings after it are slower for a while', async () => {
  const { reader, readings } = start([tooMany(7)]);
  for (let second = 0; second < 20; second++) {
    reader.want();
    await vi.advanceTimersByTimeAsync(1_000);
  }
  expect(readings).toEqual([0, 7, 11, 13, 15, 17, 19]);
});

test('what never passes, and what nobody follows, is read once', async () => {
  const forbidden = new CallError('No.', { code: 'forbidden', status: 403 });
  const runs = [start([forbidden]), start([busy], { retries: false })];
  await vi.advanceTimersByTimeAsync(60_000);
  expect(runs.map(({ readings }) => readings.length)).toEqual([1, 1]);
});

test('a page that is left reads no more, and a wish of its user is not made to wait', async () => {
  const { reader, readings, abort } = start();
  await vi.advanceTimersByTimeAsync(500);
  reader.wantNow();
  await vi.advanceTimersByTimeAsync(100);
  reader.want();
  abort.abort();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(readings).toEqual([0, 0.5]);
});
