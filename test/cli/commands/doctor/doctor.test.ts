import { once } from 'node:events';
import { chmod, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { scopes } from '../../../../src/contract/scopes.ts';
import { openApiDocument } from '../../../../src/openapi/document.ts';
import { createKey } from '../../../../src/service/admin.ts';
import { certificate, expired, privateKey } from '../../../helpers/certificates.ts';
import { type CliOptions, cs } from '../../../helpers/cli.ts';
import { makeFolder, removeFolder } from '../../../helpers/folder.ts';
import {
  type Behaviour,
  deadUrl,
  html,
  json,
  problem,
  silence,
  startMisbehavingServer,
} from '../../../helpers/misbehaving-server.ts';
import { makeProfile } from '../../../helpers/profile.ts';
import { startTestService } from '../../../helpers/service.ts';

const service = await startTestService();
afterAll(() => service.close());
const opened: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});

const secret = 'csk_abcdefghijkl.secret';
const doctor = (options: CliOptions & { line?: string[] } = {}) =>
  cs(['doctor', ...(options.line ?? [])], options);
const signedIn = (url: string, key = secret) => ({ CS_BASE_URL: url, CS_API_KEY: key });
interface Check {
  name: string;
  state: string;
  found: string;
  lines: string[];
  hint: string | null;
}
const stateOf = (report: { checks: Check[] }): Record<string, string> =>
  Object.fromEntries(report.checks.map(({ name, state }) => [name, state]));
const find = (report: { checks: Check[] }, name: string): Check =>
  report.checks.find((check) => check.name === name) as Check;

async function folderOf(profile: Parameters<typeof makeProfile>[0]): Promise<string> {
  const folder = await makeProfile(profile);
  opened.push(() => removeFolder(join(folder, '..')));
  return folder;
}

async function serve(answer: (path: string) => Behaviour): Promise<string> {
  const server = await startMisbehavingServer((request) =>
    answer(request.url.replace('/api/v1', '').replace(/\?.*/, '')),
  );
  opened.push(server.close);
  return server.url;
}

const me = json(200, {
  data: { team: { name: 'North' }, keyName: 'counter', scopes, expiresAt: null },
});
const described = (document: unknown) => (path: string) =>
  path === '/openapi.json' ? json(200, document) : me;

test('finds no problems with our own service', async () => {
  const folder = await folderOf({ baseUrl: service.url, key: service.key });
  const { code, json: report, stderr } = await doctor({ env: { CS_CONFIG_DIR: folder } });
  expect([code, stderr]).toEqual([0, '']);
  expect(report).toMatchObject({ ok: true, exitCode: 0, profile: 'work', baseUrl: service.url });
  expect(report.checks.map(({ name }: Check) => name)).toEqual([
    'version',
    'configuration',
    'settings',
    'address',
    'proxy',
    'certificate',
    'server',
    'readiness',
    'clock',
    'key',
    'scopes',
    'interface',
    'abilities',
    'commands',
  ]);
  expect(new Set(report.checks.map(({ state }: Check) => state))).toEqual(new Set(['ok']));
  expect(report.drift).toEqual({ missingOperations: [], unknownOperations: [] });
  const person = await doctor({ env: { CS_CONFIG_DIR: folder }, as: 'terminal' });
  expect(person.stdout).toMatch(/^✓ version {8}cs \d/);
  expect(person.stdout).toMatch(/\n\nNo problems found\.\n$/);
  expect(JSON.stringify(report) + person.stdout).not.toContain(service.key.split('.')[1]);
});

test.each([
  [3, 'warning', 'expires in 3 days'],
  [60, 'ok', 'until '],
])('a key that ends in %i days: %s', async (days, state, found) => {
  const { key } = await createKey(service.admin, {
    team: 'first',
    name: 'ending',
    scopes,
    expiresAt: new Date(Date.now() + days * 86_400_000 + 3_600_000).toISOString(),
  });
  const { code, json: report } = await doctor({ env: signedIn(service.url, key) });
  expect([code, find(report, 'key')]).toMatchObject([
    0,
    { state, found: expect.stringContaining(found) },
  ]);
});

