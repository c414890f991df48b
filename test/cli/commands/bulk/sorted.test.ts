import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Entry,
  entryOf,
  mergeSorted,
  readSorted,
  sortedById,
} from '../../../../src/cli/commands/bulk/sorted.ts';
import { makeFolder, removeFolder } from '../../../helpers/folder.ts';
import fc from '../../../helpers/property.ts';

let folder: string;
beforeAll(async () => {
  folder = await makeFolder();
});
afterAll(() => removeFolder(folder));

async function gather<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}
async function* stream<T>(items: readonly T[]): AsyncGenerator<T, void> {
  yield* items;
}
const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);

const record = fc.record({ id: fc.uuid(), notes: fc.string() });
const records = fc.uniqueArray(record, { selector: ({ id }) => id, maxLength: 40 });

test('sorts records, whether they fit in memory or not', async () => {
  await fc.assert(
    fc.asyncProperty(records, fc.integer({ min: 1, max: 50 }), async (some, most) => {
      const entries = await gather(await sortedById(stream(some), join(folder, 'run-'), most));
      expect(entries).toEqual(some.map(entryOf).sort(byId));
    }),
    { numRuns: 40 },
  );
  expect((await readdir(folder)).length).toBeGreaterThan(1);
});

test('counts added, changed and removed records', async () => {
  const sorted = (some: readonly { id: string }[]): AsyncGenerator<Entry, void> =>
    stream(some.map(entryOf).sort(byId));
  await fc.assert(
    fc.asyncProperty(
      records,
      records,
      fc.array(fc.nat()),
      fc.boolean(),
      async (before, added, picks, whole) => {
        const known = new Set(before.map(({ id }) => id));
        const changed = [
          ...new Set(picks.map((pick) => before[pick % Math.max(1, before.length)])),
        ].flatMap((one) => (one ? [{ ...one, notes: `${one.notes}!` }] : []));
        const now = [...added.filter(({ id }) => !known.has(id)), ...changed];
        const difference = { added: 0, changed: 0, removed: 0, records: 0 };
        const lines = await gather(
          mergeSorted({ before: sorted(before), now: sorted(now), whole }, difference),
        );
        const kept = whole ? [] : before.filter(({ id }) => !changed.some((one) => one.id === id));
        const expected = [...kept, ...now].sort(byId);
        expect(lines).toEqual(expected.map((one) => entryOf(one).line));
        expect(difference).toEqual({
          added: now.length - changed.length,
          changed: changed.length,
          removed: whole ? before.length - changed.length : 0,
          records: expected.length,
        });
      },
    ),
  );
});

describe('a file', () => {
  test("that doesn't exist is empty", async () => {
    expect(await gather(readSorted(join(folder, 'none')))).toEqual([]);
  });
  test('keeps Unicode line separators', async () => {
    const path = join(folder, 'signs');
    const entry = { id: 'a', line: `{"id":"a","notes":"x\u2028y\u0085z"}\n` };
    await writeFile(path, entry.line);
    expect(await gather(readSorted(path))).toEqual([entry]);
  });
  test.each([
    ['{"id":"b"}\n{"id":"a"}\n'],
    ['{"id":"a"}\n{"id":"a"}\n'],
    ['{"id":"a"}\n{"id"'],
    ['{"id":"a"}\n{"name":"b"}\n'],
  ])('%j was not written here', async (text) => {
    const path = join(folder, 'changed');
    await writeFile(path, text);
    await expect(gather(readSorted(path))).rejects.toMatchObject({
      code: 'state_unusable',
      exitCode: 7,
      message: expect.stringContaining('line 2'),
    });
  });
});
