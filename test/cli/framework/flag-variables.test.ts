/** Variables of the environment for flags that only some commands have. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { globSync } from 'tinyglobby';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { flagVariables, settingList } from '../../../src/cli/config/setting-list.ts';

import { unknownVariables } from '../../../src/cli/framework/variables.ts';
import { cs } from '../../helpers/cli.ts';
import { everyCommand, runnable } from '../../helpers/every-command.ts';
import { everyLine } from '../../helpers/every-line.ts';
import { makeFolder, removeFolder } from '../../helpers/folder.ts';
import {
  json,
  type SeenRequest,
  startMisbehavingServer,
} from '../../helpers/misbehaving-server.ts';

const commands = runnable(await everyCommand());
const lines = await everyLine();
afterAll(() => lines.close());

const opened: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});

/** Flags of the same name that mean something else: every resource, every asset, whatever waits to go out, lines of a page. */
const others: ReadonlySet<string> = new Set([
  'export --all',
  'assets download --all',
  'admin outbox retry --all',
  'today --limit',
]);

test('each of these flags has its variable, on every command that has the flag', () => {
  const variables = new Map<string, string>([
    ...flagVariables.map(({ flag, variable }) => [flag, variable] as const),
    ...settingList.flatMap(({ flag, variable }) => (flag ? [[flag, variable] as const] : [])),
  ]);
  const found = commands.flatMap(({ name, info }) =>
    info.flags
      .filter(({ global }) => !global)
      .map(({ long, variable }) => ({ name: `${name} ${long}`, long, variable })),
  );
  const wanted = found.filter(
    ({ name, long }) => flagVariables.some(({ flag }) => flag === long) && !others.has(name),
  );
  expect(wanted.length).toBeGreaterThan(150);
  expect(wanted.filter(({ long, variable }) => variable !== variables.get(long))).toEqual([]);
  expect(found.filter(({ name, variable }) => others.has(name) && variable)).toEqual([]);
  // And every global flag is a setting.
  const globals = new Set(
    commands.flatMap(({ info }) =>
      info.flags.filter(({ global }) => global).map(({ long }) => long),
    ),
  );
  expect([...globals].filter((flag) => !variables.has(flag))).toEqual([]);
});

describe('CS_DRY_RUN', () => {
  // Every command that writes has the flag, and each of the flags its variable.
  test('keeps a command from writing, with a note', async () => {
    const [known] = lines.writing as [(typeof lines.writing)[number]];
    const { code, requests, stdout, stderr } = await lines.run(known, { env: { CS_DRY_RUN: '1' } });
    expect([code, requests.filter(({ method }) => method !== 'GET')]).toEqual([0, []]);
    expect(stderr).toContain('CS_DRY_RUN is set');
    expect(stdout).toBe((await lines.run(known, { flags: ['--dry-run'] })).stdout);
    const off = await lines.run(known, { env: { CS_DRY_RUN: '0' } });
    expect(off.requests.some(({ method }) => method !== 'GET')).toBe(true);
    expect(off.stderr).not.toContain('CS_DRY_RUN');
  });
  test('works with a read-only profile, like --dry-run', async () => {
    const folder = await makeFolder();
    opened.push(() => removeFolder(folder));
    const profile = { baseUrl: 'http://127.0.0.1:1', key: 'csk_a.b', readOnly: true };
    await writeFile(
      join(folder, 'config.json'),
      JSON.stringify({ currentProfile: 'main', profiles: { main: profile } }),
    );
    const line = ['customers', 'create', '--first-name', 'Bo'];
    expect(
      (await cs(line, { env: { CS_CONFIG_DIR: folder, CS_DRY_RUN: 'yes' } })).json,
    ).toMatchObject({ dryRun: true });
    expect((await cs(line, { env: { CS_CONFIG_DIR: folder } })).error.code).toBe(
      'read_only_profile',
    );
  });
});

/** A server that has no records, and what it was asked. */
async function list() {
  const id = '019aa0a3-4d00-7000-8000-000000000001';
  const requests: SeenRequest[] = [];
  const server = await startMisbehavingServer((request) => {
    requests.push(request);
    if (request.method !== 'GET') return json(201, { data: { id } });
    const { page = 1, limit = 50 } = queryOf(request);
    return json(200, { data: [], page: Number(page), limit: Number(limit), total: 0 });
  });
  opened.push(server.close);
  const run = (words: string[], env: Record<string, string>) =>
    cs(words, { env: { CS_BASE_URL: server.url, CS_API_KEY: 'csk_a.b', CS_RETRIES: '0', ...env } });
  return { server: requests, run, id };
}

const queryOf = (request: SeenRequest | undefined) =>
  Object.fromEntries(new URL(request?.url ?? '', 'http://x').searchParams);

