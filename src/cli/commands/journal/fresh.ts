/** Whether the same command line still means the work that an entry began. */
import type { Io } from '../../terminal/io.ts';
import type { Entry } from './entry.ts';
import { serverTimeOf } from './moment.ts';

/** After this time a server has forgotten the Idempotency-Key, and nobody expects the same command to mean the same drop-off. */
export const freshMs = 23 * 3_600_000;

/** Undefined where one of the two times isn't known by the server's clock. */
export const ageByServer = (
  { startedAt, serverTime }: Partial<Entry>,
  io: Pick<Io, 'now' | 'run'>,
): number | undefined =>
  serverTime === undefined || serverTime === startedAt || io.run.serverClockOffset === undefined
    ? undefined
    : Date.parse(serverTimeOf(io)) - Date.parse(serverTime);

/** By the server's clock where it is known: that of this machine may have been corrected since. */
export const isFresh = (
  entry: Pick<Entry, 'startedAt'> & Partial<Entry>,
  io: Pick<Io, 'now' | 'run'>,
): boolean =>
  (ageByServer(entry, io) ?? io.now().getTime() - Date.parse(entry.startedAt)) < freshMs;
