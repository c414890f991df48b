/** What every file store does, for tests of each. */
import { randomBytes, randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { contentName, type FileStore, newKey } from '../../src/service/files/store.ts';

export const storeTeam = '01931234-5678-7abc-8def-0123456789ab';
export const storedBytes = randomBytes(10_000);
export const storedHash = contentName(storedBytes);

export async function readBack(store: FileStore, key: string): Promise<Buffer | undefined> {
  const found = await store.get(key);
  if (!found) return undefined;
  const content = await buffer(found.stream);
  expect(content).toHaveLength(found.size);
  return content;
}

/** `open` opens an empty store, and the same store again for a number that it knows. */
export function testFileStore(open: (again?: FileStore) => Promise<FileStore>): void {
  const put = async (store: FileStore, bytes = storedBytes) => {
    const key = newKey(storeTeam, contentName(bytes));
    await store.put(key, bytes);
    return key;
  };
  const keysIn = async (store: FileStore) =>
    (await Array.fromAsync(store.list())).map(({ key }) => key).sort();

  describe('putting and reading', () => {
    test('bytes come back as they were, also from the store opened again', async () => {
      const store = await open();
      const key = await put(store);
      for (const each of [store, await open(store)]) {
        expect(await readBack(each, key)).toEqual(storedBytes);
        expect(await each.sizeOf(key)).toBe(storedBytes.length);
      }
    });

    test('no bytes, and as many as the largest file has', async () => {
      const store = await open();
      for (const bytes of [Buffer.alloc(0), randomBytes(26_000_000)])
        expect((await readBack(store, await put(store, bytes)))?.equals(bytes)).toBe(true);
    });

    test('bytes that nobody reads, as for a picture that a browser has already, end without an error', async () => {
      const store = await open();
      const found = await store.get(await put(store));
      const closed = new Promise((resolve) => found?.stream.once('close', resolve));
      found?.stream.destroy();
      await closed;
      expect(found?.stream.destroyed).toBe(true);
    });

    test('unknown bytes, and those of another team, are missing', async () => {
      const store = await open();
      const key = await put(store);
      for (const missing of [newKey(storeTeam, storedHash), newKey(randomUUID(), storedHash)]) {
        expect(await store.get(missing)).toBeUndefined();
        expect(await store.sizeOf(missing)).toBeUndefined();
      }
      expect(await readBack(store, key)).toEqual(storedBytes);
    });

    test('the same bytes twice are two files, and the end of one is not that of the other', async () => {
      const store = await open();
      const [first, second] = [await put(store), await put(store)];
      expect(await keysIn(store)).toEqual([first, second].sort());
      await store.remove(first);
      expect(await readBack(store, second)).toEqual(storedBytes);
    });

    test('many at once all end whole', async () => {
      const store = await open();
      const all = Array.from({ length: 30 }, () => randomBytes(1_000));
      const keys = await Promise.all(all.map((bytes) => put(store, bytes)));
      for (const [n, key] of keys.entries()) expect(await readBack(store, key)).toEqual(all[n]);
    });
  });

  test('removing: the file is gone, and a repeat succeeds', async () => {
    const store = await open();
    const key = await put(store);
    await store.remove(key);
    await store.remove(key);
    expect(await store.get(key)).toBeUndefined();
    expect(await keysIn(store)).toEqual([]);
  });

  test('the list has every file with its size and time, and nothing else', async () => {
    const store = await open();
    const [before, key] = [Date.now(), await put(store)];
    await store.checkWritable();
    await store.writeOwner(randomUUID());
    const [only, ...others] = await Array.fromAsync(store.list());
    expect(only).toMatchObject({ key, sizeBytes: storedBytes.length });
    expect(Math.abs((only?.modifiedAt.getTime() ?? 0) - before)).toBeLessThan(600_000);
    expect(others).toEqual([]);
  });

  test('the owner is what was written last', async () => {
    const store = await open();
    expect(await store.readOwner()).toBeUndefined();
    for (const owner of [randomUUID(), `${randomUUID()} 2`]) {
      await store.writeOwner(owner);
      expect(await store.readOwner()).toBe(owner);
    }
  });

  test.each([
    '../../etc/passwd',
    '',
    'tmp',
    'database-id',
    `${storeTeam.toUpperCase()}/aa/${'a'.repeat(64)}`,
    `${storeTeam}/ab/${'a'.repeat(64)}`,
    `${storeTeam}/aa/${'a'.repeat(64)}\n`,
    `${storeTeam}/aa/../${'a'.repeat(64)}`,
    `../${storeTeam}/aa/${'a'.repeat(64)}`,
    `${storeTeam}/aa/${'a'.repeat(64)}.x`,
  ])('%j is nowhere', async (key) => {
    const [store, owner] = [await open(), randomUUID()];
    await store.writeOwner(owner);
    expect(await store.get(key)).toBeUndefined();
    expect(await store.sizeOf(key)).toBeUndefined();
    await store.remove(key);
    await expect(store.put(key, storedBytes)).rejects.toThrow(TypeError);
    expect(await store.readOwner()).toBe(owner);
    expect(await keysIn(store)).toEqual([]);
  });
}
