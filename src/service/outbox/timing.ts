/** How patient the worker is. */
export interface Timing {
  /** How many hand-overs are under way at once, at most: so many may repeat after a crash. */
  readonly atOnce: number;
  /** How long one hand-over may take, in milliseconds. */
  readonly deliveryMs: number;
  /** How long a claim holds, in milliseconds; clearly longer than a hand-over, so that it only ends with the process that made it. */
  readonly leaseMs: number;
  /** How often to look for what another process has put in or left behind, in milliseconds. */
  readonly pollMs: number;
  /** How long to wait after this many attempts, in milliseconds; undefined to give up. */
  readonly retryAfterMs: (attempts: number) => number | undefined;
}

const firstRetryMs = 10_000;
const longestRetryMs = 3_600_000;
/** About a day: long enough for a mail server to be mended, short enough that the news is still of use. */
const attemptsAtMost = 32;

export const timing: Timing = {
  atOnce: 4,
  deliveryMs: 30_000,
  leaseMs: 90_000,
  pollMs: 5_000,
  retryAfterMs: (attempts) => (attempts < attemptsAtMost ? Math.min(firstRetryMs * 2 ** (attempts - 1), longestRetryMs) : undefined),
};
