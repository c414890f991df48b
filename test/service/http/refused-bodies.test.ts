/** An answer that comes before the end of a body arrives, and then the connection is closed. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { fetch as undiciFetch } from 'undici';
import { describe, expect, test } from 'vitest';
import { base64Of, png } from '../../helpers/facility.ts';
import { startTestService, testService } from '../../helpers/service.ts';

const service = await testService();
const reader = await service.keyWith(['read:cars']);

const mebibyte = Buffer.alloc(1024 * 1024, 'x');
const size = 3;

const whole = () => Buffer.concat(Array.from({ length: size }, () => mebibyte));
/** Sent in chunks, without a length. */
const chunked = () =>
  new ReadableStream({
    async start(controller) {
      for (let sent = 0; sent < size; sent += 1) controller.enqueue(mebibyte);
      controller.close();
    },
  });

describe.each([
  ["Node's fetch", fetch],
  ['undici', undiciFetch as unknown as typeof fetch],
])('%s', (_name, request) => {
  describe.each([
    ['with Content-Length', whole],
    ['chunked', chunked],
  ])('%s', (_how, body) => {
    test.each([
      ['401', '/cars', '', 401, 'missing_api_key'],
      ['413', '/cars', service.key, 413, 'payload_too_large'],
    ])('%s: all of five answers arrive', async (_status, path, key, status, code) => {
      for (let round = 0; round < 5; round += 1) {
        const answer = await request(`${service.url}/api/v1${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...(key ? { 'x-api-key': key } : {}) },
          body: body(),
          duplex: 'half',
        } as RequestInit);
        expect({ status: answer.status, ...((await answer.json()) as object) }).toMatchObject({
          status,
          code,
        });
        expect(answer.headers.get('connection')).toBe('close');
      }
    });
  });
});

test.each([
  ['401', 'none', 'invalid_api_key'],
  ['403', reader, 'missing_scope'],
  ['413', service.key, 'payload_too_large'],
])(
  '%s: a caller who reads nothing before everything is written gets the answer',
  async (status, key, code) => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    const body = Buffer.alloc(16 * mebibyte.length, 'x');
    const head = `POST /api/v1/cars HTTP/1.1\r\nHost: x\r\nx-api-key: ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject).write(head);
      socket.write(body, (error) => (error ? reject(error) : resolve()));
    });
    const answer: Buffer[] = [];
    socket.on('data', (data) => answer.push(data));
    await once(socket, 'close');
    expect(Buffer.concat(answer).toString()).toMatch(
      new RegExp(`^HTTP/1\\.1 ${status} .*connection: close.*"code":"${code}"`, 'is'),
    );
  },
);

test('refusing a small body keeps the connection open', async () => {
  const answer = await fetch(`${service.url}/api/v1/cars`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  expect({ status: answer.status, connection: answer.headers.get('connection') }).toEqual({
    status: 401,
    connection: 'keep-alive',
  });
});

describe('bounds', () => {
  const head = (key: string) =>
    `POST /api/v1/cars HTTP/1.1\r\nHost: x\r\nx-api-key: ${key}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
  const chunk = `${mebibyte.length.toString(16)}\r\n${mebibyte}\r\n`;

  test('a body without end is cut after so many bytes', async () => {
    const bounded = await startTestService({
      drain: { bytes: 8 * mebibyte.length, ms: 3_600_000 },
    });
    const socket = connect(Number(new URL(bounded.url).port), '127.0.0.1');
    const answer: Buffer[] = [];
    let closed = false;
    socket
      .on('data', (data) => answer.push(data))
      .on('error', () => undefined)
      .on('close', () => {
        closed = true;
      });
    socket.write(head('none'));
    for (let sent = 0; !closed; sent += 1) {
      expect(sent).toBeLessThan(200);
      if (!socket.write(chunk))
        await Promise.race([once(socket, 'drain'), once(socket, 'close')]).catch(() => undefined);
    }
    expect(Buffer.concat(answer).toString()).toMatch(/^HTTP\/1\.1 401 .*"code":"invalid_api_key"/s);
    await bounded.close();
  });

  test('a stalled body is answered at once, and the connection closes after the time limit', async () => {
    const bounded = await startTestService({ drain: { bytes: Number.MAX_SAFE_INTEGER, ms: 1 } });
    const socket = connect(Number(new URL(bounded.url).port), '127.0.0.1');
    const answer: Buffer[] = [];
    socket.on('data', (data) => answer.push(data));
    socket.write(head('none') + chunk.slice(0, 10));
    await once(socket, 'close');
    expect(Buffer.concat(answer).toString()).toMatch(
      /^HTTP\/1\.1 401 .*connection: close.*"code":"invalid_api_key"/is,
    );
    await bounded.close();
  });
});

test('an accepted upload is answered as usual', async () => {
  const { body: car } = await service.call('POST', '/cars', {
    year: 1990,
    make: 'Saab',
    model: '900',
  });
  const answer = await service.call('POST', `/cars/${car.data.id}/photos`, {
    base64: base64Of(png(3)),
  });
  expect({ status: answer.status, connection: answer.headers.get('connection') }).toEqual({
    status: 201,
    connection: 'keep-alive',
  });
});
