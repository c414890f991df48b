import { afterEach, describe, expect, test } from 'vitest';
import { ApiError, NetworkError, ProtocolError } from '../../src/client/errors.ts';
import type { AttemptEvent, TransportOptions } from '../../src/client/options.ts';
import { createTransport, type Transport } from '../../src/client/transport.ts';
import {
  type Behaviour,
  cutHalfway,
  deadUrl,
  empty,
  html,
  json,
  type MisbehavingServer,
  problem,
  raw,
  record,
  redirect,
  reset,
  type Script,
  silence,
  stallHalfway,
  startMisbehavingServer,
} from '../helpers/misbehaving-server.ts';

const key = 'csk_abcdefghijkl.very-secret';
const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

async function serve(script: Script): Promise<MisbehavingServer> {
  const server = await startMisbehavingServer(script);
  opened.push(server);
  return server;
}

/** A transport that never waits and records how long it would have waited. */
function open(
  baseUrl: string,
  options: Partial<TransportOptions> = {},
): Transport & { waits: number[]; events: AttemptEvent[] } {
  const waits: number[] = [];
  const events: AttemptEvent[] = [];
  const transport = createTransport({
    baseUrl,
    key,
    random: () => 1,
    sleep: async (ms) => void waits.push(ms),
    onAttempt: (event) => events.push(event),
    ...options,
  });
  opened.push(transport);
  return Object.assign(transport, { waits, events });
}

/** Timeouts that pass when the test says so. */
function heldLimits() {
  const running = new Set<() => void>();
  return {
    running,
    startLimit(_ms: number, expire: () => void) {
      running.add(expire);
      return () => void running.delete(expire);
    },
    pass() {
      for (const expire of [...running]) expire();
    },
  };
}

const failure = (call: Promise<unknown>) =>
  call.then(
    () => expect.unreachable('the call should have failed'),
    (error: unknown) => error,
  );

/** A server that documents the Idempotency-Key and follows the script for everything else. */
const documented = (script: readonly Behaviour[]): Script => {
  let index = 0;
  return ({ url }) =>
    url === '/api/v1/openapi.json'
      ? description
      : (script[index++] ?? (script.at(-1) as Behaviour));
};
const description = json(200, {
  paths: { '/cars': { post: { parameters: [{ name: 'Idempotency-Key', in: 'header' }] } } },
});
const car = { id: 'c1', make: 'Porsche', somethingNew: [1] };
const get = { method: 'GET', path: '/cars/c1', expect: 'record' } as const;
const post = {
  method: 'POST',
  path: '/cars',
  body: { make: 'Porsche' },
  expect: 'record',
} as const;

