import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ApiError } from '../../src/client/errors.ts';
import { type ListBody, listBodyOf, type PageQuery } from '../../src/client/list-body.ts';
import { readAll } from '../../src/client/pages.ts';

interface Row {
  id: string;
  updatedAt: string;
}

/** A list like that of a server: the newest change first, with increasing timestamps. */
class LiveList {
  rows: Row[] = [];
  reads: PageQuery[] = [];
  /** Like our service. */
  promises = true;
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
  page({ page, limit, updatedAfter }: PageQuery): ListBody<Row> & { total: number } {
    this.reads.push({ page, limit, updatedAfter });
    const rows = updatedAfter
      ? this.rows.filter((row) => row.updatedAt >= updatedAfter)
      : this.rows;
    return {
      data: rows.slice((page - 1) * limit, page * limit),
      page,
      limit,
      total: rows.length,
      countsAllPages: this.promises,
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

  test('that fits on one page needs one request', async () => {
    const list = new LiveList(9);
    await collect(list);
    expect(list.reads).toHaveLength(1);
  });
});

describe('a list that changes between two pages', () => {
  test('rows deleted behind the reader do not hide others', async () => {
    const list = new LiveList(50);
    const kept = list.rows.slice(5).map(({ id }) => id);
    const ids = await collect(list, { between: (read) => read === 1 && list.rows.splice(0, 5) });
    expect(ids).toEqual(expect.arrayContaining(kept));
  });

  test('more rows deleted than a page holds', async () => {
    const list = new LiveList(80);
    const kept = list.rows.slice(27).map(({ id }) => id);
    const ids = await collect(list, { between: (read) => read === 4 && list.rows.splice(0, 27) });
    expect(ids).toEqual(expect.arrayContaining(kept));
  });

  test('all rows deleted', async () => {
    const list = new LiveList(50);
    expect(
      await collect(list, { between: (read) => read === 2 && list.rows.splice(0) }),
    ).toHaveLength(20);
  });

  test('inserted rows move others down, and each row comes once', async () => {
    const list = new LiveList(50);
    const before = list.rows.map(({ id }) => id);
    const ids = await collect(list, { between: (read) => read <= 3 && list.insert() });
    expect(sorted(ids)).toEqual(sorted([...before, 'row-51', 'row-52', 'row-53']));
  });

  test('an unread row that moves to the top is still read', async () => {
    const list = new LiveList(50);
    const before = list.rows.map(({ id }) => id);
    const ids = await collect(list, { between: (read) => read === 2 && list.update(45) });
    expect(sorted(ids)).toEqual(sorted(before));
  });

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

  test('insert, update and delete in any mix: every remaining row comes exactly once', async () => {
    const random = seeded(20260118);
    for (let run = 0; run < 150; run++) {
      const list = new LiveList(Math.floor(random() * 120));
      const before = new Set(list.rows.map(({ id }) => id));
      const changes = 1 + Math.floor(random() * 12);
      const between = (read: number) => {
        for (let count = 0; read < 30 && count < changes; count++) {
          const index = Math.floor(random() * list.rows.length);
          const dice = random();
          if (dice < 0.4) list.remove(index);
          else if (dice < 0.75) list.update(index);
          else list.insert();
        }
      };
      const ids = await collect(list, { limit: 5, between });
      const stayed = list.rows.map(({ id }) => id).filter((id) => before.has(id));
      expect(ids).toEqual(expect.arrayContaining(stayed));
    }
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
  /** The maximum number of rows per page, also for a larger limit. */
  readonly mostRows: number;
  readonly ignoresUpdatedAfter: boolean;
  /** Oldest first: a new row is the last one, and a change moves no row. */
  readonly oldestFirst: boolean;
  /** It promises that it counts all pages, like our service. */
  readonly promises: boolean;
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

  page({ page, limit: asked, updatedAfter }: PageQuery): ListBody<Row> & { total: number } {
    this.requests++;
    const { mostRows, ignoresUpdatedAfter } = this.#habits;
    const limit = Math.min(asked, mostRows);
    const rows =
      ignoresUpdatedAfter || !updatedAfter
        ? this.#rows
        : this.#rows.filter((row) => row.updatedAt >= updatedAfter);
    const data = rows.slice((page - 1) * limit, page * limit).map((row) => ({ ...row }));
    return { data, page, limit, total: rows.length, countsAllPages: this.#habits.promises };
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
  mostRows: fc.constantFrom(10, 9),
  ignoresUpdatedAfter: fc.boolean(),
  oldestFirst: fc.constant(false),
  promises: fc.boolean(),
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
  test('a list with the oldest row first: all rows, or rarely an error', async () => {
    let complete = 0;
    await fc.assert(
      fc.asyncProperty(size, habits, gaps(3, 'create', 'delete'), async (rows, kind, changes) => {
        await readWhileItChanges(
          new ChangingList(rows, { ...kind, oldestFirst: true, promises: true, sameStamp: 1 }),
          changes,
        ).then(
          () => complete++,
          (error) => expect(error).toMatchObject({ code: 'unsteady_list' }),
        );
      }),
      { numRuns: 100 },
    );
    expect(complete).toBeGreaterThan(80);
  });

  test('a list with the oldest row first that changes in step with the requests: an error', async () => {
    const list = new ChangingList(72, {
      mostRows: 10,
      ignoresUpdatedAfter: false,
      oldestFirst: true,
      promises: true,
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
  test('is read once; each page overlaps the previous page by one row', async () => {
    const rows = Array.from({ length: 45 }, (_, index) => ({
      id: `m-${index}`,
      updatedAt: new Date(index).toISOString(),
    }));
    const reads: PageQuery[] = [];
    const read = async (query: PageQuery) => {
      reads.push(query);
      const { page, limit } = query;
      return {
        data: rows.slice((page - 1) * limit, page * limit),
        page,
        limit,
        total: rows.length,
      };
    };
    expect(await drain(read)).toEqual(rows);
    expect(reads.map(({ page, limit }) => [(page - 1) * limit, page * limit])).toEqual([
      [0, 10],
      [9, 18],
      [16, 24],
      [20, 30],
      [27, 36],
      [35, 42],
      [40, 50],
    ]);
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
    drain(async ({ page }) => ({ data: rows, page, limit: 2, total: 4 })),
  ).rejects.toThrow('records without an id');
});

test('a server with a smaller page limit is read completely', async () => {
  const list = new LiveList(23);
  const read = async (query: PageQuery) => list.page({ ...query, limit: 4 });
  expect(await drain(read)).toHaveLength(23);
});

describe('a server whose pages contradict their numbers is read completely, or the list fails', () => {
  const rows = Array.from({ length: 23 }, (_, index) => ({ id: `r-${index}` }));
  const cut = (size: number, { page, limit }: PageQuery, by = Math.min(size, limit)) =>
    rows.slice((page - 1) * by, page * by);

  test('smaller pages than it tells', async () => {
    expect(await drain(async (query) => ({ data: cut(4, query), ...query, total: 23 }))).toEqual(
      rows,
    );
  });
  test('larger pages than it tells', async () => {
    expect(
      await drain(async (query) => ({ data: cut(0, query, 15), ...query, total: 23 })),
    ).toEqual(rows);
  });
  test('all records on every page', async () => {
    expect(await drain(async (query) => ({ data: rows, ...query, total: 23 }))).toEqual(rows);
  });
  test('a total of the page alone', async () => {
    const read = async (query: PageQuery) => ({
      data: cut(10, query),
      ...query,
      total: cut(10, query).length,
    });
    expect(await drain(read)).toEqual(rows);
  });
  test('smaller pages without a size', async () => {
    const read = async (query: PageQuery) => ({
      data: cut(4, query, 4),
      page: query.page,
      total: 23,
    });
    expect((await Array.fromAsync(readAll({ read }))).map(({ id }) => id)).toEqual(
      rows.map(({ id }) => id),
    );
  });
  test('a total that no page reaches', async () => {
    const read = async (query: PageQuery) => ({
      data: cut(10, query).filter(({ id }) => id !== 'r-7'),
      ...query,
      total: 23,
    });
    await expect(drain(read)).rejects.toThrow('the list has 23 records, but its pages give 22');
  });
  test('a first page and nothing after it', async () => {
    const read = async (query: PageQuery) => ({
      data: query.page === 1 ? cut(4, query) : [],
      ...query,
      total: 23,
    });
    await expect(drain(read)).rejects.toThrow('the list has 23 records, but its pages give 4');
  });
  test('records without ids', async () => {
    const read = async ({ page, limit }: PageQuery) => ({
      data: [{ name: 'a' }, { name: 'b' }],
      page,
      limit,
      total: 4,
    });
    await expect(drain(read)).rejects.toThrow('gives every record the field id');
  });
});

test.each([10, 9, 1])(
  '%i of 10 records, which the total calls all, are believed once page 2 is empty or refused',
  async (size) => {
    const list = new LiveList(size);
    list.promises = false;
    expect(await collect(list)).toHaveLength(size);
    expect(list.reads).toHaveLength(2);
    const refusing = async (query: PageQuery) => {
      if (query.page === 1) return list.page(query);
      throw new ApiError('no such page', {
        code: 'x',
        status: 404,
        details: null,
        method: 'GET',
        path: '/cars',
        unknownOutcome: false,
      });
    };
    expect(await drain(refusing)).toHaveLength(size);
  },
);

describe('a part of a list never passes for the whole', () => {
  const rows = Array.from({ length: 23 }, (_, index) => ({ id: `r-${index}` }));
  type Answers = (query: PageQuery) => ListBody<{ id: string }>;
  const cut = ({ page }: PageQuery, size: number) => rows.slice((page - 1) * size, page * size);
  const counted = (data: { id: string }[], { page, limit }: PageQuery) => ({
    data,
    page,
    limit,
    total: data.length,
  });
  const cursor = { more: { text: '"has_more": true', isStated: true } };
  const readThrough = async (answers: Answers) => {
    let requests = 0;
    const found = await drain(async (query) => {
      requests += 1;
      return answers(query);
    });
    return { found, requests };
  };

  test.each<[string, Answers]>([
    [
      'smaller pages, with the limit that was asked for and a total of the page',
      (query) => counted(cut(query, 4), query),
    ],
    [
      'the same, and the last page again after the end',
      (query) => counted(cut({ ...query, page: Math.min(query.page, 6) }, 4), query),
    ],
    ['smaller pages alone', (query) => ({ data: cut(query, 4) })],
    [
      'smaller pages, and a word that more follow',
      (query) => ({ data: cut(query, 4), ...(query.page < 6 && cursor) }),
    ],
    ['page is ignored, and none follow', () => ({ data: rows, endsHere: true })],
    ['all records, whatever is asked for', () => ({ data: rows })],
    [
      'one page, which comes again for every other',
      ({ limit, page }) => ({
        data: limit >= 23 ? rows : rows.slice((page - 1) * limit, page * limit),
      }),
    ],
  ])('read to the end: %s', async (_, answers) => {
    const found = await Array.fromAsync(
      readAll({ read: async (query) => answers(query), limit: 30 }),
    );
    expect(found.map(({ id }) => id).sort()).toEqual(sorted(rows.map(({ id }) => id)));
  });

  test.each<[string, Answers, string]>([
    [
      'page is ignored, the limit is not',
      ({ limit }) => ({ data: rows.slice(0, Math.min(10, limit)) }),
      'page 2 has the same records as page 1',
    ],
    [
      'the same, with a total of the page',
      (query) => counted(rows.slice(0, Math.min(4, query.limit)), query),
      'so only 4 can be read',
    ],
    [
      'page is ignored, and more follow',
      () => ({ data: rows.slice(0, 4), ...cursor }),
      'more follow ("has_more": true)',
    ],
    [
      'page is ignored, and there is a cursor',
      () => ({ data: rows.slice(0, 4), more: { text: '"next_cursor": "x"', isStated: false } }),
      'more follow ("next_cursor": "x"); by the specification (section 8)',
    ],
    [
      'nothing after page 1, and more follow',
      (query) => ({ data: query.page === 1 ? rows.slice(0, 4) : [], ...cursor }),
      'page 2 has no other',
    ],
    [
      'nothing after page 1 by its total, and more follow',
      (query) => ({ ...counted(query.page === 1 ? rows.slice(0, 4) : [], query), ...cursor }),
      'page 2 has no other records, but the server says that more follow',
    ],
  ])('an error: %s', async (_, answers, message) => {
    await expect(readThrough(answers)).rejects.toMatchObject({
      code: 'unsteady_list',
      message: expect.stringContaining(message),
    });
  });

  test.each([
    { size: 23, promises: true, requests: 4 },
    // The last page is shorter than those before.
    { size: 23, promises: false, requests: 4 },
    { size: 20, promises: true, requests: 3 },
    { size: 20, promises: false, requests: 4 },
    { size: 0, promises: false, requests: 1 },
  ])('few requests, one of them for changes: %j', async ({ size, promises, requests }) => {
    const list = new LiveList(size);
    list.promises = promises;
    expect(await collect(list)).toHaveLength(size);
    expect(list.reads).toHaveLength(requests);
  });

  test('a cursor that is always there is no reason to look further', async () => {
    const cursor = { more: { text: '"cursor": "x"', isStated: false } };
    const { requests } = await readThrough((query) => ({
      ...counted(query.page === 1 ? rows.slice(0, 4) : [], query),
      ...cursor,
    }));
    expect(requests).toBe(2);
  });

  test('no more records are looked for than were named', async () => {
    let requests = 0;
    const read = async (query: PageQuery) => {
      requests += 1;
      return counted(rows.slice(0, 3), query);
    };
    expect(await Array.fromAsync(readAll({ read, most: 3 }))).toHaveLength(3);
    expect(requests).toBe(1);
  });
});

test.each([
  [{ has_more: true, next_cursor: 'x' }, '"has_more": true'],
  [{ hasMore: true }, '"hasMore": true'],
  [{ meta: { hasNextPage: true } }, '"hasNextPage": true'],
  [{ next_cursor: 'x' }, '"next_cursor": "x"'],
  [{ paging: { next: { after: 'x' } } }, '"next": {"after":"x"}'],
  [
    { links: { next: 'https://cars.example.com?page=2' } },
    '"next": "https://cars.example.com?page=2"',
  ],
  [{ nextPageToken: 'x' }, '"nextPageToken": "x"'],
  [{ has_more: false, next_cursor: 'x' }, undefined],
  [{ next_cursor: null }, undefined],
  [{ next: '' }, undefined],
  [{ page: 1, limit: 50, total: 3, nextSteps: 'x' }, undefined],
])('whether %j says that more records follow', (frame, expected) => {
  expect(
    listBodyOf({ body: { data: [{ has_more: true }], ...frame }, headers: {} }).more?.text,
  ).toBe(expected);
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

test.each([
  [
    'a page other than the requested one',
    { page: 1 },
    'the server answered page 1 instead of page 2',
  ],
  [
    'an empty page before the end',
    { data: [] },
    'page 2 is empty, but the list has 25 records in pages of 10',
  ],
  ['pages with a limit of 0', { limit: 0 }, 'the server reports a page size of 0'],
])('%s is an error', async (_, wrong, message) => {
  const list = new LiveList(25);
  const read = async (query: PageQuery) => ({
    ...list.page(query),
    ...(query.page === 2 && wrong),
  });
  await expect(drain(read)).rejects.toThrow(message);
});

async function drain<T extends object>(
  read: (query: PageQuery) => Promise<ListBody<T>>,
): Promise<T[]> {
  const rows: T[] = [];
  for await (const row of readAll({ read, limit: 10 })) rows.push(row);
  return rows;
}

/** The same numbers in every run (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
