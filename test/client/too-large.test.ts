/** Oversized and endless answers: an error, a closed connection, and no reading beyond the limit. */

import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { NetworkError, ProtocolError } from '../../src/client/errors.ts';
import type { TransportOptions } from '../../src/client/options.ts';
import { createTransport } from '../../src/client/transport.ts';
import {
  endless,
  raw,
  type Script,
  startMisbehavingServer,
} from '../helpers/misbehaving-server.ts';

const opened: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

const bound = 1_000_000;
/** Data in flight when the limit is reached: the buffers of both sides. */
const inFlight = 8_000_000;

function open(baseUrl: string, options: Partial<TransportOptions> = {}) {
  const transport = createTransport({
    baseUrl,
    key: 'csk_a.b',
    sleep: async () => {},
    maxAnswerBytes: bound,
    maxStreamBytes: bound,
    ...options,
  });
  opened.push(transport);
  return transport;
}

async function serve(script: Script) {
  const server = await startMisbehavingServer(script);
  opened.push(server);
  return server;
}

const failure = (call: Promise<unknown>) =>
  call.then(
    () => expect.unreachable('the call should have failed'),
    (error: unknown) => error as ProtocolError,
  );

const json = { 'content-type': 'application/json' };
const spaces = ' '.repeat(65_536);
const numbers = '1,'.repeat(32_768);

describe('endless JSON', () => {
  test.each([
    ['a list', 200, json, '{"data":[', numbers],
    ['another content type', 200, { 'content-type': 'text/html' }, '<html>', spaces],
    ['a refusal', 422, json, '{"error":"', spaces],
    ['with a wrong Content-Length', 200, { ...json, 'content-length': '99999999999' }, '{', spaces],
  ])('%s', async (_, status, headers, begin, filling) => {
    const answer = endless(status, headers, begin, filling);
    const server = await serve([answer.behaviour]);
    const error = await failure(
      open(server.url).request({ method: 'GET', path: '/cars', expect: 'list' }),
    );
    expect(error).toBeInstanceOf(ProtocolError);
    expect(error).toMatchObject({ code: 'answer_too_large', status, unknownOutcome: false });
    expect(error.message).toBe(
      `${server.url} answered GET /cars with ${status} and more than ${bound} bytes`,
    );
    expect(await answer.closed).toBeLessThan(bound + inFlight);
    // No retry, whatever the status.
    expect(server.requests).toHaveLength(1);
  });

  test('after a write has an unknown outcome', async () => {
    const answer = endless(201, json, '{', spaces);
    const server = await serve([answer.behaviour]);
    const error = await failure(
      open(server.url).request({ method: 'POST', path: '/cars', body: {} }),
    );
    expect(error).toMatchObject({ code: 'answer_too_large', unknownOutcome: true });
    await answer.closed;
  });

  test('of a redirect is not read', async () => {
    const answer = endless(302, { location: '/elsewhere' }, 'x', spaces);
    const server = await serve([answer.behaviour]);
    const error = await failure(open(server.url).request({ method: 'GET', path: '/cars' }));
    expect(error).toMatchObject({ code: 'unexpected_answer', status: 302 });
    expect(await answer.closed).toBeLessThan(inFlight);
  });
});

test('an answer of exactly the limit is read, one more byte is not', async () => {
  const body = JSON.stringify({ data: {} });
  const server = await serve(() => raw(200, 'application/json', body));
  const asked = { method: 'GET', path: '/cars', expect: 'record' } as const;
  expect((await open(server.url, { maxAnswerBytes: body.length }).request(asked)).body).toEqual({
    data: {},
  });
  expect(
    await failure(open(server.url, { maxAnswerBytes: body.length - 1 }).request(asked)),
  ).toMatchObject({ code: 'answer_too_large' });
});

describe('endless bytes', () => {
  test('are returned up to the limit, and end with the error', async () => {
    const answer = endless(200, { 'content-type': 'image/png' }, 'x', spaces);
    const server = await serve([answer.behaviour]);
    const { body } = await open(server.url).stream({ method: 'GET', path: '/assets/1/content' });
    let size = 0;
    const reading = (async () => {
      for await (const piece of body) size += piece.length;
    })();
    expect(await failure(reading)).toMatchObject({
      code: 'answer_too_large',
      path: '/assets/1/content',
    });
    expect(size).toBeLessThanOrEqual(bound);
    expect(await answer.closed).toBeLessThan(bound + inFlight);
  });

  test('of an error answer have the limit of JSON', async () => {
    const answer = endless(500, json, '{"error":"', spaces);
    const server = await serve([answer.behaviour]);
    const transport = open(server.url, { maxStreamBytes: Number.MAX_SAFE_INTEGER });
    expect(
      await failure(transport.stream({ method: 'GET', path: '/assets/1/content' })),
    ).toMatchObject({ code: 'answer_too_large' });
    expect(await answer.closed).toBeLessThan(bound + inFlight);
  });
});

test('endless headers are an error of their own', async () => {
  const closed = Promise.withResolvers<number>();
  const server = createServer((socket) => {
    socket.on('error', () => {}).on('close', () => closed.resolve(socket.bytesWritten));
    const more = () => {
      while (!socket.destroyed && socket.write(`x-more: ${'x'.repeat(1_000)}\r\n`));
    };
    socket.once('data', () => {
      socket.on('drain', more).write('HTTP/1.1 200 OK\r\n');
      more();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  opened.push({ close: async () => void server.close() });
  const { port } = server.address() as { port: number };
  const error = await failure(
    open(`http://127.0.0.1:${port}`, { retries: 0 }).request({ method: 'GET', path: '/cars' }),
  );
  expect(error).toBeInstanceOf(NetworkError);
  expect(error.message).toContain('Headers Overflow');
  expect(await closed.promise).toBeLessThan(inFlight);
});