describe('a request', () => {
  test('carries the key, the query, the body and own headers, which replace none of the client', async () => {
    const server = await serve([
      record(car, { 'x-request-id': 'r1', 'idempotent-replayed': 'true' }),
    ]);
    const own = {
      'accept-language': 'de',
      'x-api-key': 'other',
      'content-type': 'text/plain',
      'idempotency-key': 'theirs',
    };
    const asked = { ...post, query: { a: 'x y' }, headers: own, idempotencyKey: 'ours' };
    expect(await open(`${server.url}/`).request(asked)).toEqual({
      status: 200,
      headers: expect.objectContaining({ 'x-request-id': 'r1' }),
      body: { data: car },
      requestId: 'r1',
      replayed: true,
    });
    expect(server.requests).toMatchObject([
      {
        method: 'POST',
        url: '/api/v1/cars?a=x+y',
        headers: {
          ...{ 'x-api-key': key, accept: 'application/json', 'content-type': 'application/json' },
          ...{ 'user-agent': 'car-storage', 'accept-language': 'de', 'idempotency-key': 'ours' },
        },
        body: '{"make":"Porsche"}',
      },
    ]);
  });

  test('has an Idempotency-Key of its own if it is a POST', async () => {
    const server = await serve([record(car)]);
    const transport = open(server.url);
    await transport.request(post);
    await transport.request(post);
    await transport.request({ ...post, method: 'PATCH' });
    const keys = server.requests.map(({ headers }) => headers['idempotency-key']);
    const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/);
    expect(keys).toEqual([uuid, uuid, undefined]);
    expect(keys[0]).not.toBe(keys[1]);
  });

  test('is reported without the key and the body', async () => {
    const server = await serve([
      problem(503, 'unavailable'),
      record(car, { 'x-request-id': 'r2' }),
    ]);
    const transport = open(server.url);
    await transport.request({ ...get, query: { q: 'x' } });
    const url = `${server.url}/api/v1/cars/c1?q=x`;
    const ms = expect.any(Number);
    const date = expect.stringMatching(/GMT$/);
    expect(transport.events).toEqual([
      {
        method: 'GET',
        url,
        attempt: 1,
        ms,
        status: 503,
        requestId: 'request-503',
        date,
        error: 'unavailable',
        retryInMs: 500,
      },
      { method: 'GET', url, attempt: 2, ms, status: 200, requestId: 'r2', date },
    ]);
    expect(JSON.stringify(transport.events)).not.toContain('secret');
  });

  test('needs a key that is a valid header, and the error does not contain the key', () => {
    const create = () => createTransport({ baseUrl: 'https://x.example', key: 'csk_secret\n' });
    expect(create).toThrow(
      expect.objectContaining({
        ...{ name: 'UsageError', code: 'invalid_key' },
        message: expect.stringMatching(/^the API key contains (?!.*secret)/),
      }),
    );
  });

  test('is not sent after the client was closed', async () => {
    const server = await serve([record(car)]);
    const transport = open(server.url);
    await transport.request(get);
    await transport.close();
    expect(await failure(transport.request(get))).toMatchObject({
      ...{ name: 'UsageError', code: 'closed', message: 'the client is closed' },
    });
    expect(server.requests).toHaveLength(1);
  });
});

test.each([
  [
    'with all its parts',
    { error: 'Year is wrong', code: 'validation_failed', details: { issues: [{ path: 'year' }] } },
    {
      message: 'Year is wrong',
      code: 'validation_failed',
      details: { issues: [{ path: 'year' }] },
    },
  ],
  [
    'without a message, which names the request',
    { error: ' ', code: 'bad', details: null },
    { message: expect.stringMatching(/^http:.* answered POST \/cars with 422 and no message$/) },
  ],
  ['without a code', { error: 'No' }, { message: 'No', code: 'http_422', details: null }],
])('an error in the shape of the interface, %s', async (_, body, expected) => {
  const server = await serve([json(422, body, { 'x-request-id': 'r1' })]);
  const error = await failure(open(server.url).request(post));
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({
    ...{ status: 422, requestId: 'r1', method: 'POST', path: '/cars', unknownOutcome: false },
    ...expected,
  });
});

describe('a request with a temporary failure', () => {
  test('is retried with increasing waits, and succeeds', async () => {
    const server = await serve([reset(), problem(500, 'internal_error'), html(502), record(car)]);
    const transport = open(server.url);
    expect((await transport.request(get)).body).toEqual({ data: car });
    expect(transport.waits).toEqual([500, 1000, 2000]);
  });

  test('waits for Retry-After, in seconds or until a date, and finally reports it', async () => {
    const server = await serve([
      problem(429, 'rate_limited', { 'retry-after': '7' }),
      problem(503, 'unavailable', { 'retry-after': 'Wed, 21 Oct 2026 07:28:30 GMT' }),
      html(429, { 'retry-after': '900' }),
      problem(429, 'rate_limited', { 'retry-after': '8' }),
    ]);
    const waits: number[] = [];
    let now = Date.UTC(2026, 9, 21, 7, 28, 0);
    const transport = open(server.url, {
      random: () => 0,
      now: () => now,
      async sleep(ms) {
        waits.push(ms);
        now += ms;
      },
    });
    expect(await failure(transport.request(get))).toMatchObject({ status: 429, retryAfter: 8 });
    // The second server names a date, 23 s later by then.
    expect(waits).toEqual([7_000, 23_000, 60_000]);
    expect(server.requests).toHaveLength(4);
  });

  test('is retried for as long as others with the key get through the limit', async () => {
    let left = 6;
    const server = await serve(({ url }) =>
      !url.endsWith('/locations') && left-- > 0 ? problem(429, 'rate_limited') : record(car),
    );
    let inside = false;
    const transport = open(server.url, {
      async sleep() {
        if (inside) return;
        inside = true;
        await transport.request({ method: 'GET', path: '/locations' });
        inside = false;
      },
    });
    expect((await transport.request(get)).body).toEqual({ data: car });
    expect(server.requests.filter(({ url }) => !url.endsWith('/locations'))).toHaveLength(7);
  });
});

