/** The thread that reads an SQLite file may end at any time, for want of memory for example. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { Kysely, sql } from 'kysely';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DatabaseUnavailable } from '../../../src/service/database/failures.ts';
import { threadDialect } from '../../../src/service/database/sqlite/thread.ts';
import { makeFolder, removeFolder } from '../../helpers/folder.ts';

let folder: string;
let db: Kysely<unknown>;
const post = vi.spyOn(Worker.prototype, 'postMessage');
beforeEach(async () => {
  folder = await makeFolder();
  const file = join(folder, 'any.sqlite');
  new DatabaseSync(file).close();
  db = new Kysely({ dialect: threadDialect(file) });
  post.mockClear();
});
afterEach(async () => {
  await db.destroy();
  await removeFolder(folder);
});

const ask = (on = db) => sql<{ one: number }>`select 1 as one`.execute(on);
/** The thread that was asked last. */
const thread = () => post.mock.contexts.at(-1) as Worker;

test('ended within a transaction: the transaction fails, and the next question has a new thread', async () => {
  const broken = db.transaction().execute(async (transaction) => {
    await ask(transaction);
    await thread().terminate();
    return ask(transaction);
  });
  await expect(broken).rejects.toThrow(DatabaseUnavailable);
  expect((await ask()).rows).toEqual([{ one: 1 }]);
});

test('an error of its own while a question waits: the question fails, and the next one is answered', async () => {
  await ask();
  const first = thread();
  // The thread expects an object, and ends at this.
  first.postMessage(undefined);
  await expect(ask()).rejects.toThrow(DatabaseUnavailable);
  expect((await ask()).rows).toEqual([{ one: 1 }]);
  expect(thread()).not.toBe(first);
});

test('a thread that cannot start: every question fails, and none waits for ever', async () => {
  // What can't be sent to a thread: its constructor throws, as it does where the system gives no more threads.
  const none = new Kysely<unknown>({ dialect: threadDialect(Symbol('no file') as never) });
  await expect(ask(none)).rejects.toThrow(DatabaseUnavailable);
  await expect(ask(none)).rejects.toThrow(DatabaseUnavailable);
  await none.destroy();
});