describe('of a list', () => {
  test('work like the flags', async () => {
    const { server, run, id } = await list();
    const changed = { CS_UPDATED_AFTER: '2026-01-02T00:00:00Z' };
    const env = { CS_LIMIT: '7', CS_PAGE: '3', CS_IDS: id, ...changed };
    expect((await run(['cars', 'list'], env)).code).toBe(0);
    expect(queryOf(server.at(-1))).toMatchObject({
      limit: '7',
      page: '3',
      updatedAfter: '2026-01-02T00:00:00.000Z',
      ids: id,
    });
    await run(['cars', 'list'], { CS_ALL: 'yes' });
    expect(queryOf(server.at(-1))).toMatchObject({ limit: '200' });
    await run(['api', '/cars'], { CS_ALL: 'yes' });
    expect(queryOf(server.at(-1))).toMatchObject({ limit: '200' });
  });
  test.each([
    ['cars list --page 2', { CS_ALL: '1' }, { page: '2' }],
    ['cars list --all', { CS_PAGE: '2' }, { page: '1', limit: '200' }],
    // They mean nothing here.
    ['api DELETE /cars/x --yes', { CS_ALL: '1', CS_IDEMPOTENCY_KEY: 'k' }, {}],
    ['api /me', { CS_ALL: '1', CS_IDEMPOTENCY_KEY: 'k' }, {}],
  ])(
    'a variable that conflicts with what was typed is ignored: cs %s',
    async (line, env, query) => {
      const { server, run } = await list();
      expect((await run(line.split(' '), env)).code).not.toBe(2);
      const asked = server.at(-1);
      expect([queryOf(asked), asked?.headers['idempotency-key']]).toEqual([query, undefined]);
    },
  );
});

describe('of other commands', () => {
  const other = '019aa0a3-4d00-7000-8000-000000000002';
  test('CS_IDS names records where no argument does', async () => {
    const { run, id } = await list();
    const deleted = async (words: string[], env: Record<string, string>) => {
      const { json } = await run(['contacts', 'delete', ...words, '--dry-run'], env);
      return [json].flat().map(({ path }: { path: string }) => path.split('/').at(-1));
    };
    expect(await deleted([], { CS_IDS: id })).toEqual([id]);
    expect(await deleted([other], { CS_IDS: id })).toEqual([other]);
    expect(await deleted(['--ids', other], { CS_IDS: id })).toEqual([other]);
  });
  test('an idempotency key that no request can have is refused before one is sent', async () => {
    const { server, run } = await list();
    const line = ['customers', 'create', '--first-name', 'Bo'];
    for (const key of ['import 1', 'Einfuhr-für-1', 'x'.repeat(256)]) {
      const typed = await run([...line, '--idempotency-key', key], {});
      const { code, error } = await run(line, { CS_IDEMPOTENCY_KEY: key });
      expect([typed.code, code, server]).toEqual([2, 2, []]);
      expect([typed.error.message, error.hint]).toEqual([
        `--idempotency-key: "${key}" isn't 1 to 255 visible ASCII characters.`,
        'use a key without spaces, such as import-2026-1',
      ]);
    }
  });
});

describe('a name that cs does not know', () => {
  const env = { CS_DATABASE_PATH: '/srv/cars.db', CS_CHANGE_ID: 'x', CS_SEEED: '', CS_X: '1' };
  const said = [
    "The variable CS_DATABASE_PATH isn't known to cs. Did you mean CS_DATABASE?",
    "The variable CS_X isn't known to cs.",
  ];

  test.each([
    'serve --port 0',
    'admin backup /tmp/backup',
    'admin restore /tmp/backup',
    'admin check',
    'admin files copy --to folder',
    'admin team list',
  ])('cs %s refuses it, and names the nearest', async (words) => {
    const folder = await makeFolder();
    opened.push(() => removeFolder(folder));
    const line = [...words.split(' '), '--data', join(folder, 'data')];
    const { code, stdout, error } = await cs(line, { env });
    expect([code, stdout, error.message]).toEqual([2, '', said.join(' ')]);
    expect(await readdir(folder)).toEqual([]);
  });

  test('other commands note it; -q silences', async () => {
    const { run } = await list();
    expect((await run(['cars', 'list'], env)).stderr).toBe(`${said.join('\n')}\n`);
    expect((await run(['cars', 'list', '-q'], env)).stderr).toBe('');
    // A script gets nothing beside the error of a command that fails.
    const failed = async (as: 'terminal' | 'pipe') =>
      (await cs(['cars', 'get', ''], { as, env: { ...env, CS_API_KEY: 'csk_a.b' } })).stderr;
    expect((await failed('terminal')).split('\n').slice(0, 3)).toEqual([
      ...said,
      'error: A name is empty.',
    ]);
    expect(await failed('pipe')).toMatch(/^\{"error"/);
  });

  test('those of Kubernetes for a Service called cs are left alone', () => {
    const ofKubernetes = {
      CS_SERVICE_HOST: '10.0.0.1',
      CS_SERVICE_PORT: '80',
      CS_SERVICE_PORT_HTTP: '80',
      CS_PORT: 'tcp://10.0.0.1:80',
      CS_PORT_80_TCP: 'tcp://10.0.0.1:80',
      CS_PORT_80_TCP_ADDR: '10.0.0.1',
      CS_WEB_SERVICE_HOST: '10.0.0.2',
    };
    expect(unknownVariables(ofKubernetes)).toEqual([]);
    expect(unknownVariables({ CS_WEB_PORT: '8080' })).toHaveLength(1);
  });

  test('every name in the sources is known', async () => {
    const root = join(import.meta.dirname, '../../..');
    const files = [
      join(root, 'bin/cs.js'),
      ...globSync('src/**/*.ts', { cwd: root, absolute: true }),
    ];
    const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
    const names = texts.flatMap((text) => text.match(/\bCS_[A-Z][A-Z_]*[A-Z]\b/g) ?? []);
    expect(unknownVariables(Object.fromEntries(names.map((name) => [name, '1'])))).toEqual([]);
  });
});