test('no line is wider than the terminal', async () => {
  const env = signedIn('http://nowhere.invalid');
  const { stdout } = await doctor({ env, as: 'terminal', columns: 60 });
  expect(stdout).toContain('hint: ');
  expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(60);
});

describe('the configuration', () => {
  test('reports a broken one and checks the rest', async () => {
    const folder = await folderOf({ baseUrl: service.url, key: service.key });
    await writeFile(join(folder, 'config.json'), '{');
    const { code, json: report } = await doctor({
      line: ['--base-url', service.url],
      env: { CS_CONFIG_DIR: folder },
    });
    expect([code, report.ok]).toEqual([2, false]);
    expect(stateOf(report)).toMatchObject({
      configuration: 'problem',
      server: 'ok',
      clock: 'ok',
      key: 'skipped',
      interface: 'ok',
    });
    expect(find(report, 'configuration').found).toContain("it isn't JSON");
  });

  test.each([
    [0o644, 0o700, 'can read', 'chmod 600'],
    [0o600, 0o755, 'can read', 'chmod 700'],
  ])('a file of mode %o in a folder of mode %o is a warning', async (file, dir, found, hint) => {
    const folder = await folderOf({ baseUrl: service.url, key: service.key });
    await chmod(join(folder, 'config.json'), file);
    await chmod(folder, dir);
    const { code, json: report } = await doctor({ env: { CS_CONFIG_DIR: folder } });
    expect([code, report.ok, find(report, 'configuration').state]).toEqual([0, true, 'warning']);
    expect(find(report, 'configuration').found).toContain(found);
    expect(find(report, 'configuration').hint).toContain(hint);
  });

  test.each([
    ['CS_BASE_URL', 'cars.example.com', "isn't a server address", 'https://cars.example.com'],
    ['CS_OUTPUT', 'jsn', 'CS_OUTPUT: "jsn" isn\'t one of', 'did you mean json?'],
  ])('reports an invalid %s and checks the rest', async (variable, value, found, hint) => {
    const folder = await folderOf({ baseUrl: service.url, key: service.key });
    const { code, json: report } = await doctor({
      env: { CS_CONFIG_DIR: folder, [variable]: value },
    });
    expect([code, stateOf(report)]).toEqual([
      2,
      expect.objectContaining({ settings: 'problem', server: 'ok', key: 'ok' }),
    ]);
    expect(find(report, 'settings')).toMatchObject({
      found: expect.stringContaining(found),
      hint: expect.stringContaining(hint),
    });
  });

  test('an unknown profile exits 2', async () => {
    const folder = await folderOf({ baseUrl: service.url, key: service.key });
    const { code, json: report } = await doctor({
      line: ['--profile', 'wrok'],
      env: { CS_CONFIG_DIR: folder },
    });
    expect([code, find(report, 'settings').hint]).toEqual([2, 'did you mean `--profile work`?']);
  });

  test('no profile is fine; a missing key is a problem', async () => {
    const folder = await makeFolder();
    opened.push(() => removeFolder(folder));
    const { code, json: report } = await doctor({
      env: { CS_CONFIG_DIR: folder, CS_BASE_URL: service.url },
    });
    expect([code, stateOf(report)]).toEqual([
      4,
      expect.objectContaining({
        configuration: 'ok',
        server: 'ok',
        key: 'problem',
        scopes: 'skipped',
        interface: 'ok',
      }),
    ]);
  });
});

