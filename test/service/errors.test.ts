/** The one error shape, on every path that a request can take. */
import { once } from 'node:events';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { expectProblem } from '../helpers/answers.ts';
import { base64Of, facility, png } from '../helpers/facility.ts';
import { send, startTestService, testService } from '../helpers/service.ts';
import { keyOf } from '../helpers/stored-files.ts';
import { list, made, type Row, refused, row, testTable } from '../helpers/table.ts';

const service = await testService();
const car = await facility(service).car();
const notFound = { status: 404, code: 'route_not_found', details: null } as const;
const notAllowed = (...allowed: string[]) =>
  ({ status: 405, code: 'method_not_allowed', details: { allowed } }) as const;
const cars = (name: string, expect: Row['expect'], more: Partial<Row> = {}): Row => ({
  method: 'POST',
  path: '/cars',
  name,
  expect,
  ...more,
});
const unsupported = { status: 415, code: 'unsupported_media_type', details: null } as const;
const valid = '{"year":1990,"make":"a","model":"b"';

describe('paths', () => {
  testTable(service, [
    row('GET', '/boats')('unknown', undefined, notFound),
    row('GET', '')('the base', undefined, notFound),
    row('GET', '/cars/%FF%FE')('percent-encoding that is no UTF-8', undefined, notFound),
    row('GET', `/cars/${'a'.repeat(10_000)}`)('an endless id', undefined, refused('not_found')),
    row('GET', '/cars?page=%ZZ')('bad percent-encoding in the query', undefined, {
      status: 422,
      code: 'validation_failed',
    }),
    row('GET', '/cars?q=%ff&limit=1')('a query that is no UTF-8', undefined, {
      status: 422,
      code: 'validation_failed',
      issues: { q: 'invalid_format' },
    }),
    row('GET', '/cars?q=a&q=b')('a parameter given twice', undefined, {
      status: 422,
      code: 'validation_failed',
      issues: { q: 'repeated' },
    }),
    list('/cars?%71=a+%2B%20%C3%A9%3D'),
    row('GET', '/cars?__proto__=1')('__proto__ in the query', undefined, {
      status: 422,
      code: 'validation_failed',
    }),
    row('DELETE', '/cars')('wrong method on a list', undefined, notAllowed('GET', 'POST')),
    row('PUT', `/cars/${car.id}`)('wrong method on a record', {}, notAllowed('GET', 'PATCH')),
    row('POST', '/openapi.json')('wrong method on the description', {}, notAllowed('GET')),
  ]);

  test('405 lists the allowed methods in Allow', async () => {
    expect((await service.call('DELETE', '/cars')).headers.get('allow')).toBe('GET, POST');
  });

  test('outside /api/v1', async () => {
    for (const path of ['/api', '/api/v2/cars', '/healthz/x', '/..%2f..%2fetc/passwd']) {
      const answer = await send(service.url + path, 'GET');
      expect(answer.status).toBe(404);
      expectProblem(answer);
    }
    expect((await send(`${service.url}/healthz`, 'GET')).body).toEqual({ status: 'ok' });
    expect((await send(`${service.url}/readyz`, 'GET')).body).toEqual({ status: 'ready' });
  });
});

describe('bodies', () => {
  const deep = (open: string, close: string) => open.repeat(40_000) + close.repeat(40_000);
  const invalid = (issues: Record<string, string>) =>
    ({ status: 422, code: 'validation_failed', issues }) as const;
  testTable(service, [
    cars('another content type', unsupported, {
      body: 'a=1',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    }),
    cars('no content type', unsupported, { body: '{}', headers: { 'content-type': '' } }),
    cars('a charset', made(), {
      body: `${valid}}`,
      headers: { 'content-type': 'application/json; charset=UTF-8' },
    }),
    cars('none at all', refused('invalid_json'), {
      headers: { 'content-type': 'application/json' },
    }),
    cars('no UTF-8', refused('invalid_json'), {
      body: Buffer.from(`${valid},"notes":"\xff"}`, 'latin1'),
    }),
    cars('a byte order mark', made(), { body: `\ufeff${valid}}` }),
    cars(
      'larger than is read',
      { status: 413, code: 'payload_too_large' },
      { body: `${valid},"notes":"${'n'.repeat(300_000)}"}` },
    ),
    cars(
      'larger, but who asks?',
      { status: 401, code: 'missing_api_key' },
      { body: 'n'.repeat(300_000), key: null },
    ),
    cars('deep lists', invalid({ notes: 'invalid_type' }), {
      body: `${valid},"notes":${deep('[', ']')}}`,
    }),
    cars(
      '__proto__',
      { status: 422, code: 'validation_failed' },
      { body: `${valid},"__proto__":{"status":"stored"}}` },
    ),
    cars('both in a name', invalid({ '\0\ud83d': 'unknown' }), {
      body: `${valid},"\\u0000\\ud83d":1}`,
    }),
    cars('a number too large to be one', invalid({ mileage: 'invalid_type' }), {
      body: `${valid},"mileage":1e999}`,
    }),
    cars('a number that is not exact', invalid({ mileage: 'too_big' }), {
      body: `${valid},"mileage":9007199254740993}`,
    }),
  ]);
});

