/** `cs sync` that is killed, in the mirror that each project has. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { builtCs } from '../../../helpers/built.ts';
import { cs } from '../../../helpers/cli.ts';
import { makeFolder, removeFolder } from '../../../helpers/folder.ts';
import { rows, startListServer } from '../../../helpers/list-server.ts';
import * as postgres from '../../../helpers/postgres.ts';

test('at any request: nothing is half there, and the next run completes it', async () => {
  const folder = await makeFolder();
  const server = await startListServer();
  onTestFinished(async () => {
    await server.close();
    await removeFolder(folder);
  });
  const target = postgres.onPostgres ? await postgres.emptyDatabase() : join(folder, 'mirror.db');
  const query = async (sql: string) => {
    if (postgres.onPostgres) return postgres.query(target, sql);
    using db = new DatabaseSync(target);
    return db.prepare(sql).all();
  };
  const env = { CS_BASE_URL: server.url, CS_API_KEY: 'test-key' };
  server.rows = rows(400, { notes: 'Old' });
  let [kills, killed] = [0, true];
  while (killed) {
    let requests = 0;
    const ended = builtCs(['sync', 'customers', '--to', target], { env });
    server.before = async () => {
      if (++requests <= kills) return;
      ended.kill('SIGKILL');
      await ended;
    };
    killed = (await ended).signal === 'SIGKILL';
    if (killed) kills++;
    const [state] = await query('select * from cs_sync');
    // Whole pages; the bookmark only at the end.
    expect((await query('select id from customers')).length % 200).toBe(0);
    expect(state?.since === null).toBe(killed);
  }
  // Each of the two pages at the least.
  expect(kills).toBeGreaterThan(1);
  server.before = () => undefined;
  expect(await cs(['sync', 'verify', target], { env })).toMatchObject({ code: 0, stderr: '' });
});
