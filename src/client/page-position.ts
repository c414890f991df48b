/** How far a list is read, page by page, while its rows move. */
import type { ListBody } from './list-body.ts';

/** A page with everything that tells whether the list is complete. */
export interface CountedPage<T> extends ListBody<T> {
  page: number;
  limit: number;
  total: number;
}

/** How far a list was read. Plain JSON, so that another process can go on there. Only for lists with the newest change first. */
export interface ListPosition {
  /** The number of rows from the front that were read. */
  readonly read: number;
  /** The length of the list at that time. */
  readonly total: number;
  /** The newest change when the reading began. */
  readonly newest: string;
}

/** The progress of a pass while rows move. Rows are counted from the front. */
export class Position {
  /** All rows before this index are read. */
  #read = 0;
  #total = 0;
  /** Whether the last page left no gap to the previous one. */
  contiguous = true;
  /** The rows of the last contiguous page. */
  #edge = new Set<string>();
  /** The expected number of deleted rows until the next answer. */
  #expectedDrop = 0;
  /** The number of rows that the next page repeats. */
  #overlap = 0;
  #newestFirst = true;
  #pageSize: number;
  /** The server ignores `limit`. */
  #fixedSize = false;

  constructor(limit: number, from?: ListPosition) {
    this.#pageSize = limit;
    this.#read = from?.read ?? 0;
    this.#total = from?.total ?? 0;
  }

  after(newest: string): ListPosition {
    return { read: this.#read, total: this.#total, newest };
  }

  /** The page that reads furthest with the required overlap. */
  nextQuery(): { page: number; limit: number } {
    const least = this.#newestFirst ? 0 : 1;
    this.#overlap = Math.max(
      least,
      Math.min(Math.round(2 * this.#expectedDrop), this.#pageSize >> 1),
    );
    for (;;) {
      const query = this.#furthestFrom(Math.max(0, this.#read - this.#overlap));
      // With small pages there may be none; then a smaller overlap must do.
      if (query.page * query.limit > this.#read || this.#overlap === 0) return query;
      this.#overlap >>= 1;
    }
  }

  #furthestFrom(start: number): { page: number; limit: number } {
    const smallest = this.#fixedSize ? this.#pageSize : Math.ceil(this.#pageSize / 2);
    let furthest = { page: 0, limit: 0 };
    for (let limit = this.#pageSize; limit >= smallest; limit--) {
      const page = Math.floor(start / limit) + 1;
      if (page * limit > furthest.page * furthest.limit) furthest = { page, limit };
    }
    return furthest;
  }

  /** Takes an answer into account, and returns whether the list is complete. */
  advance(
    { data, page, limit, total }: CountedPage<object>,
    { asked, newestFirst }: { asked: number; newestFirst: boolean },
  ): boolean {
    this.#learnSize(asked, limit);
    this.#newestFirst = newestFirst;
    const start = (page - 1) * limit;
    const dropped = Math.max(0, this.#total - total);
    this.#total = total;
    this.#read = Math.max(0, this.#read - dropped);
    const overlaps = data.some((row) => this.#edge.has(idOf(row) ?? ''));
    // Where pages can't overlap, only the number of rows tells.
    const counted = (newestFirst || this.#overlap === 0) && start <= this.#read;
    this.contiguous = start === 0 || counted || overlaps;
    if (this.contiguous) {
      this.#read = Math.max(this.#read, page * limit);
      this.#edge = new Set(data.map((row) => idOf(row) ?? ''));
      this.#expectedDrop = Math.max(dropped, this.#expectedDrop * 0.8);
    } else {
      this.#read = Math.min(this.#read, start);
      this.#expectedDrop = Math.max(dropped, 1, this.#expectedDrop * 2);
    }
    // A full page with more rows than the total: there may be more.
    const known = start + data.length;
    const end = known > total && data.length >= limit ? known + 1 : total;
    return this.contiguous && this.#read >= end;
  }

  #learnSize(asked: number, limit: number): void {
    if (limit === asked) return;
    this.#fixedSize ||= asked !== this.#pageSize;
    this.#pageSize = limit;
  }
}

/** Ids are UUIDs in the specification; other servers count. */
export function idOf(row: object): string | undefined {
  const id = 'id' in row ? row.id : undefined;
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined;
}
