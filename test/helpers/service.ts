/** A real service for a test, with its own port and folder, two teams and their keys. A test can add a team for itself. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterAll, vi } from 'vitest';
import { type Scope, scopes } from '../../src/contract/scopes.ts';
import { type Admin, createKey, createTeam } from '../../src/service/admin.ts';
import { databaseName } from '../../src/service/data-folder/names.ts';
import { createLog } from '../../src/service/log.ts';
import { type RunningService, type ServiceOptions, startService } from '../../src/service/start.ts';
import { openStores } from '../../src/service/stores.ts';
import { expectDescribed } from './described.ts';
import { makeFolder, removeFolder } from './folder.ts';
import { newDatabase, onPostgres } from './postgres.ts';
import { newStore, onStore } from './store-server.ts';

/** A complete answer. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed JSON, or `undefined` for other content. */
  // biome-ignore lint/suspicious/noExplicitAny: its content is what the tests check
  readonly body: any;
  readonly bytes: Uint8Array;
}

/** A service as one team sees it. */
export type TeamService = Pick<TestService, 'admin' | 'database' | 'key' | 'call'>;

export interface TestService {
  readonly url: string;
  /** The data folder. */
  readonly data: string;
  /** The address of its PostgreSQL, in tests on PostgreSQL. */
  readonly database: string | undefined;
  /** The stores of the running service, opened a second time, like those of `cs admin`. */
  readonly admin: Admin;
  /** Slugs of the two teams. */
  readonly team: 'first';
  readonly otherTeam: 'second';
  /** Keys with all scopes: for the first team, and for the other. */
  readonly key: string;
  readonly otherKey: string;
  /** The service with a new, empty team: for tests of lists and counts. */
  newTeam(): Promise<TeamService & { readonly team: string }>;
  /** A new key with only these scopes, for `team` (default: the first team). */
  keyWith(given: readonly Scope[], team?: string): Promise<string>;
  /**
   * Sends a request to `/api/v1` + path and reads the answer.
   * `body`: a string or bytes are sent unchanged, other values as JSON; `undefined` means no body.
   * `key`: default is the first team's; `null` sends no key. `headers` override the generated ones.
   * Every answer is checked against the interface description.
   */
  call(
    method: string,
    path: string,
    body?: unknown,
    key?: string | null,
    headers?: Record<string, string>,
  ): Promise<Answer>;
  /** Restarts the service with the same folder. `url` changes, unless the port is kept for pages that are open. */
  restart(options?: {
    readonly keepPort?: boolean;
    readonly meanwhile?: () => Promise<void>;
  }): Promise<void>;
  /** Stops the service and keeps the folder. */
  stop(): Promise<void>;
  /** Stops the service and removes the folder. */
  close(): Promise<void>;
}

