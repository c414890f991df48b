/** Headers that decide who asks and who may keep the answer. Two of a kind are sent by hand, since no client does. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { request } from 'undici';
import { describe, expect, test } from 'vitest';
import { openApiDocument } from '../../../src/openapi/document.ts';
import { chooseCoding } from '../../../src/service/http/responses.ts';
import { send, testService } from '../../helpers/service.ts';

const service = await testService();
const { key, otherKey } = service;

/** The answer to a request with just these header lines. */
async function ask(start: string, lines: readonly string[], body = '') {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  socket.write(
    `${start} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${lines.map((line) => `${line}\r\n`).join('')}\r\n${body}`,
  );
  await once(socket, 'close');
  const [head = '', text = ''] = Buffer.concat(chunks).toString().split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), head: head.toLowerCase(), ...JSON.parse(text) };
}
const me = (...lines: string[]) => ask('GET /api/v1/me', lines);

describe('keys', () => {
  const refused = {
    status: 401,
    code: 'invalid_api_key',
    error: 'The headers contain different API keys',
  };

  test.each([
    [
      'two Authorization headers',
      [`Authorization: Bearer ${key}`, `Authorization: Bearer ${otherKey}`],
    ],
    ['a key and another scheme', ['Authorization: Basic YTpi', `Authorization: Bearer ${key}`]],
    ['two x-api-key headers', [`x-api-key: ${key}`, `X-API-Key: ${otherKey}`]],
    ['one of either', [`x-api-key: ${key}`, `Authorization: Bearer ${otherKey}`]],
  ])('%s that differ: refused', async (_name, lines) => {
    expect(await me(...lines)).toMatchObject(refused);
    expect(await me(...lines.toReversed())).toMatchObject(refused);
  });

  test('the same key several times', async () => {
    expect(
      await me(
        `x-api-key: ${key}`,
        `x-api-key: ${key}`,
        `Authorization: Bearer ${key}`,
        `Authorization: Bearer ${key}`,
      ),
    ).toMatchObject({
      status: 200,
    });
    expect(await me(`x-api-key: ${key}, ${key}`)).toMatchObject({
      status: 401,
      code: 'invalid_api_key',
    });
  });
});

