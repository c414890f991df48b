import { expect, test } from 'vitest';
import { connectionError, timeoutError } from '../../src/client/failures.ts';

const failed = (code: string, reached = false, method = 'POST') =>
  connectionError({
    origin: 'https://cars.example.com',
    method,
    path: '/cars',
    reached,
    proxy: undefined,
    cause: Object.assign(new Error('raw words'), { code }),
  });

const away = "couldn't reach https://cars.example.com";
const unsafe = 'no secure connection to https://cars.example.com';
test.each([
  ['ECONNREFUSED', 'connection_failed', `${away}: connection refused`],
  ['ENOTFOUND', 'connection_failed', `${away}: no such host`],
  ['EAI_AGAIN', 'connection_failed', `${away}: no DNS server answers`],
  ['EHOSTUNREACH', 'connection_failed', `${away}: the host is unreachable`],
  ['ENETUNREACH', 'connection_failed', `${away}: the network is unreachable`],
  ['EPIPE', 'connection_failed', `${away}: connection closed`],
  ['ECONNRESET', 'connection_failed', `${away}: connection reset`],
  ['EODD', 'connection_failed', `${away}: raw words`],
  ['UND_ERR_CONNECT_TIMEOUT', 'timeout', `${away}: no connection in time`],
  ['ETIMEDOUT', 'timeout', `${away}: no connection in time`],
  ['EPROTO', 'tls_failed', `${unsafe}: raw words`],
  ['CERT_HAS_EXPIRED', 'tls_failed', `${unsafe}: raw words`],
  [
    'ERR_SSL_WRONG_VERSION_NUMBER',
    'tls_failed',
    `${unsafe}: the server doesn't use TLS on this port`,
  ],
])('%s before the request was sent', (system, code, message) => {
  expect(failed(system)).toMatchObject({
    ...{ code, message, unknownOutcome: false, cause: { code: system } },
  });
});

test.each([
  ['ECONNRESET', 'connection_lost', 'connection reset'],
  ['UND_ERR_SOCKET', 'connection_lost', 'closed by the other side'],
  ['HPE_INVALID_CONSTANT', 'connection_lost', "the answer isn't HTTP"],
])('%s after sending began', (system, code, reason) => {
  expect(failed(system, true)).toMatchObject({
    code,
    unknownOutcome: true,
    message: `the connection to https://cars.example.com broke before the answer was complete: ${reason}`,
  });
  expect(failed(system, true, 'GET')).toMatchObject({ code, unknownOutcome: false });
});

test('the cause may be wrapped', () => {
  const wrapped = new Error('outer', {
    cause: Object.assign(new Error('inner'), { code: 'ECONNREFUSED' }),
  });
  const error = connectionError({
    origin: 'http://x',
    method: 'GET',
    path: '/',
    reached: false,
    proxy: 'http://p:1',
    cause: wrapped,
  });
  expect(error.message).toBe(
    "couldn't reach http://x through the proxy http://p:1: connection refused",
  );
});

test.each([
  [false, 'no connection to http://x within 1.5 s'],
  [true, 'no complete answer from http://x within 1.5 s'],
])('no answer in time, reached: %s', (reached, message) => {
  const place = { origin: 'http://x', method: 'POST', path: '/', proxy: undefined };
  expect(timeoutError({ ...place, reached, timeoutMs: 1_500 })).toMatchObject({
    ...{ code: 'timeout', message, unknownOutcome: reached },
  });
});
