/** How far a server's clock is from the one of this machine. */
import type { AttemptEvent } from '../../../client/options.ts';
import { pluralize } from '../../terminal/text.ts';

export interface ServerClock {
  /** ISO 8601 in UTC, to the second. */
  readonly time: string;
  /** Milliseconds that it is ahead of this machine; negative when it is behind. */
  readonly skewMs: number;
}

/** A service refuses times that lie further ahead of its own clock. */
export const toleratedSkewMs = 5 * 60_000;
/** An end of a key or a certificate that is nearer than this is told, in milliseconds. */
export const nearEndMs = 14 * 86_400_000;
/** Less can be the way of the answer, and the header's lack of fractions. */
const noticedSkewMs = 2_000;

/** What an answer tells of the clock; `now` is when it had come in. */
export function clockOf({ date, ms }: AttemptEvent, now: Date): ServerClock | undefined {
  const told = date === undefined ? Number.NaN : Date.parse(date);
  if (Number.isNaN(told)) return undefined;
  // The header leaves the fraction of the second out, and half of the wait was the answer's way back.
  const skew = told + 500 - (now.getTime() - Math.min(ms, 10_000) / 2);
  return { time: new Date(told).toISOString(), skewMs: Math.abs(skew) < noticedSkewMs ? 0 : Math.round(skew / 1_000) * 1_000 };
}

/** `in step with this machine`, `7 minutes ahead of this machine`. */
export function skewText({ skewMs }: ServerClock): string {
  if (skewMs === 0) return 'in step with this machine';
  return `${spanText(Math.abs(skewMs))} ${skewMs > 0 ? 'ahead of' : 'behind'} this machine`;
}

/** A length of time in its largest unit: `3 seconds`, `2 hours`, `6 days`. */
export function spanText(ms: number): string {
  const units = [
    [86_400_000, 'day'],
    [3_600_000, 'hour'],
    [60_000, 'minute'],
  ] as const;
  const [size, unit] = units.find(([least]) => ms >= least) ?? [1_000, 'second'];
  return pluralize(Math.floor(ms / size), unit, `${unit}s`);
}
