/** Now, where this machine and the server agree on it. */

import type { Context } from '../../context.ts';
import type { Io } from '../../terminal/io.ts';
import { readOrigin } from '../connection/origin.ts';
import { clockPrecisionMs } from '../connection/server-clock.ts';

/**
 * The time of what happens now, ISO 8601, to be stored even if the request arrives later. Undefined where the two clocks differ by more
 * than seconds: the server then dates it, since a time in its future or before its last change would be refused.
 */
function momentOf({ now, run }: Pick<Io, 'now' | 'run'>): string | undefined {
  return Math.abs(run.serverClockOffset ?? 0) <= clockPrecisionMs ? now().toISOString() : undefined;
}

/**
 * A plan with the time at which it begins: that of its event, whenever it is stored. A repeat with a key of the person's own is the same
 * request, without a time.
 */
export const withMoment = <P extends { readonly at?: string; readonly idempotencyKey?: string }>(
  io: Io,
  plan: P,
): P => ({
  ...plan,
  at: plan.at ?? (plan.idempotencyKey === undefined ? momentOf(io) : undefined),
});

/** Asks the server for its time, where no answer of this run told it. Best effort. */
export async function learnServerTime(context: Context): Promise<void> {
  if (context.io.run.serverClockOffset === undefined) await readOrigin(context).catch(() => {});
}

/** The server's time, ISO 8601, to the second; this machine's where no answer told it. */
export const serverTimeOf = ({ now, run }: Pick<Io, 'now' | 'run'>): string =>
  new Date(now().getTime() + (run.serverClockOffset ?? 0)).toISOString();
