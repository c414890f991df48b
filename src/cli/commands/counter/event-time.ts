/** The time of --at, by the server's clock: this machine's may be wrong. */

import type { Context } from '../../context.ts';
import { usage } from '../../errors/exit.ts';
import { reportOf, wrapFailure } from '../../errors/report.ts';
import { parseEventTime, parseWhen } from '../../input/when.ts';
import { describeSkew } from '../connection/server-clock.ts';
import { learnServerTime, serverTimeOf } from '../journal/moment.ts';
import { timeInFuture } from './refusal.ts';

/** Smaller differences don't matter: people say to the minute when something happened. */
const minuteMs = 60_000;
/** Where two clocks differ by more, nothing tells which of them is right. */
const plausibleMs = 86_400_000;

/** Refuses a text that is no time, before any request. Returns the moment from which it counts, by this machine's clock. */
export function requireTime({ io }: Context, at: string | undefined): Date {
  const typedAt = io.now();
  if (at !== undefined) parseWhen(at, typedAt, '--at', 'past');
  return typedAt;
}

/**
 * ISO 8601; undefined without the flag. `10 minutes ago` counts from the server's time. Exit 3 for a time in the server's future.
 * Called once the look-ups of a command told the server's time; otherwise asks for it.
 */
export async function readEventTime(
  context: Context,
  at: string | undefined,
  typedAt: Date,
): Promise<string | undefined> {
  if (at === undefined) return undefined;
  await learnServerTime(context);
  const skewMs = skewOf(context);
  const serverTime = new Date(typedAt.getTime() + skewMs);
  if (skewMs === 0) return parseEventTime(at, serverTime, '--at');
  const time = parseWhen(at, serverTime, '--at', 'past');
  const clock = `server's clock is ${describeSkew({ skewMs })}`;
  const isCounted = time !== parseWhen(at, typedAt, '--at', 'past');
  if (isCounted && Math.abs(skewMs) > plausibleMs)
    throw usage(
      `--at: "${at}" can't be counted from now: the ${clock}.`,
      'give the time in full, such as "2026-03-01 14:30"; `cs doctor` compares the clocks',
    );
  try {
    parseEventTime(time, serverTime, '--at');
  } catch (error) {
    const message = `${timeInFuture(time, serverTimeOf(context.io))} Nothing was stored.`;
    throw wrapFailure(error, {
      message,
      hint: [`the ${clock}`, reportOf(error).hint, 'see `cs doctor`'].filter(Boolean).join('; '),
    });
  }
  if (isCounted)
    context.warn(`The ${clock}: --at "${at}" counts from the server's. See \`cs doctor\`.`);
  return time;
}

/** Tells of queued work that was stored with the time of this machine, whose clock may have been as wrong then as it is now. */
export function warnOfClock(context: Context): void {
  const skewMs = skewOf(context);
  if (skewMs === 0) return;
  context.io.run.notes.push({
    kind: 'unchecked',
    about: `The server's clock is ${describeSkew({ skewMs })}: the times of work that was queued here may be wrong by as much. See \`cs doctor\`.`,
  });
}

/** Milliseconds from this machine's clock to the server's, in whole minutes; 0 where no answer told. */
const skewOf = ({ io }: Context): number =>
  Math.round((io.run.serverClockOffset ?? 0) / minuteMs) * minuteMs;
