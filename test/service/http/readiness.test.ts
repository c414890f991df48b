import { spawnSync } from 'node:child_process';
import { readdir, rename, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { listTeams } from '../../../src/service/admin.ts';
import { DatabaseUnavailable } from '../../../src/service/database/failures.ts';
import { createReadinessCheck } from '../../../src/service/http/readiness.ts';
import type { ApiProblem } from '../../../src/service/problem.ts';
import { startService } from '../../../src/service/start.ts';
import { makeFolder, removeFolder } from '../../helpers/folder.ts';
import { onPostgres } from '../../helpers/postgres.ts';
import { send, testService } from '../../helpers/service.ts';

const service = await testService();
const ready = () => send(`${service.url}/readyz`, 'GET');
const temporary = join(service.data, 'files', 'tmp');

test('a check leaves no data behind', async () => {
  const answer = await ready();
  expect([answer.status, answer.body]).toEqual([200, { status: 'ready' }]);
  expect((await listTeams(service.admin)).map(({ slug }) => slug)).toEqual(['first', 'second']);
  expect(await readdir(temporary)).toEqual([]);
});

/** The answer while files can't be written: most requests work. */
const readyWithout = (reason: string) => ({
  status: 'ready',
  warnings: [
    { code: 'files_unavailable', message: `The store of photos and assets fails: ${reason}` },
  ],
});

test('also while the files cannot be reached, with a warning', async () => {
  await rename(temporary, `${temporary}-away`);
  const answer = await ready();
  expect([answer.status, answer.body]).toEqual([
    200,
    readyWithout("The service can't access its files right now; retry later"),
  ]);
  await rename(`${temporary}-away`, temporary);
  expect((await ready()).status).toBe(200);
});

test('the log has the cause, and the answer has not', async () => {
  const cause = new DatabaseUnavailable(new Error('connect ECONNREFUSED db.internal'));
  const database = {
    ...service.admin.database,
    write: {
      transaction: () => ({ execute: () => Promise.reject(cause) }),
    },
  } as unknown as typeof service.admin.database;
  const problem = await createReadinessCheck({ ...service.admin, database })().catch(
    (error: unknown) => error as ApiProblem,
  );
  expect(problem).toMatchObject({ code: 'unavailable', details: { failed: ['database'] }, cause });
  expect(JSON.stringify((problem as ApiProblem).body())).not.toContain('db.internal');
});

/** A disk of a few megabytes, which only the processes started there see; where the system lets this user make one. */
const onSmallDisk = (folder: string, command: readonly string[]) =>
  spawnSync(
    'unshare',
    ['-rm', 'sh', '-c', 'mount -t tmpfs -o size=16m none "$0" && exec "$@"', folder, ...command],
    { encoding: 'utf8' },
  );
const hasSmallDisks = onSmallDisk(service.data, ['true']).status === 0;

if (!onPostgres)
  test.skipIf(!hasSmallDisks)(
    'a full disk: writes get 507 with the cause, nothing is stored, and the service is not ready',
    async () => {
      const folder = await makeFolder();
      onTestFinished(() => removeFolder(folder));
      const script = new URL('../../helpers/full-disk-script.ts', import.meta.url).pathname;
      const { stdout, stderr } = onSmallDisk(folder, [process.execPath, script, folder]);
      const [database, files] = [
        "The disk of the service's database is full",
        'The disk for the files of the service is full',
      ];
      const refused = [507, 'storage_full', `${database}; nothing was stored`];
      const [created, changed] = [
        [201, null, null],
        [200, null, null],
      ];
      expect(JSON.parse(stdout || stderr)).toEqual({
        full: {
          one: refused,
          together: [refused, refused, refused],
          change: refused,
          photo: [507, 'storage_full', `${files}; nothing was stored`],
          read: changed,
          ready: [
            503,
            {
              error: `Not ready: database (${database})`,
              code: 'unavailable',
              details: { failed: ['database'] },
            },
          ],
        },
        stored: 1,
        roomy: {
          one: created,
          together: [created, created, created],
          change: changed,
          photo: created,
          read: changed,
          ready: [200, { status: 'ready' }],
        },
      });
    },
  );

describe('a check of the files that does not end', () => {
  let checks = 0;
  let end: () => void = () => undefined;
  const files = {
    ...service.admin.files,
    checkWritable: () => {
      checks += 1;
      return new Promise<void>((resolve) => {
        end = resolve;
      });
    },
  };

  test('is given up, and named', async () => {
    const said = await createReadinessCheck({ ...service.admin, files }, 2_000)();
    expect(said).toMatchObject({ name: 'files', ok: false });
  });

  test('runs once for concurrent requests', async () => {
    const ready = createReadinessCheck({ ...service.admin, files });
    checks = 0;
    const asking = [ready(), ready(), ready()];
    end();
    await Promise.all(asking);
    expect(checks).toBe(1);
    const again = ready();
    end();
    await again;
    expect(checks).toBe(2);
  });
});

test('a service that starts beside others keeps their temporary files', async () => {
  const days = (count: number) => new Date(Date.now() - count * 86_400_000);
  for (const [name, age] of [
    ['young', 0.5],
    ['old', 2],
  ] as const) {
    await writeFile(join(temporary, name), 'bytes');
    await utimes(join(temporary, name), days(age), days(age));
  }
  if (onPostgres)
    await (await startService({ data: service.data, database: service.database, port: 0 })).close();
  else await service.restart();
  expect(await readdir(temporary)).toEqual(onPostgres ? ['young'] : []);
});
