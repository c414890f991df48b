/** What open pages hear while the database is away. */
import { randomUUID } from 'node:crypto';
import type { PassThrough } from 'node:stream';
import { afterAll, expect, test } from 'vitest';
import { createEvents } from '../../../src/service/dashboard/events.ts';
import { DatabaseUnavailable } from '../../../src/service/database/failures.ts';
import { openSqlite } from '../../../src/service/database/sqlite/open.ts';
import { makeFolder, removeFolder } from '../../helpers/folder.ts';

const folder = await makeFolder();
const database = await openSqlite(folder);
afterAll(async () => {
  await database.close();
  await removeFolder(folder);
});

const heard = (stream: PassThrough): string => String(stream.read() ?? '');
const alive = 'event: alive';

test('nothing while the database is away, so that no page takes old records for current; and again when it is back', async () => {
  let isAway = false;
  let failed = 0;
  const read = new Proxy(database.read, {
    get(target, name) {
      if (name === 'selectFrom' && isAway) {
        failed += 1;
        throw new DatabaseUnavailable(undefined);
      }
      const value = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const timing = { askMs: 5, aliveMs: 5, checkMs: 1_000_000 };
  const events = createEvents({ ...database, read }, { build: '1', timing });
  const stream = await events.watch({ id: '1', team: { id: randomUUID() } }, async () => true);
  await expect.poll(() => heard(stream)).toContain(alive);
  isAway = true;
  // Questions from before have their answers by then.
  await expect.poll(() => failed).toBeGreaterThan(2);
  heard(stream);
  const before = failed;
  await expect.poll(() => failed).toBeGreaterThan(before + 6);
  expect(heard(stream)).toBe('');
  isAway = false;
  await expect.poll(() => heard(stream)).toContain(alive);
  events.close();
});
