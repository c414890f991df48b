/**
 * Which queued work a command line means that is typed again: that work, unless the queue has later work of the same car, such as a
 * pick-up. Then it happened again.
 */
import { isSameId } from '../../../client/ids.ts';
import { isSameReading } from '../../input/matching.ts';
import type { Entry, StoredEntry } from './entry.ts';

/** The id of the car of an entry; undefined where nothing tells it. */
type CarIdOf = (stored: StoredEntry) => string | undefined | Promise<string | undefined>;

interface LaterWork {
  readonly entry: Entry;
  /** Whether it is known to be of the same car. */
  readonly isSure: boolean;
}

/** The first work that was queued after an entry and may concern its car. Cars are different only where both ids are known, and the same by id or by name. */
export async function laterWork(
  entries: readonly StoredEntry[],
  stored: StoredEntry,
  carIdOf: CarIdOf,
): Promise<LaterWork | undefined> {
  const queued = entries.filter(({ entry }) => entry.queued);
  const at = queued.findIndex(({ entry }) => entry.id === stored.entry.id);
  const later = at === -1 ? [] : queued.slice(at + 1);
  const id = later.length === 0 ? undefined : await carIdOf(stored);
  for (const one of later) {
    if (isSameReading(String(stored.entry.queued?.car), String(one.entry.queued?.car)))
      return { entry: one.entry, isSure: true };
    const other = id && (await carIdOf(one));
    if (!id || !other) return { entry: one.entry, isSure: false };
    if (isSameId(id, other)) return { entry: one.entry, isSure: true };
  }
  return undefined;
}
