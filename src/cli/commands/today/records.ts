/** Records that others name by id, read a few requests at a time. */
import { ApiError } from '../../../client/errors.ts';
import { type IdsQuery, readByIds } from '../../crud/methods.ts';

type Read<T> = (query: IdsQuery) => Promise<{ data: T[] }>;

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
  for await (const record of readByIds(ids, read)) found.set(record.id, record);
  return found;
}
