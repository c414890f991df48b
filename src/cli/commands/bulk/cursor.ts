/** Where the next run goes on: a time of the server, whose clock may be wrong, or a position in a list. */
import type { Sync } from '../../../client/client.ts';

/** Clocks behind a load balancer differ by less. */
const tolerableMs = 60_000;
/** More than the longest time from a write's stamp to its commit. */
const marginMs = 10_000;

/** Whether the server's clock is behind the last run, so that changes since then may have earlier times. */
export const isSetBack = (since: string | undefined, serverTime: string | undefined): boolean =>
  since !== undefined &&
  serverTime !== undefined &&
  Date.parse(since) > Date.parse(serverTime) + tolerableMs;

/** `next` of a complete run. A record with a time in the future must not hide later changes. */
export function cursorAfter({
  next,
  serverTime,
}: Pick<Sync<unknown>, 'next' | 'serverTime'>): string | undefined {
  if (!isSetBack(next, serverTime)) return next;
  return new Date(Date.parse(serverTime as string) - marginMs).toISOString();
}

/** Whether a text in a state file can be a time of a server: any other is damage. */
export const isTime = (value: unknown): value is string =>
  typeof value === 'string' && !Number.isNaN(Date.parse(value));