test('work in bulk slows down where an answer says that the limit is near', async () => {
  const limit = (left: number) => ({
    ratelimit: `"requests";r=${left}`,
    'ratelimit-policy': '"requests";q=600;w=60',
  });
  const server = await serve([record(car, limit(10)), record(car, limit(9))]);
  const transport = open(server.url, { bulk: true, now: () => 1_000_000 });
  for (let sent = 0; sent < 4; sent += 1) await transport.request(get);
  expect(transport.waits).toEqual([125]);
});

describe('a POST whose outcome is unknown', () => {
  const unanswered = [reset(), problem(500, 'internal_error'), html(502)];

  test('is sent again, with the same key and body, where the description has the header; it is read once, without the API key', async () => {
    const server = await serve(documented([...unanswered, record(car), reset(), record(car)]));
    const transport = open(server.url);
    for (let count = 0; count < 2; count++)
      expect((await transport.request(post)).body).toEqual({ data: car });
    const sent = server.requests.map(({ method, headers, body }) =>
      method === 'POST' ? `${headers['idempotency-key']} ${body}` : headers['x-api-key'],
    );
    const [first, second] = [sent[0], sent.at(-1)];
    expect(sent).toEqual([first, undefined, first, first, first, second, second]);
    expect(second).not.toBe(first);
  });

  test('is reported elsewhere', async () => {
    for (const behaviour of unanswered) {
      const server = await serve(({ url }) =>
        url.endsWith('openapi.json') ? html(404) : behaviour,
      );
      expect(await failure(open(server.url).request(post))).toMatchObject({ unknownOutcome: true });
      expect(server.requests.map(({ url }) => url)).toEqual([
        '/api/v1/cars',
        '/api/v1/openapi.json',
      ]);
    }
  });

  test('requests the description again after a temporary failure', async () => {
    let [asked, posted] = [0, 0];
    const server = await serve(({ url }) => {
      if (url.endsWith('openapi.json')) return asked++ < 2 ? reset() : description;
      return posted++ < 2 ? problem(500, 'internal_error') : record(car);
    });
    const transport = open(server.url);
    const error = await failure(transport.request(post));
    expect(error).toMatchObject({ status: 500, unknownOutcome: true });
    expect((await transport.request(post)).status).toBe(200);
  });

  test.each([
    [
      'stays unknown if later attempts fail in another way',
      post,
      [reset(), problem(429, 'rate_limited')],
      { status: 429, unknownOutcome: true },
      true,
    ],
    [
      'is decided by a refusal of the same Idempotency-Key',
      post,
      [reset(), problem(422, 'parking_spot_occupied')],
      { code: 'parking_spot_occupied', unknownOutcome: false },
      true,
    ],
    [
      'of which no attempt may have been carried out needs no description',
      post,
      [problem(429, 'rate_limited'), problem(422, 'validation_failed')],
      { code: 'validation_failed', unknownOutcome: false },
      false,
    ],
    [
      'a DELETE that finds no record after a lost attempt may have deleted it',
      { method: 'DELETE', path: '/contacts/x' },
      [reset(), problem(404, 'not_found')],
      { status: 404, unknownOutcome: true },
      false,
    ],
  ] as const)('%s', async (_, request, script, error, readsDescription) => {
    const server = await serve(documented(script));
    expect(await failure(open(server.url).request(request))).toMatchObject(error);
    expect(server.requests.some(({ url }) => url.endsWith('openapi.json'))).toBe(readsDescription);
  });
});

