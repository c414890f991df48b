import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { builtCs, builtServe } from '../../../helpers/built.ts';
import { cs } from '../../../helpers/cli.ts';
import { base64Of, facility, png } from '../../../helpers/facility.ts';
import { makeFolder, removeFolder } from '../../../helpers/folder.ts';
import { startMailServer } from '../../../helpers/mail-server.ts';
import { startTestService } from '../../../helpers/service.ts';
import { openTerminal } from '../../../helpers/terminal.ts';

let folder: string;
beforeEach(async () => {
  folder = await makeFolder();
});
afterEach(() => removeFolder(folder));

describe('in a pipe', () => {
  test('prints its address, serves, logs JSON without secrets, and exits 0 on SIGTERM', async () => {
    const data = join(folder, 'data');
    const service = await builtServe(data);
    expect(service).toMatchObject({
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      data,
    });

    const secret = `csk_${'a'.repeat(12)}.${'s'.repeat(43)}`;
    const answer = await fetch(`${service.url}/api/v1/cars?q=private-words`, {
      headers: { 'x-api-key': secret },
    });
    expect(answer.status).toBe(401);
    await answer.text();
    const { exitCode, stdout } = await service.stop('SIGTERM');
    expect({ exitCode, lines: stdout.split('\n').length, first: JSON.parse(stdout) }).toEqual({
      exitCode: 0,
      lines: 1,
      first: { url: service.url, data },
    });

    const logged = service
      .log()
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line));
    expect(logged).toContainEqual(
      expect.objectContaining({
        method: 'GET',
        path: '/api/v1/cars',
        status: 401,
        reqId: answer.headers.get('x-request-id'),
      }),
    );
    expect(service.log()).not.toContain('sssss');
    expect(service.log()).not.toContain('private-words');
  });

  test('--ready asks the service of --port or CS_PORT: exit 0 or 9', async () => {
    const service = await startTestService();
    const { port } = new URL(service.url);
    const ask = (env: Record<string, string>, ...words: string[]) =>
      cs(['serve', '--ready', ...words], { env });
    expect(await ask({ CS_HOST: '0.0.0.0', CS_PORT: port })).toMatchObject({
      code: 0,
      json: { url: service.url, ready: true },
    });
    const step = sql`update kysely_migration set name = '9' || name where name like '0001%'`;
    await step.execute(service.admin.database.write);
    const { code, error } = await ask({ CS_PORT: '1' }, '--port', port);
    expect([code, error.message]).toEqual([9, `${service.url}: Not ready: migrations.`]);
    await service.close();
    // The address that Kubernetes sets is none.
    expect(await ask({ CS_PORT: 'tcp://10.0.0.1:80' }, '--port', port)).toMatchObject({
      code: 9,
      error: { code: 'connection_failed' },
    });
    expect(await ask({ CS_PORT: 'http' })).toMatchObject({ code: 2, error: { code: 'usage' } });
  });

  test('refuses a second service on the same folder, and names the address of the first', async () => {
    const service = await builtServe(folder);
    const second = await builtCs(['serve', '--port', '0', '--data', folder]);
    await service.stop('SIGINT');
    expect(second.exitCode).toBe(7);
    expect(second.stdout).toBe('');
    const { error } = JSON.parse(String(second.stderr));
    expect(error).toMatchObject({ code: 'already_running', exitCode: 7 });
    expect(error.message).toContain(folder);
    expect(error.hint).toContain(service.url);
  });
});

/** In this process. */
async function serveHere(argv: readonly string[], env: Record<string, string> = {}) {
  const end = new AbortController();
  const texts = { stdout: '', stderr: '' };
  const collect = (name: keyof typeof texts) =>
    new Writable({
      write(chunk, _encoding, done) {
        texts[name] += chunk;
        done();
      },
    });
  const serving = cs(['serve', '--port', '0', '--data', folder, ...argv], {
    env,
    signal: end.signal,
    stdout: collect('stdout'),
    stderr: collect('stderr'),
  });
  await expect.poll(() => texts.stdout).toContain('\n');
  return {
    url: JSON.parse(texts.stdout).url as string,
    log: () => texts.stderr,
    async stop() {
      end.abort();
      await serving;
    },
  };
}

