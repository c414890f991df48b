/** Records that others name by id, read a few requests at a time. */
import { ApiError } from '../../../client/errors.ts';

type Read<T> = (query: { ids: string[]; limit: number }) => Promise<{ data: T[] }>;

/** By id. What the key may not read is not there: a name is a comfort, and the id says it too. */
export async function readNamed<T extends { id: string }>(read: Read<T>, ids: Iterable<string | null>): Promise<ReadonlyMap<string, T>> {
  try {
    return await readRecords(read, ids);
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) return new Map();
    throw error;
  }
}

/** By id, those that there are. */
export async function readRecords<T extends { id: string }>(
  read: Read<T>,
  given: Iterable<string | null>,
): Promise<ReadonlyMap<string, T>> {
  const ids = [...new Set(given)].filter((id) => id !== null);
  const found = new Map<string, T>();
  for (let start = 0; start < ids.length; start += 200) {
    const { data } = await read({ ids: ids.slice(start, start + 200), limit: 200 });
    for (const record of data) found.set(record.id, record);
  }
  return found;
}