/** Starts a service on a free port, with a new folder, a new database of the kind under test, and the teams First and Second. Close it when done. */
export async function startTestService(
  options: Partial<Omit<ServiceOptions, 'port'>> = {},
): Promise<TestService> {
  const isNew = options.data === undefined && options.database === undefined;
  const data = options.data ?? (await makeFolder());
  const database = options.database ?? (onPostgres ? await newDatabase() : undefined);
  // Not by a clock of the test's own: the teams of the copy could be made after its time.
  const isSeeded = isNew && !onPostgres && !vi.isFakeTimers();
  const seed = isSeeded ? await copySeed(data) : undefined;
  const files = options.files ?? (onStore ? newStore() : undefined);
  const start = (port = 0) =>
    startService({
      rateLimits: false,
      quietMs: 0,
      logger: causesOf500,
      ...options,
      data,
      files,
      database,
      port,
    });
  let service: RunningService = await start();
  const admin: Admin = { ...(await openStores({ data, files, database })), actor: 'test' };
  const { key, otherKey } = seed ?? (await makeTeams(admin));
  const keyWith: TestService['keyWith'] = async (given, team = 'first') =>
    (
      await createKey(admin, {
        team,
        name: given.length === scopes.length ? 'all scopes' : given.join(' ').slice(0, 255),
        scopes: given,
      })
    ).key;
  const stop = async () => {
    await admin.database.close();
    await service.close();
  };
  const callAs =
    (own: string): TestService['call'] =>
    async (method, path, body, given = own, headers = {}) => {
      const answer = await send(`${service.url}/api/v1${path}`, method, body, {
        ...(given ? { 'x-api-key': given } : {}),
        ...headers,
      });
      expectDescribed(method, path, answer);
      return answer;
    };
  let teams = 2;

  return {
    get url() {
      return service.url;
    },
    data,
    database,
    admin,
    team: 'first',
    otherTeam: 'second',
    key,
    otherKey,
    async newTeam() {
      const { slug } = await createTeam(admin, {
        name: `Team ${++teams}`,
        timezone: 'Europe/Berlin',
      });
      const own = await keyWith(scopes, slug);
      return { admin, database, team: slug, key: own, call: callAs(own) };
    },
    keyWith,
    call: callAs(key),
    async restart({ keepPort = false, meanwhile } = {}) {
      const { port } = new URL(service.url);
      await service.close();
      await meanwhile?.();
      service = await start(keepPort ? Number(port) : 0);
    },
    stop,
    async close() {
      await stop();
      await removeFolder(data);
    },
  };
}

/** The same for a whole file: it is closed after the tests of the file. */
export async function testService(
  options?: Parameters<typeof startTestService>[0],
): Promise<TestService> {
  const service = await startTestService(options);
  afterAll(() => service.close());
  return service;
}

/** Creates the teams First and Second, with a key each. */
async function makeTeams(admin: Admin): Promise<Pick<TestService, 'key' | 'otherKey'>> {
  await createTeam(admin, { name: 'First', timezone: 'Europe/Berlin' });
  await createTeam(admin, { name: 'Second' });
  const keyOf = async (team: string) =>
    (await createKey(admin, { team, name: 'all scopes', scopes })).key;
  return { key: await keyOf('first'), otherKey: await keyOf('second') };
}

interface Seed extends Pick<TestService, 'key' | 'otherKey'> {
  readonly file: Uint8Array;
}

/** A database file with the two teams, made once per process. A copy of it saves two thirds of the start of a service. */
let madeSeed: Promise<Seed> | undefined;

async function makeSeed(): Promise<Seed> {
  const data = await makeFolder();
  const admin: Admin = { ...(await openStores({ data })), actor: 'test' };
  const keys = await makeTeams(admin);
  await admin.database.close();
  const file = await readFile(join(data, databaseName));
  await removeFolder(data);
  return { ...keys, file };
}

async function copySeed(data: string): Promise<Seed> {
  madeSeed ??= makeSeed();
  const seed = await madeSeed;
  await writeFile(join(data, databaseName), seed.file, { mode: 0o600 });
  return seed;
}

/** Prints the cause of a 500 on stderr of the test, since the answer doesn't contain it. */
const causesOf500 = createLog({
  level: 'error',
  stream: new Writable({
    decodeStrings: false,
    write(entry: string, _encoding, done) {
      // A 503 has its reason in the body.
      if (
        entry.includes('request failed') &&
        !/\n(ApiProblem|\w+(Unavailable|Full|Replaced)):/.test(entry)
      )
        console.error(entry);
      done();
    },
  }),
  pretty: true,
});

/** Sends a request to any address and reads the answer, like `call`. */
export async function send(
  url: string,
  method: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const plain = typeof body === 'string' || body instanceof Uint8Array;
  const response = await fetch(url, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    body: body === undefined ? undefined : plain ? (body as string) : JSON.stringify(body),
    redirect: 'manual',
  });
  const bytes = new Uint8Array(await response.arrayBuffer());
  const json = response.headers.get('content-type')?.startsWith('application/json');
  return {
    status: response.status,
    headers: response.headers,
    bytes,
    body: json ? JSON.parse(new TextDecoder().decode(bytes)) : undefined,
  };
}
