import { once } from 'node:events';
import { chmod, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { scopes } from '../../../../src/contract/scopes.ts';
import { openApiDocument } from '../../../../src/openapi/document.ts';
import { createKey } from '../../../../src/service/admin.ts';
import {
  certificate,
  expired,
  makeCertificate,
  privateKey,
} from '../../../helpers/certificates.ts';
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
import { testService } from '../../../helpers/service.ts';
import { type Step, stopClock, transcript } from '../../../helpers/transcript.ts';

const service = await testService();
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
  expect(new Set(report.checks.map(({ state }: Check) => state))).toEqual(new Set(['ok']));
  expect(report.checks.slice(-7).map(({ found }: Check) => found)).toEqual([
    'the server is ready',
    'the server is in sync with this machine',
    expect.stringMatching(/^accepted, .* team First$/),
    'all',
    'same operations as in this cs',
    'the server announces complete lists, idempotency keys and preconditions',
    'the server has every operation that the commands need',
  ]);
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

describe('the proxy', () => {
  test('that is down is named by the check server, and by other commands', async () => {
    const proxy = await deadUrl();
    const env = { ...signedIn('https://cars.test'), HTTPS_PROXY: proxy, CS_RETRIES: '0' };
    const { code, json: report } = await doctor({ env });
    expect([code, find(report, 'server').found]).toEqual([
      9,
      `Couldn't reach https://cars.test through the proxy ${proxy}: connection refused.`,
    ]);
    expect(find(report, 'proxy').found).toBe(`${proxy}, from the environment`);
    expect(find(report, 'certificate').found).toBe('skipped (connected through a proxy)');
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

  const own = { cert: certificate, key: privateKey };
  const ofAnIssuer = makeCertificate('car-storage.test', {
    issuer: makeCertificate('Issuer', { isAuthority: true }),
  });
  const renew = 'ask the operator of the server to renew it';
  const trust = 'if you are sure that it is the right server, trust its certificate with --ca-file';
  test.each<
    [found: string, hint: string | null, typeof own, lines: string[], { ca?: false; now?: Date }?]
  >([
    ['trusted until 2126-10-27', null, own, ['for car-storage.test, issued by itself, TLSv1.3']],
    [
      'trusted, expires in 7 days, on 2126-10-27',
      renew,
      own,
      ['for car-storage.test, issued by itself, TLSv1.3'],
      { now: new Date('2126-10-20T00:00:00Z') },
    ],
    [
      'expired on 2020-02-01',
      `${renew}, or check this machine's clock`,
      expired,
      [
        'for car-storage.test, issued by itself, TLSv1.3',
        'host names: car-storage.test, localhost, 127.0.0.1',
      ],
    ],
    [
      'issued for another host name',
      'use a host name of the certificate with --base-url',
      makeCertificate('elsewhere.test'),
      ['for elsewhere.test, issued by itself, TLSv1.3', 'host names: elsewhere.test'],
    ],
    [
      'self-signed, and not trusted on this machine',
      trust,
      own,
      [
        'for car-storage.test, issued by itself, TLSv1.3',
        'host names: car-storage.test, localhost, 127.0.0.1',
      ],
      { ca: false },
    ],
    [
      "its issuer isn't trusted on this machine",
      trust,
      ofAnIssuer,
      ['for car-storage.test, issued by Issuer, TLSv1.3', 'host names: car-storage.test'],
      { ca: false },
    ],
  ])('%s', async (found, hint, { cert, key }, lines, { ca, now } = {}) => {
    const { code, json: report } = await doctor({
      line: ca === false ? [] : ['--ca-file', await pem(cert)],
      env: signedIn(await serveTls(cert, key)),
      now,
    });
    const right = find(report, 'certificate');
    expect({ found: right.found, hint: right.hint, lines: right.lines }).toEqual({
      found,
      hint,
      lines,
    });
    const isTrusted = found.startsWith('trusted');
    expect([code, stateOf(report).server]).toEqual(isTrusted ? [0, 'ok'] : [9, 'skipped']);
  });
});

describe('the clock', () => {
  test.each([
    // Far enough from the next minute and hour for a machine that is slow to answer.
    [6 * 60_000 + 10_000, 'warning', 'the server is 6 minutes ahead of this machine'],
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

describe('what a person reads', () => {
  interface Document {
    paths: Record<string, Record<string, { parameters?: unknown[] } | undefined>>;
  }
  const changed = (change: (paths: Document['paths']) => void) => {
    const document = structuredClone(openApiDocument()) as unknown as Document;
    change(document.paths);
    return described(document);
  };
  const ready = (answer: Behaviour) => (path: string) => (path === '/readyz' ? answer : me);
  /** With the time of this machine. */
  const none = () => problem(404, 'route_not_found', { date: new Date().toUTCString() });
  const page = json(200, { data: [], page: 1, limit: 1, total: 0 });

  /** The first page, and of each other what isn't right: `=` names checks that say the same as on the first page, `…` those that need the ones above. */
  function differences(text: string): string {
    const checks = /^[^\s$\d] +(\S+) .*\n( {17}.*\n)*/gm;
    const start = text.indexOf('\n\n') + 1;
    const first: readonly string[] = text.slice(0, start).match(checks) ?? [];
    return [
      text.slice(0, start),
      text
        .slice(start)
        .replace(/^✓.*\n( {17}.*\n)*/gm, '')
        .replace(checks, (check, name) =>
          first.includes(check)
            ? `= ${name}\n`
            : check.endsWith('skipped (needs the checks above)\n')
              ? `… ${name}\n`
              : check,
        )
        .replace(/(^= .*\n)+|(^… .*\n)+/gm, (run) => `${run.trimEnd().replace(/\n. /g, ', ')}\n`),
    ].join('');
  }

  test('of everything but what is right', async () => {
    onTestFinished(stopClock());
    const folder = await folderOf({
      baseUrl: 'http://127.0.0.1:1',
      key: secret,
      settings: { speed: 'high', timeout: '9' },
    });
    let answer: (path: string) => Behaviour = () => me;
    const url = await serve((path) => answer(path));
    const of = (next: typeof answer, ...lines: string[]): Step[] => [
      async () => {
        answer = next;
      },
      ...lines,
    ];
    const mode = (path: string, bits: number) => () => chmod(join(folder, path), bits);
    const text = await transcript(
      [
        ...of(() => me, 'cs doctor'),
        ...of(
          changed((paths) => {
            delete paths['/contacts/{id}']?.delete;
          }),
          'cs doctor',
        ),
        ...of(
          changed((paths) => {
            delete paths['/contacts/{id}']?.delete;
            paths['/cars/{id}/wash'] = { post: {} };
          }),
          'cs doctor --exit-code',
        ),
        ...of(
          changed((paths) => {
            delete paths['/event-sessions'];
            delete paths['/cars/{id}']?.patch;
          }),
          'cs doctor',
        ),
        ...of((path) => {
          // An Idempotency-Key of some creates alone is none.
          const some = changed((paths) => {
            for (const [name, { post }] of Object.entries(paths))
              if (name !== '/cars' && post) post.parameters = [];
          });
          return path === '/cars' ? page : some(path);
        }, 'cs doctor'),
        ...of(
          ready(
            json(200, {
              status: 'ready',
              warnings: [
                { code: 'search_without_index', message: 'Searches read every record' },
                { code: 'disk_nearly_full' },
                { code: 7 },
                null,
              ],
            }),
          ),
          'cs doctor',
        ),
        ...of(ready(json(503, { error: 'The disk is full', code: 'unavailable' })), 'cs doctor'),
        // A gateway that can't reach it there.
        ...of(ready(html(503)), 'cs doctor'),
        ...of(ready(json(200, { status: 'fine' })), 'cs doctor'),
        ...of(() => html(200), 'cs doctor'),
        ...of(() => problem(500, 'internal_error'), 'cs doctor'),
        ...of(() => problem(429, 'rate_limited'), 'cs doctor'),
        ...of((path) => (path === '/cars' ? page : none()), 'cs doctor'),
        ...of(
          () => (response, request) => {
            response.sendDate = false;
            me(response, request);
          },
          'cs doctor',
        ),
        ...of(() => json(200, { data: { scopes: scopes.slice(2) } }), 'cs doctor'),
        ...of(() => silence(), 'cs doctor --timeout 200ms'),
        ...of(() => me, 'CS_API_KEY= cs doctor'),
        () =>
          writeFile(join(folder, 'locked'), '#!/bin/sh\necho The vault is locked >&2\nexit 1\n', {
            mode: 0o700,
          }),
        'CS_API_KEY= CS_KEY_COMMAND={folder}/locked cs doctor',
        'CS_BASE_URL={dead} cs doctor',
        'CS_BASE_URL=https://127.0.0.1:1 cs doctor',
        'CS_BASE_URL=http://0.0.0.0:1 cs doctor --allow-insecure-http',
        'CS_BASE_URL=cars.example.com cs doctor --base-url {dead}',
        'CS_BASE_URL=http://cars.test cs doctor',
        'CS_OUTPUT=jsn CS_RETRIES=many cs doctor -o table',
        'CS_API_KEY= CS_BASE_URL= CS_CONFIG_DIR={folder} cs doctor',
        'CS_CONFIG_DIR={folder} cs doctor --profile wrok',
        mode('config.json', 0o644),
        'CS_CONFIG_DIR={folder} cs doctor',
        mode('config.json', 0o600),
        mode('', 0o755),
        'CS_CONFIG_DIR={folder} cs doctor',
        mode('', 0o700),
        () => writeFile(join(folder, 'config.json'), '{'),
        'CS_CONFIG_DIR={folder} cs doctor',
      ],
      {
        hidden: { folder, dead: await deadUrl() },
        env: { ...signedIn(url), PATH: process.env.PATH ?? '' },
      },
    );
    await expect(differences(text)).toMatchFileSnapshot('transcripts/doctor.txt');
  });
});