test.each(['GET', 'POST'])('a path that cannot be decoded: %s', async (method) => {
  const { status, headers, body } = await service.call(
    method,
    '/cars/x%zz',
    method === 'POST' ? { year: 1990 } : undefined,
  );
  expect([status, body.code]).toEqual([404, 'route_not_found']);
  expect(Object.fromEntries(headers)).toMatchObject({
    'cache-control': 'private, no-store',
    vary: 'authorization, x-api-key',
    connection: 'close',
    'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
});

describe('bodies', () => {
  const car = JSON.stringify({ year: 1990, make: 'Saab', model: '900' });
  const post = (headers: Record<string, string>, given: string | null = key, body = car) =>
    service.call('POST', '/cars', body, given, headers);

  test.each(['gzip', 'identity, gzip'])('Content-Encoding: %s is 415', async (coding) => {
    const answer = await post({ 'content-encoding': coding });
    expect({
      status: answer.status,
      code: answer.body.code,
      accepted: answer.headers.get('accept-encoding'),
    }).toEqual({
      status: 415,
      code: 'unsupported_media_type',
      accepted: 'identity',
    });
  });

  test('identity counts as no encoding; key and scope are checked before the body', async () => {
    expect((await post({ 'content-encoding': 'identity' })).status).toBe(201);
    expect((await post({ 'content-encoding': 'gzip' }, null)).status).toBe(401);
    expect(
      (await post({ 'content-encoding': 'gzip' }, await service.keyWith(['read:cars']))).status,
    ).toBe(403);
    expect((await post({ 'content-encoding': 'gzip' }, key, 'no JSON')).status).toBe(415);
  });
});

describe('caching of answers', () => {
  const own = { 'cache-control': 'private, no-store', vary: 'authorization, x-api-key' };
  const headersOf = ({ headers }: { headers: Headers }) => ({
    'cache-control': headers.get('cache-control'),
    vary: headers.get('vary'),
  });

  test.each([
    ['a record', 'GET', '/me', 200],
    ['a write', 'POST', '/customers', 201],
    ['invalid', 'GET', '/cars?limit=0', 422],
    ['no such path', 'GET', '/nowhere', 404],
  ])('%s: nobody else, and nothing that stays', async (_name, method, path, status) => {
    const answer = await service.call(
      method,
      path,
      method === 'POST' ? { lastName: 'Lee' } : undefined,
    );
    expect({ status: answer.status, ...headersOf(answer) }).toEqual({ status, ...own });
    const unknown = await service.call(method, path, method === 'POST' ? {} : undefined, null);
    expect(headersOf(unknown)).toEqual(own);
  });

  test('malformed requests', async () => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    socket.write('nonsense\r\n\r\n');
    const [data] = await once(socket, 'data');
    expect(String(data).toLowerCase()).toContain(
      'cache-control: private, no-store\r\nvary: authorization, x-api-key\r\n',
    );
  });

  test('a HEAD, and a question about a path', async () => {
    const url = `${service.url}/api/v1/me`;
    const head = await fetch(url, { method: 'HEAD', headers: { 'x-api-key': key } });
    expect({ status: head.status, size: (await head.bytes()).length, ...headersOf(head) }).toEqual({
      status: 200,
      size: 0,
      ...own,
    });
    expect((await fetch(url, { method: 'HEAD' })).status).toBe(401);
    expect((await send(`${service.url}/api/v1/me`, 'OPTIONS')).status).toBe(405);
  });

  test('the request id is never that of the caller', async () => {
    const { headers } = await service.call('GET', '/me', undefined, key, {
      'x-request-id': 'chosen',
    });
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('the interface description', () => {
  const get = async (acceptEncoding?: string, ifNoneMatch?: string) => {
    const { statusCode, headers, body } = await request(`${service.url}/api/v1/openapi.json`, {
      headers: {
        ...(acceptEncoding === undefined ? {} : { 'accept-encoding': acceptEncoding }),
        ...(ifNoneMatch ? { 'if-none-match': ifNoneMatch } : {}),
      },
    });
    return { status: statusCode, headers, bytes: Buffer.from(await body.arrayBuffer()) };
  };

  test.each([
    ['gzip', 'gzip', gunzipSync],
    ['br', 'gzip, deflate, br', brotliDecompressSync],
    [undefined, undefined, (bytes: Buffer) => bytes],
  ])('as %s', async (coding, accepted, decode) => {
    const { status, headers, bytes } = await get(accepted);
    expect(status).toBe(200);
    expect(headers['content-encoding']).toBe(coding);
    expect(headers.vary).toBe('accept-encoding');
    expect(headers['cache-control']).toBe('public, max-age=0, must-revalidate');
    expect(Number(headers['content-length'])).toBe(bytes.length);
    expect(decode(bytes).toString()).toBe(JSON.stringify(openApiDocument()));
    if (coding) expect(bytes.length).toBeLessThan(JSON.stringify(openApiDocument()).length / 5);

    const again = await get(accepted, String(headers.etag));
    expect({
      status: again.status,
      size: again.bytes.length,
      etag: again.headers.etag,
      vary: again.headers.vary,
    }).toEqual({
      status: 304,
      size: 0,
      etag: headers.etag,
      vary: 'accept-encoding',
    });
  });

  test('each coding has an ETag of its own', async () => {
    const etags = [
      (await get()).headers.etag,
      (await get('gzip')).headers.etag,
      (await get('br')).headers.etag,
    ];
    expect(new Set(etags).size).toBe(3);
    expect((await get('br', String(etags[1]))).status).toBe(200);
  });

  test.each([
    [undefined, 'identity'],
    ['', 'identity'],
    ['identity', 'identity'],
    ['deflate', 'identity'],
    ['*', 'br'],
    ['gzip, *;q=0', 'gzip'],
    ['x-gzip', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0.5, gzip;q=0.8', 'gzip'],
    ['GZIP;Q=1, BR;q=1', 'br'],
    ['gzip;q=0', 'identity'],
    ['gzip;q=0.5, identity', 'identity'],
    ['gzip;q=high', 'identity'],
    [',,;', 'identity'],
  ])('Accept-Encoding %j: %s', (accepted, coding) => expect(chooseCoding(accepted)).toBe(coding));
});
