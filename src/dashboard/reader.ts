/** When something is read again: one reading at a time, not too often, and once more after a failure that passes. */
import { CallError } from './call.ts';

export interface Reader {
  /** Something changed: read in turn. */
  want(): void;
  /** Read without the wait between two readings. */
  wantNow(): void;
  /** Whether a reading is under way or to come. */
  isWanted(): boolean;
}

interface Options {
  /** The least time between the starts of two readings, in milliseconds. */
  readonly paceMs: number;
  readonly retries: boolean;
  readonly signal: AbortSignal;
}

const leastRetryMs = 1_000;
const mostRetryMs = 30_000;

/** Reads at once, and again when it is wanted. `read` throws what failed. */
export function startReader(
  read: () => Promise<void>,
  { paceMs, retries, signal }: Options,
): Reader {
  let isReading = false;
  let isWanted = false;
  let failures = 0;
  // Longer after a refusal for too many requests, and shorter again with each success.
  let gapMs = paceMs;
  let nextAt = 0;
  let wake = () => {};
  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  signal.addEventListener('abort', () => wake());
  const want = async () => {
    isWanted = true;
    if (isReading) return;
    isReading = true;
    while (isWanted) {
      const waitMs = nextAt - Date.now();
      if (waitMs > 0) await pause(waitMs);
      if (signal.aborted) break;
      isWanted = false;
      nextAt = Date.now() + gapMs;
      try {
        await read();
        failures = 0;
        gapMs = Math.max(paceMs, gapMs / 2);
      } catch (error) {
        if (error instanceof CallError && error.status === 429)
          gapMs = Math.min(gapMs * 2, mostRetryMs);
        if (!retries || !passes(error)) continue;
        isWanted = true;
        nextAt =
          Date.now() +
          Math.max(Math.min(leastRetryMs * 2 ** failures, mostRetryMs), error.retryAfterMs);
        failures += 1;
      }
    }
    isReading = false;
  };
  void want();
  return {
    want: () => void want(),
    wantNow() {
      nextAt = 0;
      void want();
      wake();
    },
    isWanted: () => isReading,
  };
}

/** Whether the same request may succeed later. */
const passes = (error: unknown): error is CallError =>
  error instanceof CallError && (error.status === 0 || error.status === 429 || error.status >= 500);
