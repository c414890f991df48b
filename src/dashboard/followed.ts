/** Records that stay in the page: read once, and then what has changed of them. */
import { type Lists, readAll, readByIds } from './read.ts';
import { stamp } from './stamp.ts';

interface Stamped {
  readonly id: string;
}

/** With `updatedAfter`, what has changed since then; without, all that is wanted. */
type Read<T> = (updatedAfter: string | undefined) => Promise<readonly T[]>;
type Reader<T> = () => Promise<Map<string, T>>;

/** Milliseconds after which all is read again: what was deleted isn't among what has changed, and a wall runs for weeks. */
const wholeMs = 3_600_000;

/** `includes`: whether a changed record is still wanted. */
export function follow<T extends Stamped>(
  read: Read<T>,
  includes: (record: T) => boolean = () => true,
): Reader<T> {
  const records = new Map<string, T>();
  let since: string | undefined;
  let wholeAt = 0;
  return async () => {
    // What has this stamp or an older one is in the answer; what comes meanwhile is read once more.
    const [known, now] = [stamp.value, Date.now()];
    const isWhole = now - wholeAt >= wholeMs;
    const found = await read(isWhole ? undefined : since);
    if (isWhole) {
      records.clear();
      wholeAt = now;
    }
    for (const record of found) {
      if (includes(record)) records.set(record.id, record);
      else records.delete(record.id);
    }
    since = known;
    return records;
  };
}

/** A whole list. */
export const followAll = <P extends keyof Lists & string>(path: P): Reader<Lists[P]> =>
  follow((updatedAfter) => readAll(path, { updatedAfter }));

/** Records of a list by their ids, which may be others each time. */
export function followByIds<P extends keyof Lists & string>(
  path: P,
): (ids: Iterable<string | null | undefined>) => Promise<Map<string, Lists[P]>> {
  const records = new Map<string, Lists[P]>();
  let since: string | undefined;
  return async (ids) => {
    const known = stamp.value;
    const wanted = [...ids];
    if (records.size > 0) {
      const changed = await readAll(path, { updatedAfter: since });
      for (const record of changed) if (records.has(record.id)) records.set(record.id, record);
    }
    const missing = wanted.filter((id) => id && !records.has(id));
    for (const [id, record] of await readByIds(path, missing)) records.set(id, record);
    since = known;
    return records;
  };
}