describe('no answer', () => {
  test('connection refused: retried for a POST too, since no request was sent', async () => {
    const url = await deadUrl();
    const transport = open(url);
    const error = await failure(transport.request(post));
    expect(error).toBeInstanceOf(NetworkError);
    expect(error).toMatchObject({
      code: 'connection_failed',
      message: `couldn't reach ${url}: connection refused`,
      unknownOutcome: false,
      method: 'POST',
      path: '/cars',
    });
    expect(transport.waits).toHaveLength(3);
  });

  test.each([
    ['reset before the answer', reset()],
    ['cut off halfway', cutHalfway()],
  ])('%s', async (_, behaviour) => {
    const server = await serve([behaviour]);
    const transport = open(server.url);
    expect(await failure(transport.request(get))).toMatchObject({
      name: 'NetworkError',
      code: 'connection_lost',
      unknownOutcome: false,
    });
    expect(transport.waits).toHaveLength(3);
    const write = failure(open(server.url).request({ ...get, method: 'PATCH', body: {} }));
    expect(await write).toMatchObject({ code: 'connection_lost', unknownOutcome: true });
  });

  test.each([
    ['silence', silence()],
    ['silence halfway', stallHalfway()],
  ])('%s ends with the timeout of each attempt', async (_, behaviour) => {
    const { startLimit, pass } = heldLimits();
    const server = await serve([
      (response, request) => {
        behaviour(response, request);
        // Until then, a half has usually arrived.
        setTimeout(pass, 20);
      },
    ]);
    const transport = open(server.url, { startLimit, timeoutMs: 150, retries: 1 });
    expect(await failure(transport.request(get))).toMatchObject({
      name: 'NetworkError',
      code: 'timeout',
      message: `no complete answer from ${server.url} within 0.15 s`,
      unknownOutcome: false,
    });
    expect(server.requests).toHaveLength(2);
    expect(await failure(transport.request({ ...post, retries: 0 }))).toMatchObject({
      code: 'timeout',
      unknownOutcome: true,
    });
    const timed = open(server.url, { timeoutMs: 1, retries: 0 });
    expect(await failure(timed.request(get))).toMatchObject({ code: 'timeout' });
  });
});

describe('an abort', () => {
  test('ends an open call with the reason of the signal', async () => {
    const controller = new AbortController();
    // The answer that follows comes too late.
    const server = await serve([
      (response, request) => {
        controller.abort(new Error('enough'));
        record(car)(response, request);
      },
    ]);
    await expect(open(server.url).request({ ...get, signal: controller.signal })).rejects.toThrow(
      'enough',
    );
    expect(server.requests).toHaveLength(1);
  });

  test('ends a wait', async () => {
    const controller = new AbortController();
    const server = await serve([problem(429, 'rate_limited', { 'retry-after': '50' })]);
    const transport = open(server.url, {
      sleep: undefined,
      signal: controller.signal,
      onAttempt: () => setImmediate(() => controller.abort(new Error('enough'))),
    });
    await expect(transport.request(get)).rejects.toThrow('enough');
  });

  test('before the call sends no request', async () => {
    const server = await serve([record(car)]);
    await expect(
      open(server.url, { signal: AbortSignal.abort(new Error('enough')) }).request(get),
    ).rejects.toThrow('enough');
    expect(server.requests).toHaveLength(0);
  });
});

