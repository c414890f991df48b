import { join } from 'node:path';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openSqlite } from '../../../src/service/database/sqlite/open.ts';
import { makeFolder, removeFolder } from '../../helpers/folder.ts';

test.each([
  {
    what: 'a database that another process has locked',
    hold: 'begin exclusive',
    refused: () => vi.spyOn(DatabaseSync.prototype, 'exec'),
  },
  {
    what: 'a new database whose tables another process is about to make',
    hold: 'pragma journal_mode = wal; begin immediate',
    refused: () => vi.spyOn(StatementSync.prototype, 'run'),
  },
])('$what is opened once that process is done', async ({ hold, refused }) => {
  const folder = await makeFolder();
  onTestFinished(() => removeFolder(folder));
  const other = new DatabaseSync(join(folder, 'cs.sqlite'));
  other.exec(hold);
  const calls = refused();
  onTestFinished(() => calls.mockRestore());
  const opening = openSqlite(folder);
  opening.catch(() => undefined);
  await vi.waitUntil(() => calls.mock.results.some(({ type }) => type === 'throw'));
  other.exec('rollback');
  other.close();
  const database = await opening;
  expect(await database.read.selectFrom('teams').selectAll().execute()).toEqual([]);
  await database.close();
});