describe('malformed requests', () => {
  const start = `GET /api/v1/me HTTP/1.1\r\nHost: x\r\nConnection: close\r\n`;
  const post = `POST /api/v1/cars HTTP/1.1\r\nHost: x\r\nConnection: close\r\nx-api-key: ${service.key}\r\nContent-Type: application/json\r\n`;
  test.each<[string, string | Buffer, number]>([
    ['no HTTP', '\x00\x01\x02\r\n\r\n', 400],
    ['a header without end', `${start}x-a: ${'a'.repeat(20_000)}\r\n\r\n`, 400],
    ['two lengths', `${post}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}`, 400],
    ['chunks that are none', `${post}Transfer-Encoding: chunked\r\n\r\nzz\r\n`, 400],
    [
      'two Hosts',
      'GET /api/v1/me HTTP/1.1\r\nHost: x\r\nHost: y\r\nConnection: close\r\n\r\n',
      400,
    ],
    [
      'two Hosts of a path that needs no key',
      'GET /healthz HTTP/1.1\r\nHost: x\r\nHost: x\r\nConnection: close\r\n\r\n',
      400,
    ],
    ['two content types', `${post}Content-Type: text/plain\r\nContent-Length: 2\r\n\r\n{}`, 400],
    ['no Host', 'GET /api/v1/me HTTP/1.1\r\nConnection: close\r\n\r\n', 401],
    ['an expectation', `${start}Expect: the-best\r\n\r\n`, 401],
    ['a wish for a websocket', `${start}Upgrade: websocket\r\n\r\n`, 401],
    [
      'a method from elsewhere',
      'PROPFIND /api/v1/me HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      405,
    ],
    [
      'a method without its content type',
      'QUERY /api/v1/me HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      405,
    ],
    ['an asterisk', 'OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 404],
  ])('%s', async (_name, bytes, status) => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    const chunks: Buffer[] = [];
    socket.on('data', (chunk) => chunks.push(chunk)).on('error', () => undefined);
    socket.write(bytes);
    await once(socket, 'close');
    const [head = '', body = ''] = Buffer.concat(chunks).toString().split('\r\n\r\n');
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    const headers = new Headers(
      head
        .split('\r\n')
        .slice(1)
        .map((line) => line.split(': ', 2) as [string, string]),
    );
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expectProblem({ status, headers, body: JSON.parse(body), bytes: Buffer.from(body) });
  });
});

test('a delete is a success once it is stored, also when its bytes stay behind', async () => {
  const photo = await facility(service).photo(car.id);
  const { teamId, sha256 } = await service.admin.database.read
    .selectFrom('carPhotos')
    .select(['teamId', 'sha256'])
    .where('id', '=', photo.id)
    .executeTakeFirstOrThrow();
  const bytes = join(service.data, 'files', await keyOf(service.admin, { teamId, sha256 }));
  await rm(bytes);
  // What can't be unlinked.
  await mkdir(bytes);
  onTestFinished(() => rm(bytes, { recursive: true }));
  const path = `/cars/${car.id}/photos/${photo.id}`;
  expect((await service.call('DELETE', path)).status).toBe(200);
  expect((await service.call('GET', path)).status).toBe(404);
});

test('internal errors: 500 without details, and 503 for a failed disk', async () => {
  const service = await startTestService();
  onTestFinished(() => service.close());
  const car = await facility(service).car();
  const photo = await facility(service).photo(car.id);
  await rm(join(service.data, 'files'), { recursive: true });
  const printed = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  onTestFinished(() => printed.mockRestore());
  const lost = await service.call('GET', `/cars/${car.id}/photos/${photo.id}/content`);
  expect(lost.status).toBe(500);
  expectProblem(lost);
  expect(JSON.stringify(lost.body)).not.toMatch(/photo|file|missing/);
  // The test helper shows the cause of a 500, so that a failing test tells what to repair.
  expect(printed.mock.calls.join()).toContain(`The bytes of ${photo.id} are missing`);
  await writeFile(join(service.data, 'files'), 'no folder');
  const full = await service.call('POST', `/cars/${car.id}/photos`, { base64: base64Of(png(1)) });
  expect(full.status).toBe(503);
  expectProblem(full);
});
