/** Timing of the worker. */
export interface Timing {
  /** Parallel deliveries; this many may repeat after a crash. */
  readonly atOnce: number;
  /** Timeout of a delivery, in milliseconds. */
  readonly deliveryMs: number;
  /** Pause after an internal error, such as an unreachable database, in milliseconds. */
  readonly faultMs: number;
  /** Duration of a claim, in milliseconds; clearly longer than a delivery, so that it only ends with its process. */
  readonly leaseMs: number;
  /** Polling interval for entries of other processes, in milliseconds. */
  readonly pollMs: number;
  /** Delay after this many attempts, in milliseconds; undefined to give up. */
  readonly retryAfterMs: (attempts: number) => number | undefined;
}

const firstRetryMs = 10_000;
const longestRetryMs = 3_600_000;
/** About a day: enough to repair a mail server, and the news is still useful. */
const attemptsAtMost = 32;

export const timing: Timing = {
  atOnce: 4,
  deliveryMs: 30_000,
  faultMs: 1_000,
  leaseMs: 90_000,
  pollMs: 5_000,
  retryAfterMs: (attempts) =>
    attempts < attemptsAtMost
      ? Math.min(firstRetryMs * 2 ** (attempts - 1), longestRetryMs)
      : undefined,
};
