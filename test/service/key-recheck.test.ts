/** A key is checked when the headers arrive, and again before its write is stored: between the two may lie minutes. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, expect, test, vi } from 'vitest';
import { contract } from '../../src/contract/contract.ts';
import { operationsOf } from '../../src/contract/operations.ts';
import { scopes } from '../../src/contract/scopes.ts';
import { createKey, createTeam, revokeKey, setIntegration } from '../../src/service/admin.ts';
import { recordsWork } from '../../src/service/crud.ts';
import { findKey } from '../../src/service/database/holders.ts';
import type { ApiKeyRow } from '../../src/service/database/tables.ts';
import { authenticate } from '../../src/service/keys.ts';
import { ApiProblem } from '../../src/service/problem.ts';
import { dispatch } from '../../src/service/requests.ts';
import type { Services } from '../../src/service/stores.ts';
import { base64Of, facility, png } from '../helpers/facility.ts';
import { send, testService } from '../helpers/service.ts';
import { filesOf } from '../helpers/stored-files.ts';

/** Answers names of hosts when a test lets it. */
let lookup: () => Promise<string[]> = async () => [];
const service = await testService({ source: { lookup: () => lookup() } });

let teams = 0;
/** A team of its own with a key and a car. */
async function newTeam() {
  const { slug } = await createTeam(service.admin, { name: `Team ${++teams}` });
  const { key, row } = await createKey(service.admin, { team: slug, name: 'all', scopes });
  const { key: other } = await createKey(service.admin, { team: slug, name: 'other', scopes });
  const car = await facility({
    call: (method, path, body) => service.call(method, path, body, other),
  }).car();
  return { slug, key, row, car };
}
type Team = Awaited<ReturnType<typeof newTeam>>;

const setKey = (row: ApiKeyRow, change: Partial<ApiKeyRow>) =>
  service.admin.database.write
    .updateTable('apiKeys')
    .set(change)
    .where('id', '=', row.id)
    .execute();

const endings = [
  {
    name: 'revoked',
    end: ({ row }: Team) => revokeKey(service.admin, row.id),
    status: 401,
    code: 'api_key_revoked',
    error: 'API key revoked',
  },
  {
    name: 'expired',
    end: ({ row }: Team) => setKey(row, { expiresAt: '2020-01-01T00:00:00.000Z' }),
    status: 401,
    code: 'api_key_expired',
    error: 'API key expired',
  },
  {
    name: 'switched off',
    end: ({ slug }: Team) => setIntegration(service.admin, slug, false),
    status: 403,
    code: 'api_disabled',
    error: 'API is disabled for this team',
  },
  {
    name: 'left without scopes',
    end: ({ row }: Team) => setKey(row, { scopes: ['read:cars'] }),
    status: 403,
    code: 'missing_scope',
    error: 'Missing scope: write:cars',
  },
];

/** Sends the headers and the first byte of a body, and resolves once the service has accepted the key. */
async function startRequest(
  team: Team,
  method: string,
  path: string,
  body: string,
  headers = '',
): Promise<Socket> {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  socket.write(
    `${method} /api/v1${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nx-api-key: ${team.key}\r\n${headers}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body.slice(0, 1)}`,
  );
  await vi.waitFor(
    async () => {
      const { lastUsedAt } = await service.admin.database.read
        .selectFrom('apiKeys')
        .select('lastUsedAt')
        .where('id', '=', team.row.id)
        .executeTakeFirstOrThrow();
      expect(lastUsedAt).not.toBeNull();
    },
    { timeout: 60_000 },
  );
  return socket;
}

async function finish(socket: Socket, rest: string) {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  socket.write(rest);
  await once(socket, 'close');
  const [head = '', body = ''] = Buffer.concat(chunks).toString().split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), ...JSON.parse(body) };
}

/** How many records a team has, whatever its key may do. */
async function countRows({ row }: Team): Promise<Record<string, number>> {
  const counted = await service.admin.database.read
    .selectFrom('recordCounts')
    .select(['table', 'count'])
    .where('teamId', '=', row.teamId)
    .execute();
  return Object.fromEntries(counted.map(({ table, count }) => [table, Number(count)]));
}

const countFiles = async ({ row }: Team): Promise<number> =>
  (await filesOf(service.admin, row.teamId)).length;