describe('its flags', () => {
  test('applies limits and metrics', async () => {
    const service = await serveHere(['--metrics', '--failed-key-limit=2', '--rate-limit=0']);
    const statuses = [];
    for (let times = 0; times < 3; times += 1)
      statuses.push((await fetch(`${service.url}/api/v1/me`)).status);
    const metrics = await (await fetch(`${service.url}/metrics`)).text();
    await service.stop();
    expect(statuses).toEqual([401, 401, 429]);
    expect(metrics).toContain(
      'cs_http_requests_total{operation="me.get",method="GET",status="429"} 1\n',
    );
  });

  test("limits clients behind a trusted proxy by their own address, which they can't forge", async () => {
    const service = await serveHere(['--failed-key-limit=1', '--trust-proxy=127.0.0.1,10.0.0.0/8']);
    const from = async (forwarded: string) =>
      (await fetch(`${service.url}/api/v1/me`, { headers: { 'x-forwarded-for': forwarded } }))
        .status;
    const statuses = {
      first: await from('198.51.100.1'),
      // The last address that is no proxy counts, whatever stands before it.
      again: await from('203.0.113.9, 198.51.100.1, 10.1.2.3'),
      other: await from('198.51.100.2'),
      madeUp: await from('nonsense'),
      madeUpAgain: await from('more nonsense'),
    };
    await service.stop();
    expect(statuses).toEqual({ first: 401, again: 429, other: 401, madeUp: 401, madeUpAgain: 429 });
    const clients = service
      .log()
      .split('\n')
      .filter((line) => line.includes('"path":"/api/v1/me"'))
      .map((line) => JSON.parse(line).client);
    expect(clients).toEqual([
      '198.51.100.1',
      '198.51.100.1',
      '198.51.100.2',
      '127.0.0.1',
      '127.0.0.1',
    ]);
  });

  test('limits what the photos and assets of a team take', async () => {
    await cs(['admin', 'team', 'create', 'Garage', '--data', folder]);
    const { json } = await cs([
      'admin',
      'key',
      'create',
      '--name',
      'all',
      '--all-scopes',
      '--data',
      folder,
    ]);
    const service = await serveHere(['--team-quota=1KB']);
    const add = async (size: number) =>
      (
        await fetch(`${service.url}/api/v1/marketing/assets`, {
          method: 'POST',
          headers: { 'x-api-key': json.key, 'content-type': 'application/json' },
          body: JSON.stringify({ base64: base64Of(png(size, size)) }),
        })
      ).status;
    const statuses = [await add(1_001), await add(1_000)];
    await service.stop();
    expect(statuses).toEqual([422, 201]);
  });

  test.each<[argv: string[], env: Record<string, string>, status: number]>([
    [[], {}, 200],
    [['--no-dashboard'], {}, 404],
    [[], { CS_DASHBOARD: 'off' }, 404],
  ])('with %j and %j the dashboard is %i', async (argv, env, status) => {
    const service = await serveHere(argv, env);
    const answer = await fetch(`${service.url}/dashboard/session`);
    await service.stop();
    expect(answer.status).toBe(status);
  });
});

test('a terminal gets the address and the next commands', async () => {
  const terminal = openTerminal(['serve', '--port', '0', '--data', folder], { ownProcess: true });
  await terminal.waitFor(`Ready at http://127.0.0.1:`);
  await terminal.waitFor(folder);
  await terminal.waitFor('cs admin team create');
  terminal.press('ctrl-c');
  await terminal.waitFor('Stopped.');
  expect(await terminal.exited).toBe(0);
});

describe('doors', () => {
  const start = async (...argv: string[]) => {
    const end = new AbortController();
    const serving = cs(['serve', '--port', '0', '--data', join(folder, 'data'), ...argv], {
      signal: end.signal,
    });
    end.abort();
    return serving;
  };

  test('warns about missing TLS for other machines', async () => {
    expect((await start('--host', '0.0.0.0')).stderr).toMatch(
      /without TLS.*hint: put a reverse proxy.*docs\/operating\.md/s,
    );
    expect((await start('--host', '::')).stderr).toContain('without TLS');
    for (const host of ['127.0.0.1', 'localhost', '::1'])
      expect((await start('--host', host)).stderr).not.toContain('TLS');
  });
});

