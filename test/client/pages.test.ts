import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Page, type PageQuery, readPages } from '../../src/client/pages.ts';

interface Row {
  readonly id: string;
  updatedAt: string;
}

/** How servers may differ, most of it within the specification. */
interface Habits {
  /** Oldest first: a new row is the last one, and a change moves no row. */
  readonly oldestFirst?: boolean;
  /** The number of initial rows with the same timestamp. */
  readonly sameStamp?: number;
}
type Change = { readonly what: 'create' | 'update' | 'delete'; readonly which: number };

/** A list in the order of the specification: newest change first, then by id. All changes between two requests have the same timestamp. */
class ChangingList {
  readonly reads: PageQuery[] = [];
  rows: Row[] = [];
  #clock = Date.UTC(2026, 0, 1);
  #made = 0;
  readonly #oldestFirst: boolean;
  readonly #throughout = new Set<string>();

  constructor(size: number, { oldestFirst = false, sameStamp = 1 }: Habits = {}) {
    this.#oldestFirst = oldestFirst;
    for (let count = 0; count < size; count++) {
      if (count % sameStamp === 0) this.#clock++;
      this.#create();
    }
    this.#sort();
    for (const { id } of this.rows) this.#throughout.add(id);
  }

  /** Ids of the rows that existed at every request. */
  get throughout(): string[] {
    return [...this.#throughout];
  }

  change(changes: readonly Change[]): void {
    this.#clock++;
    for (const { what, which } of changes) {
      const row = this.rows[which % Math.max(1, this.rows.length)];
      if (what === 'create' || !row) this.#create();
      else if (what === 'update') row.updatedAt = this.#stamp();
      else {
        this.rows.splice(this.rows.indexOf(row), 1);
        this.#throughout.delete(row.id);
      }
    }
    this.#sort();
  }

  /** The last rows change, which puts them first. */
  moveLast(count: number): void {
    const last = this.rows.length - 1;
    this.change(Array.from({ length: count }, (_, at) => ({ what: 'update', which: last - at })));
  }

  read = async (query: PageQuery): Promise<Page<Row>> => {
    const { page, limit, updatedAfter } = query;
    this.reads.push(query);
    const rows =
      updatedAfter === undefined
        ? this.rows
        : this.rows.filter((row) => row.updatedAt >= updatedAfter);
    const data = rows.slice((page - 1) * limit, page * limit).map((row) => ({ ...row }));
    return { data, page, limit, total: rows.length };
  };

  #stamp = () => new Date(this.#clock).toISOString();
  #create(): void {
    // Ids in no particular order, like random ones.
    const id = `${(++this.#made * 7919) % 100_003}`.padStart(6, '0');
    this.rows.push({ id, updatedAt: this.#stamp() });
  }
  #sort(): void {
    if (!this.#oldestFirst)
      this.rows.sort((a, b) => (a.updatedAt + a.id < b.updatedAt + b.id ? 1 : -1));
  }
}

type Read<T> = (query: PageQuery) => Promise<Page<T>>;
const drain = async <T extends object>(read: Read<T>): Promise<T[]> =>
  (await Array.fromAsync(readPages(read, 10))).flat();

/** Reads a list to its end, each row once; `between` runs after each page. */
async function collect(
  list: ChangingList,
  between: (read: number) => void = () => {},
): Promise<string[]> {
  const rows = await drain(async (query) => {
    const page = await list.read(query);
    between(list.reads.length);
    return page;
  });
  const ids = rows.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  return ids;
}

describe('a list without changes', () => {
  test.each([0, 1, 10, 11, 95])('of %i rows', async (size) => {
    const list = new ChangingList(size);
    expect(await collect(list)).toEqual(list.rows.map(({ id }) => id));
  });

  test('is read 200 rows at a time, with one last request for changes', async () => {
    const list = new ChangingList(401);
    await Array.fromAsync(readPages(list.read));
    expect(list.reads).toEqual([
      { page: 1, limit: 200 },
      { page: 2, limit: 200 },
      { page: 3, limit: 200 },
      { page: 1, limit: 200, updatedAfter: list.rows[0]?.updatedAt },
    ]);
  });
});

describe('a list that changes between two pages', () => {
  test('more rows than fit on a page move to the top, also while the reader looks for them', async () => {
    const list = new ChangingList(200);
    const ids = await collect(list, (read) => list.moveLast(read < 9 ? 7 : 0));
    expect(ids.sort()).toEqual(list.throughout.sort());
  });

  test('a row that moves again while the reader looks for it is still read', async () => {
    const list = new ChangingList(50);
    const ids = await collect(list, (read) => {
      if (read === 2) list.moveLast(15);
      // The reader has the first page of changes; this row was on the second.
      if (read === 6) list.change([{ what: 'update', which: 12 }]);
    });
    expect(ids.sort()).toEqual(list.throughout.sort());
  });

  test('a row that moves unread, and is deleted before it is looked for, leaves no gap', async () => {
    const list = new ChangingList(25);
    const ids = await collect(list, (read) => {
      if (read === 1) list.moveLast(1);
      if (read === 3) list.change([{ what: 'delete', which: 0 }]);
    });
    expect(ids.sort()).toEqual(list.throughout.sort());
  });

  test('that never stops changing ends with an error, not with a partial result', async () => {
    const list = new ChangingList(100);
    await expect(collect(list, () => list.moveLast(40))).rejects.toMatchObject({
      name: 'UnsteadyListError',
      ...{ code: 'unsteady_list', message: 'the list changed too fast to read' },
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

const habits = fc.record({ sameStamp: fc.constantFrom(1, 3, 50) });
const gap = (most: number, ...what: Change['what'][]) =>
  fc.array(fc.record({ what: fc.constantFrom(...what), which: fc.nat(10_000) }), {
    maxLength: most,
  });
/** The changes between the requests. They repeat from the start, so that the list never stops changing. */
const gaps = (most: number, ...what: Change['what'][]) =>
  fc.array(gap(most, ...what), { minLength: 1, maxLength: 40 });

/** The changes happen between two requests. */
async function readWhileItChanges(list: ChangingList, changes: readonly Change[][]): Promise<void> {
  const ids = await collect(list, (read) =>
    list.change(changes[(read - 1) % changes.length] ?? []),
  );
  expect(ids).toEqual(expect.arrayContaining(list.throughout));
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
          expect(list.reads.length).toBeLessThan(400);
        },
      ),
      { numRuns: 200 },
    );
  });

  test.each([
    ['three rows are deleted', ['delete', 'delete', 'delete']],
    ['two rows are deleted and two created', ['delete', 'create', 'delete', 'create']],
  ] as const)('%s before each request', async (_, what) => {
    await fc.assert(
      fc.asyncProperty(habits, fc.infiniteStream(fc.nat(10_000)), async (kind, numbers) => {
        const changes = Array.from({ length: 60 }, () =>
          what.map((one) => ({ what: one, which: numbers.next().value })),
        );
        await readWhileItChanges(new ChangingList(150, kind), changes);
      }),
      { numRuns: 20 },
    );
  });

  /** New rows appear where this list ends. If that happens in step with the requests, its end is never reached. */
  test('a list with the oldest row first: all rows, or an error', async () => {
    let complete = 0;
    await fc.assert(
      fc.asyncProperty(size, gaps(3, 'create', 'delete'), async (rows, changes) => {
        await readWhileItChanges(new ChangingList(rows, { oldestFirst: true }), changes).then(
          () => complete++,
          (error) => expect(error).toMatchObject({ code: 'unsteady_list' }),
        );
      }),
      { numRuns: 100 },
    );
    expect(complete).toBeGreaterThan(20);
  });

  test('a list with the oldest row first that changes in step with the requests: an error', async () => {
    const list = new ChangingList(72, { oldestFirst: true });
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
          expect(list.reads.length).toBeLessThan(6_000);
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
  const list = new ChangingList(25);
  let odd = true;
  const read = async (query: PageQuery) => {
    const page = await list.read(query);
    odd = !odd;
    return !odd ? { ...page, total: page.total + 1, data: page.data.slice(1) } : page;
  };
  expect(await drain(read)).toHaveLength(25);
});

test('an unreadable page ends the whole list', async () => {
  const list = new ChangingList(50);
  const read: Read<Row> = async (query) => {
    if (query.page === 3) throw new Error('page 3 is lost');
    return list.read(query);
  };
  await expect(drain(read)).rejects.toThrow('page 3 is lost');
  expect(list.reads).toHaveLength(2);
});

const otherPage = (told: string) =>
  `the server was asked for page 2 of 10 records, and answered page ${told}; by the specification (section 8) pages count from 1 and have 1 to 200 records`;
const byTotal = (count: number) =>
  `page 2 has ${count} records, and by its total (25) it should have 10; by the specification (section 8) the total counts the records of all pages`;
test.each<[string, (page: Page<Row>) => Partial<Page<Row>>, string]>([
  ['a page other than the requested one', () => ({ page: 1 }), otherPage('1 of 10')],
  ['pages of a larger size', () => ({ limit: 20 }), otherPage('2 of 20')],
  ['an empty page before the end', () => ({ data: [] }), byTotal(0)],
  ['a smaller page before the end', ({ data }) => ({ data: data.slice(1) }), byTotal(9)],
  ['more records than the size', ({ data }) => ({ data: [...data, ...data] }), byTotal(20)],
])('%s is an error', async (_, wrong, message) => {
  const list = new ChangingList(25);
  const read = async (query: PageQuery) => {
    const page = await list.read(query);
    return { ...page, ...(query.page === 2 && wrong(page)) };
  };
  await expect(drain(read)).rejects.toThrow(message);
});
