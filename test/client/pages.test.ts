import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Page, type PageQuery, readPages } from '../../src/client/pages.ts';

async function* readAll<T extends object>({
  read,
  limit,
}: {
  read: (query: PageQuery) => Promise<Page<T>>;
  limit?: number;
}): AsyncGenerator<T, void> {
  for await (const rows of readPages(read, limit)) yield* rows;
}

interface Row {
  id: string;
  updatedAt: string;
}

/** A list like that of a server: the newest change first, with increasing timestamps. */
class LiveList {
  rows: Row[] = [];
  reads: PageQuery[] = [];
  private clock = Date.UTC(2026, 0, 1);
  private made = 0;

  constructor(size: number) {
    for (let count = 0; count < size; count++) this.insert();
  }

  insert(): void {
    this.rows.unshift({ id: `row-${++this.made}`, updatedAt: this.stamp() });
  }
  update(index: number): void {
    const [row] = this.rows.splice(index, 1);
    if (row) this.rows.unshift({ ...row, updatedAt: this.stamp() });
  }
  remove(index: number): void {
    this.rows.splice(index, 1);
  }
  page({ page, limit, updatedAfter }: PageQuery): Page<Row> {
    this.reads.push({ page, limit, updatedAfter });
    const rows = updatedAfter
      ? this.rows.filter((row) => row.updatedAt >= updatedAfter)
      : this.rows;
    return {
      data: rows.slice((page - 1) * limit, page * limit),
      page,
      limit,
      total: rows.length,
    };
  }
  private stamp(): string {
    return new Date(this.clock++).toISOString();
  }
}

/** Reads a list to its end; `between` runs after each page. */
async function collect(
  list: LiveList,
  options: { limit?: number; between?: (read: number) => void } = {},
): Promise<string[]> {
  const ids: string[] = [];
  const read = async (query: PageQuery) => {
    const page = list.page(query);
    options.between?.(list.reads.length);
    return page;
  };
  for await (const row of readAll({ read, limit: options.limit ?? 10 })) ids.push(row.id);
  expect(new Set(ids).size).toBe(ids.length);
  return ids;
}

const sorted = (ids: Iterable<string>) => [...ids].sort();

describe('a list without changes', () => {
  test.each([0, 1, 9, 10, 11, 20, 95])('of %i rows', async (size) => {
    const list = new LiveList(size);
    expect(await collect(list)).toEqual(list.rows.map(({ id }) => id));
  });

  test('is read 200 rows at a time, with one last request for changes', async () => {
    const list = new LiveList(401);
    await collect(list, { limit: undefined });
    list.reads = [];
    const newest = list.rows[0]?.updatedAt;
    for await (const _ of readAll({ read: async (query) => list.page(query) }));
    expect(list.reads).toEqual([
      { page: 1, limit: 200 },
      { page: 2, limit: 200 },
      { page: 3, limit: 200 },
      { page: 1, limit: 200, updatedAfter: newest },
    ]);
  });
});

describe('a list that changes between two pages', () => {
  test('more rows than fit on a page move to the top, also while the reader looks for them', async () => {
    const list = new LiveList(200);
    const before = list.rows.map(({ id }) => id);
    let jumps = 60;
    const between = () => {
      for (let count = 0; count < 7 && jumps > 0; count++, jumps--)
        list.update(list.rows.length - 1);
    };
    expect(sorted(await collect(list, { between }))).toEqual(sorted(before));
  });

  test('a row that moves again while the reader looks for it is still read', async () => {
    const list = new LiveList(50);
    const before = list.rows.map(({ id }) => id);
    const between = (read: number) => {
      for (let count = 0; read === 2 && count < 15; count++) list.update(list.rows.length - 1);
      // The reader has the first page of changes; this row was on the second.
      if (read === 6) list.update(12);
    };
    expect(sorted(await collect(list, { between }))).toEqual(sorted(before));
  });

  test('that never stops changing ends with an error, not with a partial result', async () => {
    const list = new LiveList(100);
    const between = () => {
      for (let count = 0; count < 40; count++) list.update(list.rows.length - 1);
    };
    await expect(collect(list, { between })).rejects.toMatchObject({
      name: 'UnsteadyListError',
      code: 'unsteady_list',
    });
  });

  test('that shrinks and grows forever ends with an error', async () => {
    let reads = 0;
    const read = async ({ page, limit }: PageQuery) => ({
      data: [{ id: 'a' }],
      page,
      limit,
      total: reads++ % 2 ? 90 : 100,
    });
    await expect(drain(read)).rejects.toMatchObject({ code: 'unsteady_list' });
  });
});