describe('an answer outside the interface', () => {
  test.each([
    [401, 'API key expired', 'api_key_expired'],
    [401, 'Unauthorized: API key revoked.', 'api_key_revoked'],
    [403, 'API is disabled for this team', 'api_disabled'],
    [403, 'Missing scope: write:cars', 'missing_scope'],
    [422, 'Missing scope: write:cars', 'E17'],
    [403, 'No', 'E17'],
  ])('%i %s has the code %s, whatever the code of the server', async (status, message, code) => {
    const server = await serve([json(status, { error: message, code: 'E17', details: null })]);
    expect(await failure(open(server.url).request({ method: 'GET', path: '/cars' }))).toMatchObject(
      { code, message },
    );
  });

  test.each([
    ['HTML', html(200), 'record', '200 and text/html instead of JSON'],
    ['HTML of a wrong address', html(404), 'record', '404 and text/html instead of JSON'],
    ['no content type', raw(200, '', '{}'), 'record', 'instead of JSON'],
    [
      'truncated JSON',
      raw(200, 'application/json', '{"data":{'),
      'record',
      'truncated or invalid JSON',
    ],
    [
      'invalid UTF-8',
      raw(200, 'application/json', Buffer.from('{"data":{"a":"\xff"}}', 'latin1')),
      'record',
      'truncated or invalid',
    ],
    ['an empty body', raw(200, 'application/json', ''), 'record', 'an empty body'],
    ['a bare list', json(200, []), 'list', "it isn't an object"],
    [
      'an error in another shape',
      json(422, { message: 'no'.repeat(99) }),
      'record',
      `422 and JSON without an error message, {"message":"${'no'.repeat(43)}n…. The specification has { error, code, details } (section 7)`,
    ],
  ] as const)('%s', async (_, behaviour, expected, message) => {
    const server = await serve([behaviour]);
    const transport = open(server.url);
    const error = await failure(
      transport.request({ method: 'GET', path: '/cars', expect: expected }),
    );
    expect(error).toBeInstanceOf(ProtocolError);
    expect(error).toMatchObject({
      code: 'unexpected_answer',
      unknownOutcome: false,
      method: 'GET',
      path: '/cars',
    });
    expect((error as Error).message).toContain(`${server.url} answered GET /cars with `);
    expect((error as Error).message).toContain(message);
    expect(server.requests).toHaveLength(1);
    if (message.includes('"data"') || message.includes('object'))
      expect((error as Error).message).toMatch(/The specification has .*\(section [48]\)/);
    expect(transport.waits).toEqual([]);
  });

  test('to a write: the outcome is unknown, except if the status excludes success', async () => {
    const unknown = [html(200), html(201), redirect(302, '/login'), redirect(303, '/'), html(500)];
    const answers = [...unknown, redirect(308, '/x'), html(404), html(401)];
    const transport = open((await serve(answers)).url, { retries: 0 });
    const outcomes = [];
    for (const _ of answers)
      outcomes.push(((await failure(transport.request(post))) as ProtocolError).unknownOutcome);
    expect(outcomes).toEqual(answers.map((answer) => unknown.includes(answer)));
  });

  test('is accepted with more fields, and of every shape without an expectation', async () => {
    const more = { data: car, more: 1 };
    const server = await serve([
      raw(200, 'application/hal+json; charset=utf-8', JSON.stringify(more)),
      json(200, [1, 2]),
      empty(204),
    ]);
    const transport = open(server.url);
    expect((await transport.request(get)).body).toEqual(more);
    expect((await transport.request({ method: 'GET', path: '/odd' })).body).toEqual([1, 2]);
    expect((await transport.request({ method: 'DELETE', path: '/odd' })).body).toBeNull();
  });
});

describe('the key', () => {
  test.each([302, 307])('is not sent to the target of a %i', async (status) => {
    const elsewhere = await serve([record(car)]);
    const server = await serve([redirect(status, `${elsewhere.url}/api/v1/cars/c1?token=hidden`)]);
    const error = await failure(open(server.url).request(get));
    expect(error).toMatchObject({ name: 'ProtocolError', status });
    expect((error as Error).message).toContain(
      `a redirect to ${elsewhere.url}/api/v1/cars/c1; redirects aren't followed`,
    );
    expect((error as Error).message).not.toContain('hidden');
    expect(elsewhere.requests).toEqual([]);
    expect(server.requests).toHaveLength(1);
  });

  test('does not leave this machine unencrypted', async () => {
    const transport = open('http://192.0.2.1:8787');
    expect(await failure(transport.request(get))).toMatchObject({
      ...{ name: 'NetworkError', code: 'unsafe_address', unknownOutcome: false },
      message: "http://192.0.2.1:8787 isn't encrypted, so the key wasn't sent",
    });
    expect(transport.events).toEqual([]);
  });

  test('is optional, and is not sent with an anonymous request or to a path outside the interface', async () => {
    const server = await serve([json(200, {})]);
    const asked = { method: 'GET', path: '/openapi.json' } as const;
    await open(server.url, { key: undefined }).request(asked);
    await open(server.url).request({ ...asked, anonymous: true });
    const outside = { method: 'GET', path: '/readyz', outsideInterface: true } as const;
    await open(`${server.url}/cars/api/v1`).request(outside);
    expect(server.requests.map(({ url, headers }) => [url, headers['x-api-key']])).toEqual([
      ['/api/v1/openapi.json', undefined],
      ['/api/v1/openapi.json', undefined],
      // Below the base address.
      ['/cars/readyz', undefined],
    ]);
  });
});

