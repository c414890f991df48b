/** The order in which unfinished commands are sent: that of what happened, which may have been typed in another one. */
import { isObject } from '../../input/plain-object.ts';
import type { Entry, StoredEntry } from './entry.ts';

/** When it happened, ISO 8601: the time that was given or resolved; without one, when the command began. */
export function eventTime({
  queued,
  plan,
  startedAt,
}: Pick<Entry, 'queued' | 'plan' | 'startedAt'>): string {
  const given = queued?.at ?? (isObject(plan) ? plan.at : undefined);
  return typeof given === 'string' ? given : startedAt;
}

/** A pick-up frees the spot for the drop-off after it. At equal times in the order in which they were typed. */
export const inEventOrder = (entries: readonly StoredEntry[]): StoredEntry[] =>
  entries.toSorted(
    ({ entry: one }, { entry: other }) =>
      compare(eventTime(one), eventTime(other)) || compare(one.startedAt, other.startedAt),
  );

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