describe('e-mail', () => {
  /** A data folder in which one message waits to go out. */
  async function withMessage(): Promise<void> {
    const service = await startTestService({ data: folder });
    const make = facility(service);
    const { id } = await make.customer({ firstName: 'Ada', email: 'ada@example.com' });
    await make.message((await make.thread({ customerId: id })).id, {
      direction: 'outbound',
      body: 'It is ready.',
    });
    await service.stop();
  }

  test('without a mail server e-mail stays queued, with a note', async () => {
    await withMessage();
    const end = new AbortController();
    const serving = cs(['serve', '--port', '0', '--data', folder], {
      as: 'terminal',
      signal: end.signal,
    });
    end.abort();
    expect((await serving).stderr).toMatch(
      /Outgoing e-mail stays queued.*--smtp-url.*Queued now: 1/s,
    );
  });

  test('is sent with a mail server', async () => {
    await withMessage();
    const end = new AbortController();
    const mail = await startMailServer({ onMail: () => end.abort() });
    const argv = [
      'serve',
      '--port',
      '0',
      '--data',
      folder,
      '--smtp-from',
      'The Garage <office@garage.example>',
    ];
    const { code, stderr } = await cs(argv, {
      as: 'terminal',
      signal: end.signal,
      env: { CS_SMTP_URL: mail.url },
    });
    await mail.close();
    expect(code).toBe(0);
    expect(stderr).not.toContain('not delivered');
    expect(mail.mails).toMatchObject([
      { text: 'It is ready.', headers: { from: ['The Garage <office@garage.example>'] } },
    ]);
  });

  test("doesn't repeat a password", async () => {
    const { code, stderr } = await cs([
      'serve',
      '--data',
      folder,
      '--smtp-url',
      'smtp://u:secret@mail.example.com?x=1',
    ]);
    expect({ code, told: stderr.includes('secret') }).toEqual({ code: 2, told: false });
  });
});

describe('reports problems before it serves', () => {
  test('a port in use', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const { code, error } = await cs(['serve', '--port', String(port), '--data', folder]);
    taken.close();
    expect({ code, error }).toMatchObject({
      code: 7,
      error: {
        code: 'already_running',
        message: expect.stringContaining(String(port)),
        hint: expect.stringContaining('--port'),
      },
    });
  });

  test.each([
    ['a log level that is none', ['--log-level', 'loud'], 2, '--log-level'],
    [
      'a mode of a pooler without a database',
      ['--database-pooler', 'hunter'],
      2,
      '--database-pooler',
    ],
    [
      'a mail server, and nobody who writes',
      ['--smtp-url', 'smtp://mail.example.com'],
      2,
      '--smtp-from',
    ],
    [
      'somebody without an address',
      ['--smtp-url', 'smtp://mail.example.com', '--smtp-from', 'The Garage'],
      2,
      'The Garage',
    ],
    ['a proxy without an address', ['--trust-proxy', 'proxy.example.com'], 2, 'proxy.example.com'],
    [
      'a range of everybody',
      ['--trust-proxy', '127.0.0.1,0.0.0.0/0'],
      2,
      '"0.0.0.0/0" (--trust-proxy) isn\'t an address',
    ],
    ['a limit without a unit', ['--team-quota', '50'], 2, '"50" (--team-quota)'],
    [
      'an address that is not of this machine',
      ['--host', '192.0.2.1', '--port', '0'],
      2,
      '192.0.2.1',
    ],
  ])('%s', async (_name, argv, code, named) => {
    const result = await cs(['serve', '--data', folder, ...argv]);
    expect(result.code).toBe(code);
    expect(result.stdout).toBe('');
    expect(result.error.message).toContain(named);
  });

  test('leaves an invalid database unchanged', async () => {
    await mkdir(join(folder, 'data'));
    const file = join(folder, 'data', 'cs.sqlite');
    await writeFile(file, 'these are somebody’s notes, not a database\n'.repeat(100));
    const { code, error } = await cs(['serve', '--port', '0', '--data', join(folder, 'data')]);
    expect({ code, error }).toMatchObject({ code: 2, error: { code: 'data_unusable' } });
  });
});
