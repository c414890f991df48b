import { describe, expect, test } from 'vitest';
import {
  ApiError,
  NetworkError,
  type NetworkErrorCode,
  ProtocolError,
  UsageError,
} from '../../src/client/errors.ts';
import {
  delayAfter,
  isAmbiguous,
  mayRetry,
  parseRetryAfter,
  rulesOutEarlierTry,
} from '../../src/client/retry.ts';

const answered = (method: string, status: number, retryAfter?: number) =>
  new ApiError('no', {
    method,
    path: '/cars',
    status,
    code: 'x',
    details: null,
    retryAfter,
    unknownOutcome: method !== 'GET' && isAmbiguous(status, retryAfter),
  });
const broken = (method: string, code: NetworkErrorCode, unknownOutcome: boolean) =>
  new NetworkError('no', {
    method,
    path: '/cars',
    code,
    unknownOutcome: method !== 'GET' && unknownOutcome,
  });

describe('mayRetry', () => {
  /** The verdicts for them. */
  const methods = ['GET', 'PATCH', 'DELETE', 'POST'] as const;
  test.each([
    [[400, 401, 403, 404, 405, 409, 413, 422, 501, 507], 'no', 'no', 'no', 'no'],
    [[408, 500, 502, 503, 504], 'yes', 'yes', 'yes', 'if_idempotent'],
    [[429], 'yes', 'yes', 'yes', 'yes'],
  ])('%j', (statuses, ...verdicts) => {
    for (const status of statuses)
      expect([
        status,
        ...methods.map((method) => mayRetry(method, answered(method, status))),
      ]).toEqual([status, ...verdicts]);
  });

  test.each([501, 507])('%i means that nothing was stored', (status) => {
    expect(isAmbiguous(status, undefined)).toBe(false);
  });

  test('a 503 with Retry-After means that the request was refused', () => {
    expect(mayRetry('POST', answered('POST', 503, 5))).toBe('yes');
  });

  test.each([
    ['connection_failed', false, 'yes', 'yes', 'yes', 'yes'],
    ['connection_lost', true, 'yes', 'yes', 'yes', 'if_idempotent'],
    ['timeout', true, 'yes', 'yes', 'yes', 'if_idempotent'],
    ['timeout', false, 'yes', 'yes', 'yes', 'yes'],
    ['tls_failed', false, 'no', 'no', 'no', 'no'],
    ['unsafe_address', false, 'no', 'no', 'no', 'no'],
  ] as const)('%s, with unknown outcome: %s', (code, unknownOutcome, ...verdicts) => {
    expect(methods.map((method) => mayRetry(method, broken(method, code, unknownOutcome)))).toEqual(
      verdicts,
    );
  });

  test('an answer without the error shape is judged by its status', () => {
    const page = { method: 'GET', path: '/cars', unknownOutcome: false };
    expect(mayRetry('GET', new ProtocolError('html', { ...page, status: 502 }))).toBe('yes');
    expect(mayRetry('GET', new ProtocolError('html', { ...page, status: 200 }))).toBe('no');
  });

  test('a usage error is never retried', () => {
    expect(mayRetry('GET', new UsageError('no', { code: 'closed' }))).toBe('no');
  });
});

test('a refusal decides the outcome of an earlier POST, if the server checked its Idempotency-Key', () => {
  const settling = [401, 403, 404, 408, 409, 422, 429, 500].filter((status) =>
    rulesOutEarlierTry('POST', status),
  );
  expect(settling).toEqual([404, 409, 422]);
  expect(rulesOutEarlierTry('DELETE', 404)).toBe(false);
});

describe('delayAfter', () => {
  test('is random up to a limit that doubles', () => {
    const most = [1, 2, 3, 4, 5, 6, 20].map((attempt) => delayAfter(attempt, { random: () => 1 }));
    expect(most).toEqual([500, 1000, 2000, 4000, 8000, 8000, 8000]);
    expect(delayAfter(5, { random: () => 0 })).toBe(0);
    expect(delayAfter(2, { random: () => 0.25 })).toBe(250);
  });

  test("is at least the server's Retry-After, up to a minute", () => {
    expect(delayAfter(1, { retryAfter: 7, random: () => 0 })).toBe(7_000);
    expect(delayAfter(1, { retryAfter: 7, random: () => 1 })).toBe(7_500);
    expect(delayAfter(1, { retryAfter: 3600, random: () => 0 })).toBe(60_000);
    expect(delayAfter(3, { retryAfter: 0, random: () => 0 })).toBe(0);
  });
});

test.each([
  ['0', 0],
  ['12', 12],
  [' 3 ', 3],
  ['Wed, 21 Oct 2026 07:28:30 GMT', 30],
  ['Wed, 21 Oct 2026 07:27:00 GMT', 0],
  ['-5', undefined],
  ['1.5', undefined],
  ['soon', undefined],
  ['2026-10-21', undefined],
  ['', undefined],
  [undefined, undefined],
])('parseRetryAfter %j', (header, seconds) => {
  expect(parseRetryAfter(header, Date.UTC(2026, 9, 21, 7, 28, 0))).toBe(seconds);
});