/** How servers may differ, most of it within the specification. */
interface Habits {
  /** Oldest first: a new row is the last one, and a change moves no row. */
  readonly oldestFirst: boolean;
  /** The number of initial rows with the same timestamp. */
  readonly sameStamp: number;
}
type Change = { readonly what: 'create' | 'update' | 'delete'; readonly which: number };

/** A list in the order of the specification: newest change first, then by id. All changes between two requests have the same timestamp. */
class ChangingList {
  #rows: Row[] = [];
  #clock = Date.UTC(2026, 0, 1);
  #made = 0;
  #habits: Habits;
  requests = 0;
  readonly #throughout = new Set<string>();

  constructor(size: number, habits: Habits) {
    this.#habits = habits;
    for (let count = 0; count < size; count++) {
      if (count % habits.sameStamp === 0) this.#clock++;
      this.#create();
    }
    this.#sort();
    for (const { id } of this.#rows) this.#throughout.add(id);
  }

  /** Ids of the rows that existed at every request. */
  get throughout(): string[] {
    return sorted(this.#throughout);
  }

  change(changes: readonly Change[]): void {
    this.#clock++;
    for (const { what, which } of changes) {
      const row = this.#rows[which % Math.max(1, this.#rows.length)];
      if (what === 'create' || !row) this.#create();
      else if (what === 'update') row.updatedAt = this.#stamp();
      else {
        this.#rows.splice(this.#rows.indexOf(row), 1);
        this.#throughout.delete(row.id);
      }
    }
    this.#sort();
  }

  page({ page, limit, updatedAfter }: PageQuery): Page<Row> {
    this.requests++;
    const rows =
      updatedAfter === undefined
        ? this.#rows
        : this.#rows.filter((row) => row.updatedAt >= updatedAfter);
    const data = rows.slice((page - 1) * limit, page * limit).map((row) => ({ ...row }));
    return { data, page, limit, total: rows.length };
  }

  #stamp = () => new Date(this.#clock).toISOString();
  #create(): void {
    // Ids in no particular order, like random ones.
    const id = `${(++this.#made * 7919) % 100_003}`.padStart(6, '0');
    this.#rows.push({ id, updatedAt: this.#stamp() });
  }
  #sort(): void {
    if (!this.#habits.oldestFirst)
      this.#rows.sort((a, b) => (a.updatedAt + a.id < b.updatedAt + b.id ? 1 : -1));
  }
}

const habits = fc.record({
  oldestFirst: fc.constant(false),
  sameStamp: fc.constantFrom(1, 3, 50),
});
const gap = (most: number, ...what: Change['what'][]) =>
  fc.array(fc.record({ what: fc.constantFrom(...what), which: fc.nat(10_000) }), {
    maxLength: most,
  });
/** The changes between the requests. They repeat from the start, so that the list never stops changing. */
const gaps = (most: number, ...what: Change['what'][]) =>
  fc.array(gap(most, ...what), { minLength: 1, maxLength: 40 });

async function readWhileItChanges(
  list: ChangingList,
  changes: readonly Change[][],
): Promise<string[]> {
  const ids: string[] = [];
  const read = async (query: PageQuery) => {
    // All changes happen between two requests.
    if (list.requests > 0) list.change(changes[(list.requests - 1) % changes.length] ?? []);
    return list.page(query);
  };
  for await (const row of readAll({ read, limit: 10 })) ids.push(row.id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toEqual(expect.arrayContaining(list.throughout));
  return ids;
}

describe('changes between every two requests', () => {
  const size = fc.integer({ min: 0, max: 150 });

  test('reading ends, and every row that existed throughout comes exactly once', async () => {
    await fc.assert(
      fc.asyncProperty(
        size,
        habits,
        gaps(2, 'create', 'update', 'delete'),
        async (rows, kind, changes) => {
          const list = new ChangingList(rows, kind);
          await readWhileItChanges(list, changes);
          expect(list.requests).toBeLessThan(400);
        },
      ),
      { numRuns: 200 },
    );
  });

  test.each([
    ['a row is deleted', ['delete']],
    ['a row is deleted and one created', ['delete', 'create']],
    ['three rows are deleted', ['delete', 'delete', 'delete']],
    ['two rows are deleted and two created', ['delete', 'create', 'delete', 'create']],
    ['a row is deleted, one created and one changed', ['delete', 'create', 'update']],
  ] as const)('%s before each request', async (_, what) => {
    await fc.assert(
      fc.asyncProperty(habits, fc.infiniteStream(fc.nat(10_000)), async (kind, numbers) => {
        const list = new ChangingList(150, kind);
        const changes = Array.from({ length: 60 }, () =>
          what.map((one) => ({ what: one, which: numbers.next().value })),
        );
        await readWhileItChanges(list, changes);
      }),
      { numRuns: 20 },
    );
  });

  /** New rows appear where this list ends. If that happens in step with the requests, its end is never reached. */
  test('a list with the oldest row first: all rows, or an error', async () => {
    let complete = 0;
    await fc.assert(
      fc.asyncProperty(size, habits, gaps(3, 'create', 'delete'), async (rows, kind, changes) => {
        await readWhileItChanges(
          new ChangingList(rows, { ...kind, oldestFirst: true, sameStamp: 1 }),
          changes,
        ).then(
          () => complete++,
          (error) => expect(error).toMatchObject({ code: 'unsteady_list' }),
        );
      }),
      { numRuns: 100 },
    );
    expect(complete).toBeGreaterThan(20);
  });

  test('a list with the oldest row first that changes in step with the requests: an error', async () => {
    const list = new ChangingList(72, {
      oldestFirst: true,
      sameStamp: 1,
    });
    const change = (what: Change['what'], which: number): Change => ({ what, which });
    const changes = [
      [change('create', 0)],
      [change('delete', 383), change('create', 0), change('delete', 0)],
    ];
    await expect(readWhileItChanges(list, changes)).rejects.toMatchObject({
      code: 'unsteady_list',
    });
  });

  test('changes faster than the reader: all rows or an error', async () => {
    await fc.assert(
      fc.asyncProperty(
        size,
        habits,
        gaps(15, 'create', 'update', 'delete', 'delete'),
        async (rows, kind, changes) => {
          const list = new ChangingList(rows, kind);
          await readWhileItChanges(list, changes).catch((error) =>
            expect(error).toMatchObject({ code: 'unsteady_list' }),
          );
          expect(list.requests).toBeLessThan(6_000);
        },
      ),
      { numRuns: 5 },
    );
  });
});

describe('a list in another order', () => {
  test.each([
    ['nothing', 0],
    // A message that arrives at its end moves no other.
    ['a row at the end', 1],
  ])('is read twice when %s is new', async (_, fresh) => {
    const rows = Array.from({ length: 45 + fresh }, (_, index) => ({
      id: `m-${index}`,
      updatedAt: new Date(index).toISOString(),
    }));
    const reads: number[] = [];
    const read = async ({ page, limit }: PageQuery) => {
      const now = reads.push(page) > 5 ? rows : rows.slice(0, 45);
      return { data: now.slice((page - 1) * limit, page * limit), page, limit, total: now.length };
    };
    expect(await drain(read)).toEqual(rows);
    expect(reads).toEqual([1, 2, 3, 4, 5, 1, 2, 3, 4, 5]);
  });

  test('a row that is deleted while another is made hides none', async () => {
    const rows = Array.from({ length: 25 }, (_, index) => ({ id: `s-${index}` }));
    const stayed = rows.slice(1);
    let reads = 0;
    const read = async ({ page, limit }: PageQuery) => {
      const data = rows.slice((page - 1) * limit, page * limit);
      // The length stays the same, and one row moves from the second page to the first.
      if (++reads === 1) rows.shift();
      if (reads === 1) rows.push({ id: 's-new' });
      return { data, page, limit, total: rows.length };
    };
    expect(await drain(read)).toEqual(expect.arrayContaining(stayed));
  });

  test('times without a zone tell no order, and are not sent back', async () => {
    const rows = Array.from({ length: 5 }, (_, index) => ({
      id: `z${index}`,
      updatedAt: `2026-11-0${9 - index}T10:00:00`,
    }));
    const queries: PageQuery[] = [];
    const read = async (query: PageQuery) => {
      queries.push(query);
      const { page, limit } = query;
      const data = rows.slice((page - 1) * limit, page * limit);
      return { data, page, limit, total: rows.length };
    };
    const found = (await Array.fromAsync(readPages(read, 2))).flat();
    expect(found).toEqual(rows);
    expect(queries.filter(({ updatedAfter }) => updatedAfter !== undefined)).toEqual([]);
  });

  test('is read again when rows are missing at the end', async () => {
    const rows = Array.from({ length: 25 }, (_, index) => ({ id: `s-${index}` }));
    let reads = 0;
    const read = async ({ page, limit }: PageQuery) => {
      const data = rows.slice((page - 1) * limit, page * limit);
      // Moves the last row to the top, behind the reader.
      if (++reads === 1) rows.unshift(rows.pop() as { id: string });
      return { data, page, limit, total: rows.length };
    };
    expect(await drain(read)).toHaveLength(25);
  });
});

test('records without an id are returned if they fit on one page', async () => {
  const rows = [{ title: 'same' }, { title: 'same' }];
  expect(
    await drain(async ({ page, limit }) => ({
      data: page === 1 ? rows : [],
      page,
      limit,
      total: 2,
    })),
  ).toEqual(rows);
  await expect(
    drain(async (query) => ({ data: Array(10).fill({ title: 'same' }), ...query, total: 14 })),
  ).rejects.toThrow('records without an id');
});

test('a page that contradicts its total is read again: a write may come between the two', async () => {
  const list = new LiveList(25);
  let odd = true;
  const read = async (query: PageQuery) => {
    const page = list.page(query);
    odd = !odd;
    return !odd ? { ...page, total: page.total + 1, data: page.data.slice(1) } : page;
  };
  expect(await drain(read)).toHaveLength(25);
});

test('an unreadable page ends the whole list', async () => {
  const list = new LiveList(50);
  const seen: Row[] = [];
  const read = async (query: PageQuery) => {
    if (query.page === 3) throw new Error('page 3 is lost');
    return list.page(query);
  };
  const reading = async () => {
    for await (const row of readAll({ read, limit: 10 })) seen.push(row);
  };
  await expect(reading()).rejects.toThrow('page 3 is lost');
  expect(seen).toHaveLength(20);
});

const byTotal = /page 2 has \d+ records, and by its total \(\d+\) it should have 10;.*section 8/;
test.each<[string, (page: Page<Row>) => Partial<Page<Row>>, RegExp]>([
  ['a page other than the requested one', () => ({ page: 1 }), /answered page 1 of 10/],
  ['pages of a larger size', () => ({ limit: 20 }), /answered page 2 of 20; .*section 8/],
  ['an empty page before the end', () => ({ data: [] }), byTotal],
  ['a smaller page before the end', ({ data }) => ({ data: data.slice(1) }), byTotal],
  ['more records than the size', ({ data }) => ({ data: [...data, ...data] }), byTotal],
])('%s is an error', async (_, wrong, message) => {
  const list = new LiveList(25);
  const read = async (query: PageQuery) => {
    const page = list.page(query);
    return { ...page, ...(query.page === 2 && wrong(page)) };
  };
  await expect(drain(read)).rejects.toThrow(message);
});

async function drain<T extends object>(read: (query: PageQuery) => Promise<Page<T>>): Promise<T[]> {
  const rows: T[] = [];
  for await (const row of readAll({ read, limit: 10 })) rows.push(row);
  return rows;
}
