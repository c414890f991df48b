/** Who a key is: on our service, and on a server with the same interface that does not tell. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { scopes } from '../../../../src/contract/scopes.ts';
import { cs } from '../../../helpers/cli.ts';
import { makeFolder, removeFolder } from '../../../helpers/folder.ts';
import {
  type Behaviour,
  html,
  json,
  type MisbehavingServer,
  problem,
  type SeenRequest,
  startMisbehavingServer,
} from '../../../helpers/misbehaving-server.ts';
import { startTestService, type TestService } from '../../../helpers/service.ts';
import { noon, type Step, stopClock, transcript } from '../../../helpers/transcript.ts';

const key = 'csk_abcdefghijkl.secret';
const opened: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});

async function serve(
  answer: (path: string, request: SeenRequest) => Behaviour,
): Promise<MisbehavingServer> {
  const server = await startMisbehavingServer((request) =>
    answer(request.url.replace('/api/v1', '').replace(/\?.*/, ''), request),
  );
  opened.push(server.close);
  return server;
}
const now = new Date(2026, 4, 5, 12, 0);
const ask = (server: MisbehavingServer, words = ['auth', 'status']) =>
  cs(words, { env: { CS_BASE_URL: server.url, CS_API_KEY: key }, now });
const page = json(200, { data: [], page: 1, limit: 1, total: 0 });
const me = (data: object, headers?: Record<string, string>) => json(200, { data }, headers);

describe('what the server announces', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.close());

  async function signIn() {
    const folder = await makeFolder();
    opened.push(() => removeFolder(folder));
    const env = { CS_CONFIG_DIR: join(folder, 'config'), CS_STATE_DIR: join(folder, 'state') };
    const line = ['auth', 'login', '--base-url', service.url, '--with-key'];
    const { code, stdout } = await cs(line, { stdin: service.key, env, as: 'terminal' });
    expect([code, stdout.split('\n').slice(1)]).toEqual([
      0,
      [
        'The server announces complete lists, idempotency keys and preconditions.',
        'It has every operation that commands need.',
        '',
      ],
    ]);
    return env;
  }
  const statusOf = async (env: Record<string, string>) =>
    (await cs(['auth', 'status'], { env })).json;
  const abilities = { promisesLists: true, idempotencyKeys: true, preconditions: ['if-parked-in'] };

  test('is asked at sign-in, kept in the profile, and shown', async () => {
    const env = await signIn();
    const { profiles } = JSON.parse(readFileSync(join(env.CS_CONFIG_DIR, 'config.json'), 'utf8'));
    expect(profiles.default.abilities).toMatchObject(abilities);
    expect((await statusOf(env)).abilities).toEqual({ ...abilities, missingOperations: [] });
  });

  test('of a key from the environment is asked by cs doctor, and kept in the state file', async () => {
    const { CS_CONFIG_DIR: _, ...folders } = await signIn();
    const env = { ...folders, CS_BASE_URL: service.url, CS_API_KEY: service.key };
    expect((await statusOf(env)).abilities).toBeNull();
    expect((await cs(['doctor'], { env })).code).toBe(0);
    expect((await statusOf(env)).abilities).toMatchObject(abilities);
    const other = await service.keyWith(['read:cars']);
    expect((await statusOf({ ...env, CS_API_KEY: other })).abilities).toBeNull();
  });

  test('in another form counts as not asked, and cs doctor mends it', async () => {
    const env = await signIn();
    const file = join(env.CS_CONFIG_DIR, 'config.json');
    const config = JSON.parse(readFileSync(file, 'utf8'));
    for (const kept of ['no', { promisesLists: 1 }, null]) {
      config.profiles.default.abilities = kept;
      writeFileSync(file, JSON.stringify(config), { mode: 0o600 });
      expect((await statusOf(env)).abilities).toBeNull();
    }
    await cs(['doctor'], { env });
    expect((await statusOf(env)).abilities).toMatchObject(abilities);
  });
});

describe('a server without /me', () => {
  const silent = (route: Behaviour) =>
    serve((path) =>
      path === '/me'
        ? route
        : path.startsWith('/cars') || path === '/locations'
          ? page
          : problem(403, 'missing_scope'),
    );

  test.each([
    ['404 as JSON', problem(404, 'route_not_found')],
    ['a page', html(200)],
    ['another shape', json(200, { hello: 'world' })],
  ])('that says %s is asked for a list, which tells whether it knows the key', async (_, route) => {
    const server = await silent(route);
    const { code, json: status } = await ask(server);
    expect([code, status.team, status.scopes]).toEqual([0, null, null]);
    expect(server.requests.slice(1).map(({ url }) => url)).toEqual(['/api/v1/cars?limit=1']);
  });
});

describe('a server with /me', () => {
  const whole = {
    team: { name: 'North', slug: 'north' },
    keyName: 'counter',
    scopes: ['read:cars'],
    expiresAt: null,
  };

  test('can omit everything but the scopes', async () => {
    const server = await serve(() => me({ scopes: ['read:cars', 'read:boats'] }));
    const { code, json: status } = await ask(server);
    expect([code, status.team, status.keyName, status.expiresAt, status.scopes]).toEqual([
      0,
      null,
      null,
      null,
      ['read:cars', 'read:boats'],
    ]);
    expect(server.requests).toHaveLength(1);
  });

  test('shows and warns what a person should know: one page, and what differs on others', async () => {
    onTestFinished(stopClock());
    let answer = me(whole);
    const server = await serve(() => answer);
    const [day, minute] = [86_400_000, 60_000];
    const later = (ms: number) => new Date(noon.getTime() + ms);
    const shown = (data: object, headers?: Record<string, string>): Step[] => [
      async () => {
        answer = me({ ...whole, ...data }, headers);
      },
      'cs auth status',
    ];
    const ends = (ms: number) => ({ expiresAt: later(ms).toISOString() });
    const clock = (ms: number) => ({ date: later(ms).toUTCString() });
    const text = await transcript(
      [
        ...shown({}, clock(0)),
        ...shown(ends(90 * day), clock(0)),
        ...shown(ends(3.5 * day), clock(4.8 * minute)),
        ...shown(ends(-day), clock(-5.2 * minute)),
        ...shown({ expiresAt: 'soon' }, clock(5.2 * minute)),
        ...shown({ expiresAt: undefined, team: null }, clock(-2 * day - minute)),
        ...shown({ scopes: [], keyName: undefined }, clock(0)),
        ...shown({ scopes: ['read:cars', 'read:boats', 'write:cars', 'fly'] }, clock(0)),
        ...shown({ scopes }, clock(0)),
      ],
      { env: { CS_BASE_URL: server.url, CS_API_KEY: key } },
    );
    const [first = '', ...others] = text.split(/(?=^\$ )/m);
    const known = new Set(first.split('\n').slice(1, -2));
    const differing = others.map((one) =>
      one
        .split('\n')
        .map((line) => (known.has(line) ? line.replace(/^( +\w+ +).*/, '$1…') : line))
        .join('\n'),
    );
    await expect([first, ...differing].join('')).toMatchFileSnapshot('transcripts/status.txt');
  });
});
