/** The server's clock compared with this machine's. */
import type { AttemptEvent } from '../../../client/options.ts';
import { pluralize } from '../../terminal/text.ts';

export interface ServerClock {
  /** ISO 8601 in UTC, to the second. */
  readonly time: string;
  /** Milliseconds ahead of this machine; negative if it is behind. */
  readonly skewMs: number;
}

/** A service refuses times further ahead of its own clock. */
export const maxSkewMs = 5 * 60_000;
/** Warn about keys and certificates that expire sooner than this. */
export const expiryWarningMs = 14 * 86_400_000;
/** Smaller differences may come from latency and the precision of a `Date` header, a second. */
export const clockPrecisionMs = 2_000;

/** From the Date header of an answer that arrived at `now`. */
export function readServerClock({ date, ms }: AttemptEvent, now: Date): ServerClock | undefined {
  const serverMs = date === undefined ? Number.NaN : Date.parse(date);
  if (Number.isNaN(serverMs)) return undefined;
  // The header lacks fractions of a second: add half a second. Latency: assume that the answer took half the time.
  const skew = serverMs + 500 - (now.getTime() - Math.min(ms, 10_000) / 2);
  return {
    time: new Date(serverMs).toISOString(),
    skewMs: Math.abs(skew) < clockPrecisionMs ? 0 : Math.round(skew / 1_000) * 1_000,
  };
}

/** `in sync with this machine`, `7 minutes ahead of this machine`. */
export function describeSkew({ skewMs }: Pick<ServerClock, 'skewMs'>): string {
  if (skewMs === 0) return 'in sync with this machine';
  return `${formatDuration(Math.abs(skewMs))} ${skewMs > 0 ? 'ahead of' : 'behind'} this machine`;
}

/** In the largest unit: `0.5 seconds`, `3 seconds`, `2 hours`, `6 days`. */
export function formatDuration(ms: number): string {
  const units = [
    [86_400_000, 'day'],
    [3_600_000, 'hour'],
    [60_000, 'minute'],
  ] as const;
  const [size, unit] = units.find(([least]) => ms >= least) ?? [1_000, 'second'];
  const count = ms < 1_000 ? Number((ms / size).toPrecision(2)) : Math.floor(ms / size);
  return pluralize(count, unit, `${unit}s`);
}
