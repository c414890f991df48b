import { join } from 'node:path';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openSqlite } from '../../../src/service/database/sqlite/open.ts';
import { makeFolder, removeFolder } from '../../helpers/folder.ts';

test('a database that another process has locked is opened once the lock is released', async () => {
  const folder = await makeFolder();
  onTestFinished(() => removeFolder(folder));
  const other = new DatabaseSync(join(folder, 'cs.sqlite'));
  other.exec('begin exclusive');
  const exec = vi.spyOn(DatabaseSync.prototype, 'exec');
  onTestFinished(() => exec.mockRestore());
  const opening = openSqlite(folder);
  opening.catch(() => undefined);
  await vi.waitUntil(() => exec.mock.results.some(({ type }) => type === 'throw'));
  other.exec('rollback');
  other.close();
  const database = await opening;
  expect(await database.read.selectFrom('teams').selectAll().execute()).toEqual([]);
  await database.close();
});

test('a new database whose tables another process is about to make is opened once that process is done', async () => {
  const folder = await makeFolder();
  onTestFinished(() => removeFolder(folder));
  const other = new DatabaseSync(join(folder, 'cs.sqlite'));
  other.exec('pragma journal_mode = wal; begin immediate');
  const run = vi.spyOn(StatementSync.prototype, 'run');
  onTestFinished(() => run.mockRestore());
  const opening = openSqlite(folder);
  opening.catch(() => undefined);
  await vi.waitUntil(() => run.mock.results.some(({ type }) => type === 'throw'));
  other.exec('rollback');
  other.close();
  const database = await opening;
  expect(await database.read.selectFrom('teams').selectAll().execute()).toEqual([]);
  await database.close();
});
