/** What a server announces of itself. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { abilitiesIn, hasOperation, readAbilities } from '../../src/client/abilities.ts';
import { createClient, NetworkError } from '../../src/client/client.ts';
import { json, type Script, startMisbehavingServer } from '../helpers/misbehaving-server.ts';
import { noAbilities } from '../helpers/no-abilities.ts';
import { startTestService } from '../helpers/service.ts';

const parameter = { name: 'Idempotency-Key', in: 'header', schema: { type: 'string' } };

async function abilitiesOf(script: Script) {
  const server = await startMisbehavingServer(script);
  const client = createClient({ baseUrl: server.url, key: 'csk_a.b', retries: 0 });
  onTestFinished(async () => {
    await client.close();
    await server.close();
  });
  return readAbilities(client.transport);
}

test('our own service has all of them', async () => {
  const service = await startTestService();
  const client = createClient({ baseUrl: service.url, key: service.key });
  onTestFinished(async () => {
    await client.close();
    await service.close();
  });
  const abilities = await readAbilities(client.transport);
  expect(abilities).toMatchObject({
    promisesLists: true,
    idempotencyKeys: true,
    preconditions: ['if-parked-in'],
    team: { id: expect.any(String), name: expect.any(String) },
  });
  expect(hasOperation(abilities, { method: 'GET', path: '/cars/{carId}' })).toBe(true);
  expect(hasOperation(abilities, { method: 'POST', path: '/cars/{id}' })).toBe(false);
  expect(JSON.parse(JSON.stringify(abilities))).toEqual(abilities);
});

test('a server that announces nothing has none', async () => {
  const abilities = await abilitiesOf(() => json(404, { error: 'Not found', code: 'x' }));
  expect(abilities).toEqual(noAbilities);
  expect(hasOperation(abilities, { method: 'GET', path: '/cars' })).toBeUndefined();
});

test('a server without a description can promise its lists', async () => {
  const abilities = await abilitiesOf(({ url }) =>
    url.startsWith('/api/v1/cars?')
      ? json(200, { data: [], page: 1, limit: 1, total: 0 }, { 'total-of': 'all-pages' })
      : json(404, { error: 'Not found' }),
  );
  expect(abilities).toEqual({ ...noAbilities, promisesLists: true });
});

test('only the header that promises it makes lists complete', () => {
  const promised = (header: string) =>
    abilitiesIn({
      paths: { '/cars': { get: { responses: { 200: { headers: { [header]: {} } } } } } },
    }).promisesLists;
  expect(['Total-Of', 'X-Total-Count'].map(promised)).toEqual([true, false]);
});

test('a description tells operations, and the preconditions of all but reads', () => {
  const condition = (name: string) => ({ name, in: 'header' });
  const paths = {
    '/api/v1/cars': {
      get: { parameters: [condition('If-None-Match')] },
      post: { parameters: [parameter, condition('If-Parked-In'), { name: 'if-x', in: 'query' }] },
      head: {},
    },
    '/cars/{id}': {
      parameters: [condition('If-Match')],
      put: { parameters: [condition('if-parked-in')] },
      delete: {},
      patch: {},
    },
    '/api/v1': { get: {} },
  };
  expect(abilitiesIn({ paths })).toEqual({
    promisesLists: false,
    idempotencyKeys: true,
    preconditions: ['if-parked-in', 'if-match'],
    operations: [
      ...['GET /cars', 'POST /cars', 'PATCH /cars/{id}', 'DELETE /cars/{id}', 'PUT /cars/{id}'],
      'GET /api/v1',
    ],
  });
});

test('a server out of reach is an error, not one without abilities', async () => {
  const server = await startMisbehavingServer(() => json(200, {}));
  await server.close();
  const client = createClient({ baseUrl: server.url, retries: 0 });
  onTestFinished(() => client.close());
  await expect(readAbilities(client.transport)).rejects.toThrow(NetworkError);
});

describe('an Idempotency-Key is announced', () => {
  test.each([
    ['on the operation', { paths: { '/cars': { post: { parameters: [parameter] } } } }, true],
    ['on the path', { paths: { '/cars': { parameters: [parameter], post: {} } } }, true],
    [
      'by reference',
      {
        paths: {
          '/api/v1/cars': { post: { parameters: [{ $ref: '#/components/parameters/Key' }] } },
        },
        components: { parameters: { Key: parameter } },
      },
      true,
    ],
    [
      'not by a query parameter',
      { paths: { '/cars': { post: { parameters: [{ ...parameter, in: 'query' }] } } } },
      false,
    ],
    [
      'not by some operations alone',
      { paths: { '/cars': { post: { parameters: [parameter] } }, '/spots': { post: {} } } },
      false,
    ],
    ['not by a description without a POST', { paths: { '/cars': { get: {} } } }, false],
    ['not by an invalid description', { paths: [null, 'x'] }, false],
    ['not without a description', undefined, false],
  ])('%s', (_, description, announced) => {
    expect(abilitiesIn(description).idempotencyKeys).toBe(announced);
  });
});
