/**
 * The time of --at. What happens now is dated by the server: a time is sent only where one is typed, or was queued. Where the two clocks
 * differ, nothing counts from either.
 */
import type { Context } from '../../context.ts';
import { usage } from '../../errors/exit.ts';
import { localMoment, parseEventTime, parseWhen } from '../../input/when.ts';
import { readOrigin } from '../connection/origin.ts';
import { describeSkew } from '../connection/server-clock.ts';

/** People say to the minute when something happened. */
const toleratedMs = 2 * 60_000;

/** Refuses a text that is no time, before any request. Returns the moment from which it counts, by this machine's clock. */
export function requireTime({ io }: Context, at: string | undefined): Date {
  const typedAt = io.now();
  if (at !== undefined) parseWhen(at, typedAt, '--at', 'past');
  return typedAt;
}

/**
 * ISO 8601; undefined without the flag. Exit 2 for a relative time where the clocks differ, 3 for one in the server's future. Called once
 * the look-ups of a command told the server's time; otherwise asks for it.
 */
export async function readEventTime(
  context: Context,
  at: string | undefined,
  typedAt: Date,
): Promise<string | undefined> {
  const { run } = context.io;
  // Best effort: the server refuses a time in its future.
  if (at !== undefined && run.serverClockOffset === undefined)
    await readOrigin(context).catch(() => {});
  if (at === undefined) return undefined;
  const skewMs = run.serverClockOffset ?? 0;
  const serverTime = new Date(typedAt.getTime() + skewMs);
  const time = parseWhen(at, serverTime, '--at', 'past');
  if (Math.abs(skewMs) > toleratedMs && time !== parseWhen(at, typedAt, '--at', 'past'))
    throw usage(
      `--at: "${at}" can't be counted from now: it is ${localMoment(typedAt.toISOString())} on this machine and ${localMoment(serverTime.toISOString())} on the server.`,
      'set the clock, or give the time in full, such as "2026-03-01 14:30"',
    );
  return parseEventTime(at, serverTime, '--at');
}

/** Tells where the clocks differ: the server dates what happens now, and the times of a queue may be wrong. */
export function noteClock({ io }: Pick<Context, 'io'>): void {
  const { run } = io;
  const skewMs = run.serverClockOffset ?? 0;
  if (Math.abs(skewMs) <= toleratedMs) return;
  const about = `The server's clock is ${describeSkew({ skewMs })}, and its time counts. Set the clock of this machine; see \`cs doctor\`.`;
  if (!run.notes.some((note) => note.about === about)) run.notes.push({ kind: 'unchecked', about });
}