describe('the connection to the server', () => {
  test('nothing listens: exit 9, and dependent checks are skipped', async () => {
    const { code, json: report } = await doctor({ env: signedIn(await deadUrl()) });
    expect([code, find(report, 'server').hint]).toEqual([9, expect.stringContaining('cs serve')]);
    expect(stateOf(report)).toMatchObject({
      clock: 'skipped',
      key: 'skipped',
      scopes: 'skipped',
      interface: 'skipped',
      abilities: 'skipped',
    });
  });

  test('times out on a server that never answers', async () => {
    const { code, json: report } = await doctor({
      line: ['--timeout', '200ms'],
      env: signedIn(await serve(() => silence())),
    });
    expect([code, find(report, 'server').found]).toEqual([
      9,
      expect.stringContaining('within 0.2 s'),
    ]);
  });

  test('plain http to another machine exits 9 before any request', async () => {
    const { code, json: report } = await doctor({ env: signedIn('http://192.0.2.1') });
    expect([code, find(report, 'address').hint]).toEqual([
      9,
      expect.stringContaining('--allow-insecure-http'),
    ]);
    expect(find(report, 'server').state).toBe('skipped');
  });

  test('a failing server exits 10', async () => {
    expect(
      (await doctor({ env: signedIn(await serve(() => problem(500, 'internal_error'))) })).code,
    ).toBe(10);
  });

  test("a server with an HTML page for every path isn't a service", async () => {
    const { code, json: report } = await doctor({ env: signedIn(await serve(() => html(200))) });
    expect([code, stateOf(report)]).toEqual([
      9,
      expect.objectContaining({ server: 'warning', key: 'problem', interface: 'skipped' }),
    ]);
  });
});

describe('the proxy', () => {
  test('that is down is named by the check server, and by other commands', async () => {
    const proxy = await deadUrl();
    const env = { ...signedIn('https://cars.test'), HTTPS_PROXY: proxy, CS_RETRIES: '0' };
    const { code, json: report } = await doctor({ env });
    expect([code, find(report, 'server').found]).toEqual([
      9,
      `Couldn't reach https://cars.test through the proxy ${proxy}: connection refused.`,
    ]);
    expect(stateOf(report)).toMatchObject({ proxy: 'ok', key: 'skipped' });
    const { code: exit, error } = await cs(['cars', 'list'], { env });
    expect([exit, error.message, error.hint]).toEqual([
      9,
      `Couldn't reach https://cars.test through the proxy ${proxy}: connection refused.`,
      'correct or unset HTTPS_PROXY and HTTP_PROXY, or list the host in NO_PROXY',
    ]);
  });
});

describe('the certificate', () => {
  async function serveTls(cert: string, key: string, host = '127.0.0.1'): Promise<string> {
    const server: Server = createServer({ cert, key }, (request, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(
        JSON.stringify(
          request.url?.endsWith('openapi.json') ? openApiDocument() : { data: { scopes } },
        ),
      );
    });
    server.listen(0, host);
    await once(server, 'listening');
    opened.push(async () => {
      server.close();
      server.closeAllConnections();
    });
    return `https://${host}:${(server.address() as AddressInfo).port}`;
  }
  async function pem(text: string): Promise<string> {
    const folder = await makeFolder();
    opened.push(() => removeFolder(folder));
    await writeFile(join(folder, 'ca.pem'), text);
    return join(folder, 'ca.pem');
  }

  test('a self-signed one exits 9, reported once, with a hint', async () => {
    const { code, json: report } = await doctor({
      env: signedIn(await serveTls(certificate, privateKey)),
    });
    expect([code, find(report, 'certificate')]).toEqual([
      9,
      expect.objectContaining({ state: 'problem', hint: expect.stringContaining('--ca-file') }),
    ]);
    expect(find(report, 'certificate').lines.join()).toContain(
      'for car-storage.test, issued by itself, TLSv1.3',
    );
    expect(find(report, 'server').state).toBe('skipped');
  });

  test('is fine if trusted', async () => {
    const { code, json: report } = await doctor({
      line: ['--ca-file', await pem(certificate)],
      env: signedIn(await serveTls(certificate, privateKey)),
    });
    expect([code, find(report, 'certificate').found]).toEqual([0, 'trusted until 2126-10-27']);
    expect(stateOf(report)).toMatchObject({ server: 'ok', key: 'ok' });
  });

  test('reports an expired one with its day', async () => {
    const url = await serveTls(expired.cert, expired.key);
    const { code, json: report } = await doctor({
      line: ['--ca-file', await pem(expired.cert)],
      env: signedIn(url),
    });
    expect([code, find(report, 'certificate').found]).toEqual([9, 'expired on 2020-02-01']);
  });

  test('one that expires soon is a warning', async () => {
    const now = new Date('2126-10-20T00:00:00Z');
    const { json: report } = await doctor({
      line: ['--ca-file', await pem(certificate)],
      env: signedIn(await serveTls(certificate, privateKey)),
      now,
    });
    expect(find(report, 'certificate')).toMatchObject({
      state: 'warning',
      found: 'trusted, expires in 7 days, on 2126-10-27',
    });
  });
});