describe('a path outside the interface', () => {
  test('cannot lead to another server', async () => {
    const transport = open('http://127.0.0.1');
    for (const path of ['@example.com/readyz', '.example.com/readyz', ':1/readyz', ''])
      expect(
        await failure(transport.request({ method: 'GET', path, outsideInterface: true })),
      ).toMatchObject({
        ...{ code: 'invalid_path', message: `the path "${path}" doesn't start with a slash` },
      });
  });
});

describe('a stream of bytes', () => {
  const content = { method: 'GET', path: '/cars/c1/photos/p1/content' } as const;
  const photo = Buffer.alloc(300_000, 7);
  const read = async (body: AsyncIterable<Uint8Array>) => {
    const chunks = [];
    for await (const chunk of body) chunks.push(chunk);
    return Buffer.concat(chunks);
  };

  test('is returned with its type and size', async () => {
    const server = await serve([
      problem(503, 'unavailable'),
      raw(200, 'image/jpeg', photo, { 'content-length': '300000' }),
    ]);
    const answer = await open(server.url).stream(content);
    expect(answer).toMatchObject({ status: 200, contentType: 'image/jpeg', size: 300_000 });
    expect((await read(answer.body)).equals(photo)).toBe(true);
  });

  test('is an error from status 300 on, like every answer', async () => {
    const server = await serve([problem(300, 'several'), problem(300, 'several')]);
    const transport = open(server.url);
    for (const asked of [
      transport.stream(content),
      transport.request({ method: 'GET', path: '/cars' }),
    ])
      expect(await failure(asked)).toMatchObject({ status: 300 });
  });

  test('ends with an error when it is cut off', async () => {
    const server = await serve([cutHalfway()]);
    const { body } = await open(server.url).stream(content);
    expect(await failure(read(body))).toMatchObject({
      name: 'NetworkError',
      code: 'connection_lost',
    });
  });

  test('ends with an error when it stalls', async () => {
    const server = await serve([stallHalfway('image/jpeg')]);
    const { startLimit, running, pass } = heldLimits();
    const { body } = await open(server.url, { startLimit }).stream(content);
    const pieces = body[Symbol.asyncIterator]();
    await pieces.next();
    expect(running.size).toBe(0);
    const stalled = failure(pieces.next());
    await expect.poll(() => running.size).toBe(1);
    pass();
    expect(await stalled).toMatchObject({ name: 'NetworkError', code: 'timeout' });
  });

  test('ends with the reason of the signal', async () => {
    const controller = new AbortController();
    const server = await serve([stallHalfway('image/jpeg')]);
    const { body } = await open(server.url).stream({ ...content, signal: controller.signal });
    const reading = failure(read(body));
    controller.abort(new Error('enough'));
    expect(await reading).toMatchObject({ message: 'enough' });
  });
});

describe('a caller that confirms writes', () => {
  const post = { method: 'POST', path: '/cars', body: {} } as const;

  test('is asked once per write, also with retries, and never for a read', async () => {
    const server = await serve(documented([problem(503, 'unavailable'), record(car), record(car)]));
    const asked: object[] = [];
    const transport = open(server.url, { beforeWrite: (request) => void asked.push(request) });
    await transport.request(post);
    await transport.request({ method: 'GET', path: '/cars/c1' });
    expect(server.requests.filter(({ method }) => method === 'POST')).toHaveLength(2);
    expect(asked).toEqual([post]);
  });

  test('refuses a write: no request is sent, and its own error is thrown', async () => {
    const server = await serve([record(car)]);
    const no = new Error('not now');
    const transport = open(server.url, {
      async beforeWrite() {
        throw no;
      },
    });
    for (const method of ['POST', 'PATCH', 'DELETE'] as const) {
      expect(await failure(transport.request({ method, path: '/cars/c1' }))).toBe(no);
      expect(await failure(transport.stream({ method, path: '/cars/c1' }))).toBe(no);
    }
    expect(server.requests).toEqual([]);
    expect(transport.events).toEqual([]);
  });
});