/** How a request is written, and what it may not change. */
const saab = { year: 1990, make: 'Saab', model: '900' };
const requests = {
  change: ['PATCH', ({ car }: Team) => `/cars/${car.id}`, JSON.stringify({ color: 'red' })],
  upload: [
    'POST',
    ({ car }: Team) => `/cars/${car.id}/photos`,
    JSON.stringify({ base64: base64Of(png(7)) }),
  ],
  'a body that is invalid': ['POST', () => '/cars', '{ "no": 1'],
  'a record that does not exist': ['PATCH', () => '/cars/x', '{}'],
} as const;
const revoked = endings[0] as (typeof endings)[number];

describe('while the body arrives: refused, nothing stored', () => {
  const refuses = async (
    { end, status, code, error }: typeof revoked,
    [method, path, body]: (typeof requests)[keyof typeof requests],
  ) => {
    const team = await newTeam();
    const before = await countRows(team);
    const socket = await startRequest(team, method, path(team), body);
    await end(team);
    expect(await finish(socket, body.slice(1))).toMatchObject({ status, code, error });
    expect(await countRows(team)).toEqual(before);
    expect(await countFiles(team)).toBe(0);
    const { updatedAt } = await service.admin.database.read
      .selectFrom('cars')
      .select('updatedAt')
      .where('id', '=', team.car.id as string)
      .executeTakeFirstOrThrow();
    expect(updatedAt).toBe(team.car.updatedAt);
  };
  test.each(endings)('a key that is $name', (ending) => refuses(ending, change));
  const { change, ...others } = requests;
  test.each(Object.entries(others))('%s', (_name, request) => refuses(revoked, request));
});

describe('a key that is revoked', () => {
  const { end, status, code, error } = revoked;
  const refusal = { status, code, error };

  test('a repeated request is not replayed', async () => {
    const team = await newTeam();
    const body = JSON.stringify(saab);
    const first = await service.call('POST', '/cars', body, team.key, { 'idempotency-key': 'a' });
    expect(first.status).toBe(201);
    await setKey(team.row, { lastUsedAt: null });
    await service.restart();
    const socket = await startRequest(team, 'POST', '/cars', body, 'idempotency-key: a\r\n');
    await end(team);
    const answered = await finish(socket, body.slice(1));
    expect(answered).toMatchObject(refusal);
    expect(answered.data).toBeUndefined();
  });

  test('during a download of sourceUrl: refused, and no bytes are stored', async () => {
    const team = await newTeam();
    const asked = Promise.withResolvers<void>();
    const found = Promise.withResolvers<string[]>();
    lookup = () => {
      asked.resolve();
      return found.promise;
    };
    const fetching = service.call(
      'POST',
      `/cars/${team.car.id}/photos`,
      { sourceUrl: 'https://photos.example/1.png' },
      team.key,
    );
    await asked.promise;
    await end(team);
    found.resolve([]);
    const { status: given, body } = await fetching;
    // The fetch itself fails here: what matters is which of the two is told.
    expect({ status: given, ...body }).toMatchObject(refusal);
    expect(await countFiles(team)).toBe(0);
  });

  test('just before the transaction: refused and not stored, and other requests are', async () => {
    const team = await newTeam();
    const before = await countRows(team);
    const { files, ...stores } = service.admin;
    const services: Services = {
      ...stores,
      // Bytes are on disk before the transaction begins.
      files: {
        ...files,
        async put(key, bytes) {
          await files.put(key, bytes);
          await end(team);
        },
      },
      fetchSource: async () => new Uint8Array(),
      teamQuota: null,
      fileMoves: 0,
    };
    const operation = [...operationsOf(contract.carPhotos)].find(({ verb }) => verb === 'create');
    if (!operation) throw new Error('Photos cannot be created');
    const caller = await authenticate(
      (prefix) => findKey(service.admin.database.read, prefix),
      { rawHeaders: ['x-api-key', team.key] },
      new Date(),
    );
    const incoming = {
      operation,
      caller,
      work: recordsWork(services, { operation, caller, ids: [team.car.id as string] }),
      query: {},
      body: Buffer.from(JSON.stringify({ base64: base64Of(png(8)) })),
      url: '',
      headers: {},
    };
    const [refused, ...others] = await Promise.allSettled([
      dispatch(services, incoming),
      ...Array.from({ length: 8 }, () =>
        send(`${service.url}/api/v1/cars`, 'POST', saab, { 'x-api-key': service.key }),
      ),
    ]);
    expect(refused).toMatchObject({
      status: 'rejected',
      reason: { status, code, message: error },
    });
    expect(refused.status === 'rejected' && refused.reason).toBeInstanceOf(ApiProblem);
    expect(
      others.map(
        (other) => other.status === 'fulfilled' && 'status' in other.value && other.value.status,
      ),
    ).toEqual(Array(8).fill(201));
    expect(await countRows(team)).toEqual(before);
  });
});
