/** `cs serve` and `cs admin` on a PostgreSQL: the same results as on a file, and errors that name the cause. */
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { openPostgres } from '../../../../src/service/database/postgres/open.ts';
import { startService } from '../../../../src/service/start.ts';
import { cs } from '../../../helpers/cli.ts';
import { shellLine } from '../../../helpers/documentation.ts';
import { makeFolder, removeFolder } from '../../../helpers/folder.ts';
import { emptyDatabase } from '../../../helpers/postgres.ts';
import { send, startTestService } from '../../../helpers/service.ts';

const service = await startTestService();
const database = service.database as string;
afterAll(() => service.close());
const at = ['--data', service.data];

test('cs admin uses the database of the flag or of the environment while the service runs', async () => {
  const made = await cs(['admin', 'team', 'create', 'Third', ...at, '--database', database]);
  expect(made).toMatchObject({ code: 0, json: { slug: 'third' } });
  const { json } = await cs(
    ['admin', 'key', 'create', '--team', 'third', '--name', 'k', '--all-scopes', ...at],
    {
      env: { CS_DATABASE: database },
    },
  );
  expect((await service.call('GET', '/me', undefined, json.key)).body.data.team.slug).toBe('third');
  await cs(['admin', 'key', 'revoke', json.prefix, ...at, '--database', database]);
  expect((await service.call('GET', '/me', undefined, json.key)).body.code).toBe('api_key_revoked');
});

test('a second cs serve on the same database answers too, and neither shows the password', async () => {
  const stop = new AbortController();
  const serve = () =>
    cs(['serve', '--port', '0', '--log-level', 'silent', ...at, '--database', database], {
      signal: stop.signal,
    });
  const serving = [serve(), serve()];
  stop.abort();
  for (const { code, stdout, stderr } of await Promise.all(serving)) {
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      data: service.data,
      database: database.replace(':postgres@', '@'),
    });
    expect(stdout + stderr).not.toContain(':postgres@');
  }
  expect((await send(`${service.url}/readyz`, 'GET')).status).toBe(200);
});

test('the lines of docs/postgresql.md start a service and create a team', async () => {
  const folder = await makeFolder();
  onTestFinished(() => removeFolder(folder));
  const address = await emptyDatabase();
  const typed = (words: string, signal?: AbortSignal) => {
    const line = shellLine('docs/postgresql.md', words).replace('/mnt/shared/cars', folder);
    const [setting = '', , ...argv] = line.match(/"[^"]*"|\S+/g) ?? [];
    const env = { [setting.split('=')[0] as string]: address, CS_PORT: '0' };
    return cs(
      argv.map((word) => word.replaceAll('"', '')),
      { env, signal },
    );
  };
  const serving = await typed('cs serve', AbortSignal.abort());
  expect(serving).toMatchObject({ code: 0 });
  expect(JSON.parse(serving.stdout)).toMatchObject({ data: folder });
  expect(await typed('team create')).toMatchObject({ code: 0, json: { name: 'Garage Nord' } });
});

describe('a service with a folder for files of its own', () => {
  const own = async () => {
    const made = await makeFolder();
    onTestFinished(() => removeFolder(made));
    return made;
  };
  const start = (data: string, on = database) => startService({ data, database: on, port: 0 });
  const id = (data: string) => readFile(join(data, 'files', 'database-id'), 'utf8');

  test("doesn't start, and the refusal names the ways out", async () => {
    const other = await own();
    await expect(start(other)).rejects.toMatchObject({ name: 'OtherStore' });
    for (const line of [
      ['serve', '--port', '0'],
      ['admin', 'check', '--fix'],
    ]) {
      const { code, error } = await cs([...line, '--data', other, '--database', database]);
      expect([code, error.code]).toEqual([7, 'other_origin']);
      expect(error.message).toContain("isn't the one with the files of this database");
      expect(error.hint).toMatch(
        /share the folder.*--data.* write [0-9a-f-]{36} into .*database-id/,
      );
    }
    // Adopted as the hint says.
    await writeFile(join(other, 'files', 'database-id'), await id(service.data));
    await (await start(other)).close();
  });

  test('starts on a copy that has the id', async () => {
    const copy = await own();
    await cp(join(service.data, 'files'), join(copy, 'files'), { recursive: true });
    const copied = await start(copy);
    expect((await send(`${copied.url}/readyz`, 'GET')).status).toBe(200);
    await copied.close();
  });

  test('before the first start, a check gives the database no folder', async () => {
    const fresh = await emptyDatabase();
    await (await openPostgres(fresh)).close();
    const { code } = await cs(['admin', 'check', '--data', await own(), '--database', fresh]);
    expect(code).toBe(0);
    await (await start(await own(), fresh)).close();
  });

  test('of several that start at once, one folder is taken', async () => {
    const fresh = await emptyDatabase();
    await (await openPostgres(fresh)).close();
    const folders = [await own(), await own(), await own()];
    const started = await Promise.allSettled(folders.map((data) => start(data, fresh)));
    const running = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    await Promise.all(running.map((one) => one.close()));
    expect(running).toHaveLength(1);
    await expect(start(service.data, fresh)).rejects.toThrow(/has the files of another database/);
  });
});

describe('errors that stop the start', () => {
  const to = (change: Partial<URL>) => Object.assign(new URL(database), change).href;
  test.each<[string, string, number, string, RegExp]>([
    ['a malformed address', 'localhost/cars', 2, 'usage', /CS_DATABASE/],
    ['another kind of database', 'mysql://localhost/cars', 2, 'usage', /CS_DATABASE/],
    [
      'no server at the address',
      to({ port: '1', password: 'secret' }),
      2,
      'data_unusable',
      /check that it runs/,
    ],
    ['a wrong password', to({ password: 'secret' }), 2, 'data_unusable', /check user and password/],
    ['no such database', to({ pathname: '/none' }), 2, 'data_unusable', /createdb/],
  ])('%s', async (_name, address, code, kind, hint) => {
    const result = await cs(['serve', '--port', '0', ...at, '--database', address]);
    expect(result).toMatchObject({
      code,
      stdout: '',
      error: { code: kind, hint: expect.stringMatching(hint) },
    });
    expect(result.stderr).not.toContain('secret');
  });
});