describe('the clock', () => {
  test.each([
    // Far enough from the next minute and hour for a machine that is slow to answer.
    [6 * 60_000 + 10_000, 'warning', 'the server is 6 minutes ahead of this machine'],
    [-3 * 3_600_000 - 1_800_000, 'warning', 'the server is 3 hours behind this machine'],
    [60_000 + 10_000, 'ok', 'the server is 1 minute ahead of this machine'],
    [0, 'ok', 'the server is in sync with this machine'],
  ])('off by %d ms is a %s', async (off, state, found) => {
    const { code, json: report } = await doctor({
      env: signedIn(service.url, service.key),
      now: new Date(Date.now() - off),
    });
    expect([code, find(report, 'clock').state, find(report, 'clock').found]).toEqual([
      0,
      state,
      found,
    ]);
  });
});

const warned = (warnings: unknown) => json(200, { status: 'ready', warnings });

describe('the readiness of the server', () => {
  const look = async (readyz: Behaviour) => {
    const { code, json: report } = await doctor({
      env: signedIn(await serve((path) => (path === '/readyz' ? readyz : me))),
    });
    return { code, ...find(report, 'readiness') };
  };

  test('shows a warning by its message, or by its code', async () => {
    const warnings = [
      { code: 'search_without_index', message: 'Searches read every record' },
      { code: 'disk_nearly_full' },
      { code: 7 },
      null,
    ];
    expect(await look(warned(warnings))).toMatchObject({
      code: 0,
      state: 'warning',
      lines: ['Searches read every record', 'disk_nearly_full'],
      hint: 'tell the operator of the server',
    });
  });

  test("a server that isn't ready is a problem, with the server's message", async () => {
    expect(
      await look(json(503, { error: 'The disk is full', code: 'unavailable', details: null })),
    ).toMatchObject({
      code: 10,
      state: 'problem',
      found: expect.stringContaining('The disk is full'),
    });
  });

  test("isn't reported for a server that has no such address, or answers of something else", async () => {
    for (const readyz of [
      problem(404, 'route_not_found'),
      html(200),
      // A gateway that can't reach it there.
      html(503),
      json(200, { status: 'fine' }),
    ])
      expect(await look(readyz)).toMatchObject({
        code: 0,
        state: 'skipped',
        found: "the server doesn't report its readiness",
      });
  });
});

