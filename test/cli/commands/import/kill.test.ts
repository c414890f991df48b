/** `kill -9` of an import at every request: the same command again leaves each row stored once, with and without idempotency keys. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { builtCs } from '../../../helpers/built.ts';
import { startFaultyProxy } from '../../../helpers/faulty-proxy.ts';
import { makeFolder, removeFolder } from '../../../helpers/folder.ts';
import { startTestService, type TestService } from '../../../helpers/service.ts';

let service: TestService;
let cwd: string;
beforeAll(async () => {
  service = await startTestService();
  cwd = await makeFolder();
});
afterAll(async () => {
  await service.close();
  await removeFolder(cwd);
});

const rows = 8;
let runs = 0;

describe.each([
  ['with idempotency keys', false],
  ['without', true],
])('a server %s', (_, withoutKeys) => {
  const points = [
    ...[1, 2, 5, 8].flatMap((post) =>
      [true, false].map((arrives) => ({ post, arrives, flags: [] as string[] })),
    ),
    { post: 5, arrives: true, flags: ['--again'] },
  ];

  test.each(points)('at POST $post, arrives: $arrives $flags', async ({ post, arrives, flags }) => {
    const lastName = `Kill${String.fromCharCode(65 + runs++)}`;
    const file = join(cwd, `${lastName}.ndjson`);
    const names = Array.from({ length: rows }, (_, n) => `Ann${n}`);
    await writeFile(
      file,
      names.map((firstName) => `${JSON.stringify({ firstName, lastName })}\n`).join(''),
    );
    let running: ReturnType<typeof builtCs> | undefined;
    let posts = 0;
    const proxy = await startFaultyProxy(
      service.url,
      ({ method }) => {
        if (method !== 'POST' || ++posts !== post) return undefined;
        running?.kill('SIGKILL');
        return arrives ? undefined : 'reset';
      },
      { withoutKeys },
    );
    try {
      // Without keys the second run waits for as long before it sends.
      const env = {
        CS_BASE_URL: proxy.url,
        CS_API_KEY: service.key,
        CS_TIMEOUT: withoutKeys ? '5' : '30',
      };
      const argv = ['import', 'customers', file, '--parallel', '3', '-o', 'ndjson', ...flags];
      running = builtCs(argv, { cwd, env });
      expect((await running).signal).toBe('SIGKILL');
      const second = await builtCs(argv, { cwd, env });
      expect([second.exitCode, second.stderr]).toEqual([0, '']);
      const { data } = (await service.call('GET', `/customers?limit=200&q=${lastName}`)).body;
      expect(data.map((one: { firstName: string }) => one.firstName).sort()).toEqual(names);
    } finally {
      await proxy.close();
    }
  });
});
