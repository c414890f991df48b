/** The note of a newer version: once a day, on a terminal, where an address is set; no command waits for it. */
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { version } from '../../../src/cli/framework/version.ts';
import { type CliOptions, cs } from '../../helpers/cli.ts';
import { makeFolder, removeFolder } from '../../helpers/folder.ts';

let answer = '';
const requests: (string | undefined)[] = [];
const server = createServer(({ url }, response) => {
  requests.push(url);
  response.writeHead(answer === '' ? 500 : 200).end(answer);
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const root = await makeFolder();
afterAll(async () => {
  server.close();
  await removeFolder(root);
});

let folder: string;
let made = 0;
beforeEach(() => {
  folder = join(root, String(++made));
});
const inDays = (days: number) => new Date(Date.now() + days * 24 * 60 * 60 * 1000);
const run = (days: number, { env, ...more }: CliOptions = {}) =>
  cs(['version'], {
    as: 'terminal',
    background: true,
    now: inDays(days),
    env: {
      CS_UPDATE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/${made}`,
      CS_CACHE_DIR: folder,
      ...env,
    },
    ...more,
  });
const asked = () => requests.filter((url) => url === `/${made}`).length;
const kept = () => readFile(join(folder, 'newest-version'), 'utf8');

test('is told by the next command on the day after it was found, and once', async () => {
  answer = '99.0.0\n';
  expect((await run(0)).stderr).toBe('');
  await expect.poll(kept).toBe('99.0.0');
  expect((await run(0)).stderr).toBe('');
  expect(await run(1.5)).toMatchObject({
    code: 0,
    stderr: `cs 99.0.0 is available; this is ${version}.\n`,
  });
  await expect.poll(asked).toBe(2);
});

test.each([
  ['in a pipe', { as: 'pipe' }],
  ['in continuous integration', { env: { CI: 'true' } }],
  ['with CS_NO_UPDATE_NOTICE', { env: { CS_NO_UPDATE_NOTICE: '1' } }],
  ['with --no-input', { env: { CS_NO_INPUT: '1' } }],
  ['without an address', { env: { CS_UPDATE_URL: '' } }],
] satisfies [string, CliOptions][])('is neither looked for nor told %s', async (_, options) => {
  expect(await run(0, options)).toMatchObject({ code: 0, stderr: '' });
  await expect(kept()).rejects.toThrow('ENOENT');
  expect(asked()).toBe(0);
});

test.each([
  ['a failure', ''],
  ['another page', '<html>99.0.0</html>'],
  ['this version', version],
])('%s is no newer version, and no error', async (_, text) => {
  answer = text;
  await run(0);
  await expect.poll(asked).toBe(1);
  expect(await run(1.5)).toMatchObject({ code: 0, stderr: '' });
});

test('a cache that cannot be written is no error', async () => {
  await writeFile(folder, '');
  expect(await run(0)).toMatchObject({ code: 0, stderr: '' });
});
