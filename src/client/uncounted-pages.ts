/** Reads a list whose server doesn't count, or counts wrong: until a page brings nothing new. */
import { ApiError, UnsteadyListError } from './errors.ts';
import { IdSet, idSetOf } from './id-set.ts';
import type { ListBody, PageQuery } from './list-body.ts';
import { idOf } from './page-position.ts';

export interface Uncounted<T> {
  readonly read: (query: PageQuery) => Promise<ListBody<T>>;
  /** Page 1, if it is here already. */
  readonly first?: ListBody<T>;
  readonly limit: number;
  readonly seen: IdSet;
}

const maxPasses = 20;

/**
 * A record that is deleted meanwhile moves others to a page that was read already, so the whole list is read again until nothing new
 * comes. A total that is never reached is an error.
 */
export async function* readUncounted<T extends object>({
  read,
  first,
  limit,
  seen,
}: Uncounted<T>): AsyncGenerator<T[], void> {
  let opening = first;
  for (let pass = 1; pass <= maxPasses; pass++) {
    const before = seen.size;
    const inPass = new IdSet();
    let firstRows: readonly T[] = [];
    for (let page = 1; ; page++) {
      const answer = opening ?? (await read({ page, limit }));
      opening = undefined;
      const { data, total } = answer;
      requireIds(data);
      const fresh = withoutDuplicates(data, seen);
      if (fresh.length > 0) yield fresh;
      if (page === 1) firstRows = data;
      if (withoutDuplicates(data, inPass).length > 0) continue;
      requireEnd(answer, page);
      const repeatsFirst = data.length > 0 && page === 2;
      const unseen =
        repeatsFirst && !answer.endsHere ? await rowsOfPageTwo(read, firstRows, seen) : [];
      if (unseen.length > 0) yield unseen;
      const isRead =
        seen.size === before || seen.size === 0 || (repeatsFirst && unseen.length === 0);
      if (!isRead) break;
      if (total !== undefined && seen.size < total)
        throw new UnsteadyListError(shortOf(seen.size, total));
      return;
    }
  }
  throw new UnsteadyListError(tooFast);
}

/**
 * Where page 2 repeats page 1, the server has no pages, gives its last page for those after it, or ignores `page` and cuts the list.
 * A page 2 of one record tells: it is all records, the second one, or the first one again. Returns records that came meanwhile.
 * @throws UnsteadyListError where the rest of the list can't be read
 */
async function rowsOfPageTwo<T extends object>(
  read: Uncounted<T>['read'],
  first: readonly T[],
  seen: IdSet,
): Promise<T[]> {
  if (first.length === 1) return [];
  const answer = await read({ page: 2, limit: 1 });
  const { data } = answer;
  requireIds(data);
  const unseen = withoutDuplicates(data, seen);
  if (unseen.length > 0) return unseen;
  const [row] = data;
  const isPaged = data.length === 1 && row && first[0] && idOf(row) !== idOf(first[0]);
  if (isPaged || data.length >= first.length) return [];
  throw new UnsteadyListError(
    `page 2 has the same records as page 1, so only ${first.length} can be read; by the specification (section 8) "page" is a "1-based page number"`,
  );
}

/** @throws UnsteadyListError where the server says that more follows */
export function requireEnd({ data, more }: ListBody<object>, page: number): void {
  if (!more || (data.length === 0 && !more.isStated)) return;
  throw new UnsteadyListError(
    `page ${page} has no other records, but the server says that more follow (${more.text}); by the specification (section 8) "paging continues until page * limit >= total"`,
  );
}

interface LastPage<T> extends Pick<Uncounted<T>, 'read' | 'seen'> {
  readonly query: PageQuery;
  readonly rows: readonly object[];
}

/**
 * Whether the page after the last one has new records, although the total says that it has none, or repeats the last one. Some servers
 * count only the page, and tell the limit that was asked for.
 */
export async function hasPageAfter<T extends object>({
  query,
  rows,
  read,
  seen,
}: LastPage<T>): Promise<boolean> {
  const page = query.page + 1;
  try {
    const answer = await read({ ...query, page });
    const { data } = answer;
    // Others were moved here by a new record.
    const isRepeated =
      data.length > 0 &&
      data.length === rows.length &&
      data.every((row, index) => idOf(row) === idOf(rows[index] as object));
    if (isRepeated || data.some((row) => !seen.has(idOf(row) ?? ''))) return true;
    requireEnd(answer, page);
    return false;
  } catch (error) {
    // A page that isn't there by the total may be refused.
    if (error instanceof ApiError && [400, 404, 416, 422].includes(error.status)) return false;
    throw error;
  }
}

/** The total of a page. Undefined where the server counts wrong, and more records follow. */
export async function checkedTotal<T extends object>(
  body: ListBody<T>,
  query: PageQuery,
  read: (query: PageQuery) => Promise<ListBody<T>>,
): Promise<number | undefined> {
  const { data: rows, total, countsAllPages } = body;
  const end = (query.page - 1) * query.limit + rows.length;
  if (countsAllPages || rows.length === 0 || (total !== undefined && total > end)) return total;
  return (await hasPageAfter({
    query,
    rows,
    read,
    seen: idSetOf(rows.flatMap((row) => idOf(row) ?? [])),
  }))
    ? undefined
    : end;
}

function requireIds(rows: readonly object[]): void {
  if (rows.some((row) => idOf(row) === undefined)) throw new UnsteadyListError(withoutIds);
}

/** A record without an id counts as new. */
export function withoutDuplicates<T extends object>(rows: T[], seen: IdSet): T[] {
  return rows.filter((row) => {
    const id = idOf(row);
    if (id === undefined) return true;
    return seen.add(id);
  });
}

export const withoutIds =
  "records without an id can't be matched across pages; the specification (section 2) gives every record the field id";
export const tooFast = 'the list changed too fast to read';
const shortOf = (found: number, total: number) =>
  `the list has ${total} records, but its pages give ${found}; by the specification (section 8) pages give all records up to the total`;