describe('the key', () => {
  test('a refused one exits 4', async () => {
    const { code, json: report } = await doctor({ env: signedIn(service.url) });
    expect([code, stateOf(report)]).toEqual([
      4,
      expect.objectContaining({ key: 'problem', scopes: 'skipped', interface: 'ok' }),
    ]);
  });

  test('a failed key command exits 4, with its stderr', async () => {
    const env = {
      CS_BASE_URL: service.url,
      CS_KEY_COMMAND: 'echo locked >&2; exit 2',
      PATH: process.env.PATH ?? '',
    };
    const { code, json: report } = await doctor({ env });
    expect([code, find(report, 'key').found, find(report, 'key').lines]).toEqual([
      4,
      expect.stringContaining('failed with exit code 2'),
      ['locked'],
    ]);
  });

  test('missing scopes are listed, without a warning', async () => {
    const key = await service.keyWith(['read:cars', 'write:cars', 'read:parking']);
    const { code, json: report } = await doctor({ env: signedIn(service.url, key) });
    expect([code, find(report, 'scopes').state, find(report, 'scopes').found]).toEqual([
      0,
      'note',
      '3 of 24',
    ]);
    const [line] = find(report, 'scopes').lines;
    expect(line).toContain('missing: read:customers, ');
    expect(line).toContain('write:parking');
    expect(line).not.toContain('write:cars');
  });
});

describe('the interface', () => {
  const changed = () => {
    const document = structuredClone(openApiDocument()) as {
      paths: Record<string, Record<string, unknown>>;
    };
    delete document.paths['/contacts/{id}']?.delete;
    document.paths['/cars/{id}/wash'] = { post: { responses: {} } };
    return document;
  };

  test('a different one is a warning; with --exit-code it exits 12', async () => {
    const url = await serve(described(changed()));
    const { code, json: report } = await doctor({ env: signedIn(url) });
    expect([code, find(report, 'interface').state]).toEqual([0, 'warning']);
    expect(find(report, 'interface').found).toContain('2 operations differ');
    expect(find(report, 'interface').lines).toEqual([
      'missing: DELETE /contacts/{id}',
      'unknown: POST /cars/{id}/wash',
    ]);
    expect(report.drift).toMatchObject({
      missingOperations: ['DELETE /contacts/{id}'],
      unknownOperations: ['POST /cars/{id}/wash'],
    });
    const asked = await doctor({ line: ['--exit-code'], env: signedIn(url) });
    expect([asked.code, asked.json.exitCode, asked.json.ok]).toEqual([12, 12, true]);
    expect(
      (await doctor({ line: ['--exit-code'], env: signedIn(service.url, service.key) })).code,
    ).toBe(0);
  });

  test('names the commands that lack an operation, and what they do without it', async () => {
    const document = structuredClone(openApiDocument()) as {
      paths: Record<string, Record<string, unknown>>;
    };
    delete document.paths['/event-sessions'];
    delete document.paths['/cars/{id}']?.patch;
    const { json: report } = await doctor({ env: signedIn(await serve(described(document))) });
    expect(find(report, 'commands')).toMatchObject({
      state: 'note',
      found: '3 commands lack an operation on this server',
      lines: [
        'not possible: cs cars update, cs sessions list',
        "cs today without GET /event-sessions: the rest is shown, with a note of what couldn't be read (exit 11)",
      ],
    });
    const own = await doctor({ env: signedIn(service.url, service.key) });
    expect(find(own.json, 'commands')).toMatchObject({
      state: 'ok',
      found: 'the server has every operation that the commands need',
    });
  });

  test('an Idempotency-Key of some creates alone is none: what commands do without it is told', async () => {
    const document = structuredClone(openApiDocument()) as {
      paths: Record<string, { post?: { parameters?: unknown[] } }>;
    };
    for (const [path, item] of Object.entries(document.paths))
      if (path !== '/cars' && item.post) item.post.parameters = [];
    const page = json(200, { data: [], page: 1, limit: 1, total: 0 });
    const url = await serve((path) => (path === '/cars' ? page : described(document)(path)));
    const { json: report } = await doctor({ env: signedIn(url) });
    expect(find(report, 'abilities')).toMatchObject({
      state: 'note',
      found: 'the server announces nothing beyond the specification',
      lines: [
        'lists: cs reads them whole and filters them itself',
        "creates aren't retried after a lost answer",
        'parking: a car that is moved right before a write goes unnoticed',
      ],
    });
  });
});
