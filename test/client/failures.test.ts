import { expect, test } from 'vitest';
import { connectionError } from '../../src/client/failures.ts';

const failed = (code: string, reached = false, method = 'POST') =>
  connectionError({
    origin: 'https://cars.example.com',
    method,
    path: '/cars',
    reached,
    proxy: undefined,
    cause: Object.assign(new Error('raw words'), { code }),
  });

test.each([
  [
    'ECONNREFUSED',
    'connection_failed',
    "couldn't reach https://cars.example.com: connection refused",
  ],
  ['ENOTFOUND', 'connection_failed', "couldn't reach https://cars.example.com: no such host"],
  [
    'EAI_AGAIN',
    'connection_failed',
    "couldn't reach https://cars.example.com: no DNS server answers",
  ],
  [
    'EHOSTUNREACH',
    'connection_failed',
    "couldn't reach https://cars.example.com: the host is unreachable",
  ],
  [
    'ENETUNREACH',
    'connection_failed',
    "couldn't reach https://cars.example.com: the network is unreachable",
  ],
  ['EPROTO', 'tls_failed', 'no secure connection to https://cars.example.com: raw words'],
  ['EPIPE', 'connection_failed', "couldn't reach https://cars.example.com: connection closed"],
  ['ECONNRESET', 'connection_failed', "couldn't reach https://cars.example.com: connection reset"],
  [
    'UND_ERR_CONNECT_TIMEOUT',
    'timeout',
    "couldn't reach https://cars.example.com: no connection in time",
  ],
  ['ETIMEDOUT', 'timeout', "couldn't reach https://cars.example.com: no connection in time"],
  ['CERT_HAS_EXPIRED', 'tls_failed', 'no secure connection to https://cars.example.com: raw words'],
  [
    'ERR_SSL_WRONG_VERSION_NUMBER',
    'tls_failed',
    "no secure connection to https://cars.example.com: the server doesn't use TLS on this port",
  ],
  ['EODD', 'connection_failed', "couldn't reach https://cars.example.com: raw words"],
])('%s before the request was sent', (system, code, message) => {
  expect(failed(system)).toMatchObject({
    code,
    message,
    unknownOutcome: false,
    cause: { code: system },
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
    message: expect.stringContaining(reason),
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
