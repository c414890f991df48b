import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { builtServe } from '../../../helpers/built.ts';
import { cs } from '../../../helpers/cli.ts';
import { base64Of, facility, png } from '../../../helpers/facility.ts';
import { makeFolder, removeFolder } from '../../../helpers/folder.ts';
import { startMailServer } from '../../../helpers/mail-server.ts';
import { send } from '../../../helpers/phone-counter.ts';
import { startTestService } from '../../../helpers/service.ts';
import { replay } from '../../../helpers/transcript.ts';

let folder: string;
beforeEach(async () => {
  folder = await makeFolder();
});
afterEach(() => removeFolder(folder));

describe('in a pipe', () => {
  test('prints its address, serves, refuses a second one on its folder, logs JSON without secrets, and exits 0 on SIGTERM', async () => {
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

    const second = await cs(['serve', '--port', '0', '--data', data]);
    expect([second.code, second.stdout, second.error]).toMatchObject([
      7,
      '',
      { code: 'already_running', message: expect.stringContaining(data) },
    ]);
    expect(second.error.hint).toContain(service.url);

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
  });
});

const serveArgs = ['serve', '--port', '0', '--data'];

/** Runs until it is stopped. */
async function serve(flags: readonly string[], env: Record<string, string> = {}) {
  const end = new AbortController();
  const texts = { stdout: '', stderr: '' };
  const collect = (name: keyof typeof texts) =>
    new Writable({
      write(chunk, _encoding, done) {
        texts[name] += chunk;
        done();
      },
    });
  const serving = cs([...serveArgs, folder, ...flags], {
    ...{ env, signal: end.signal },
    ...{ stdout: collect('stdout'), stderr: collect('stderr') },
  });
  await expect.poll(() => texts.stdout).toContain('\n');
  const { url } = JSON.parse(texts.stdout) as { url: string };
  const stop = () => {
    end.abort();
    return serving;
  };
  onTestFinished(async () => void (await stop()));
  return { url, texts, stop };
}

test('its flags: limits, trusted proxies, what files may take, metrics, and no dashboard', async () => {
  await cs(['admin', 'team', 'create', 'Garage', '--data', folder]);
  const key = ['admin', 'key', 'create', '--name', 'all', '--all-scopes', '--data', folder];
  const { json } = await cs(key);
  const flags =
    '--metrics --rate-limit=90 --rate-burst=9 --upload-limit=7 --failed-key-limit=1 --trust-proxy=127.0.0.1,10.0.0.0/8 --team-quota=1KB --no-dashboard';
  const { url, texts, stop } = await serve(flags.split(' '));
  const ask = (path: string, init: RequestInit = {}) => fetch(`${url}${path}`, init);

  const from = async (forwarded: string) =>
    (await ask('/api/v1/me', { headers: { 'x-forwarded-for': forwarded } })).status;
  expect([
    await from('198.51.100.1'),
    // The last address that is no proxy counts, whatever stands before it.
    await from('203.0.113.9, 198.51.100.1, 10.1.2.3'),
    await from('198.51.100.2'),
    await from('nonsense'),
    await from('more nonsense'),
  ]).toEqual([401, 429, 401, 401, 429]);
  const add = async (size: number) => {
    const { status, headers } = await ask('/api/v1/marketing/assets', {
      method: 'POST',
      headers: { 'x-api-key': json.key, 'content-type': 'application/json' },
      body: JSON.stringify({ base64: base64Of(png(size, size)) }),
    });
    return [status, headers.get('ratelimit-policy'), headers.get('ratelimit')];
  };
  const policy = '"requests";q=90;w=60, "uploads";q=7;w=60';
  expect([await add(1_001), await add(1_000)]).toEqual([
    [422, policy, expect.stringMatching(/^"requests";r=8, "uploads";r=6$/)],
    [201, policy, expect.stringMatching(/^"requests";r=[78], "uploads";r=[56]$/)],
  ]);
  expect((await ask('/dashboard/session')).status).toBe(404);
  expect(await (await ask('/metrics')).text()).toContain(
    'cs_http_requests_total{operation="me.get",method="GET",status="429"} 2\n',
  );
  await stop();
  const clients = texts.stderr
    .split('\n')
    .filter((line) => line.includes('"path":"/api/v1/me"'))
    .map((line) => JSON.parse(line).client);
  const madeUp = '127.0.0.1';
  expect(clients).toEqual(['198.51.100.1', '198.51.100.1', '198.51.100.2', madeUp, madeUp]);
});

test.each([
  ['allowed by a flag', ['--allow-insecure-dashboard'], {}, 200],
  ['allowed by a variable', [], { CS_ALLOW_INSECURE_DASHBOARD: '1' }, 200],
  ['not allowed', [], { CS_ALLOW_INSECURE_DASHBOARD: '0' }, 403],
])('the dashboard over http for other machines: %s', async (_, flags, env, status) => {
  const { url, stop } = await serve(flags, env);
  const from = { method: 'GET', path: '/dashboard/session', headers: { host: '192.168.1.2' } };
  const answer = await send(url, from);
  await stop();
  expect(answer.status).toBe(status);
});

test('what an operator reads at the start, and at a wrong flag', async () => {
  const taken = createServer((_, response) => response.writeHead(404).end()).listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  await writeFile(
    join(folder, 'cs.sqlite'),
    'these are somebody’s notes, not a database\n'.repeat(100),
  );
  const hidden = { folder, taken: String(port) };
  const transcripts = join(import.meta.dirname, 'transcripts');
  await replay(join(transcripts, 'starts.txt'), { hidden, signal: AbortSignal.abort() });
  await replay(join(transcripts, 'refused.txt'), { hidden });
  taken.close();
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
    const ended = { as: 'terminal', columns: 1_000, signal: AbortSignal.abort() } as const;
    const { stderr } = await cs([...serveArgs, folder], ended);
    expect(stderr).toContain(
      'Outgoing e-mail stays queued until the service is started with --smtp-url. Queued now: 1.\n',
    );
  });

  test('is sent with a mail server', async () => {
    await withMessage();
    const end = new AbortController();
    const mail = await startMailServer({ onMail: () => end.abort() });
    const sender = ['--smtp-from', 'The Garage <office@garage.example>'];
    const { code, stderr } = await cs([...serveArgs, folder, ...sender], {
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
});
