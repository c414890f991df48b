/** A call, prepared for any number of tries. */
import type { Answer, Method, Operation } from '../contract/operations.ts';
import { type Address, pathBelow, type Query, urlOf, urlOutside } from './address.ts';
import type { AnswerContext } from './answers.ts';
import { encodeBody } from './body.ts';
import { UsageError } from './errors.ts';
import { unsafeAddressError } from './failures.ts';
import {
  type CallOptions,
  defaultRetries,
  defaultTimeoutMs,
  type TransportOptions,
} from './options.ts';

export interface TransportRequest extends CallOptions {
  method: Method;
  /** The path below `/api/v1`, such as `/cars`. */
  path: string;
  /** `path` is outside the interface, such as `/readyz`. Sent without the key. */
  outsideInterface?: boolean;
  query?: Query;
  /** A query that is sent unchanged; `query` wins over it. */
  search?: string;
  /** Sent as JSON; bytes in one of its fields as base64. */
  body?: unknown;
  /** The required shape of a success (default: any JSON). */
  expect?: Answer;
  /** The id that the answer's record must have. */
  recordId?: string;
  /** The fields of a write, which the answer's record must not contradict. */
  sent?: Readonly<Record<string, unknown>>;
  /** The operation of the interface, to name it where the server lacks it, and to know the rate limit of uploads. */
  operation?: Pick<Operation, 'path' | 'source' | 'resource' | 'upload'>;
  /** Sent without the key. */
  anonymous?: boolean;
  /** Additional headers, with names in lower case; the client's own (key, content type, Idempotency-Key) win. */
  headers?: Readonly<Record<string, string>>;
}

export interface PreparedRequest extends AnswerContext {
  method: Method;
  headers: Record<string, string>;
  body: string | Uint8Array | undefined;
  /** The rate limit that it counts for; undefined without the key. */
  limit: 'requests' | 'uploads' | undefined;
  timeoutMs: number;
  retries: number;
  /** The signals of the call and of the client. */
  signals: readonly AbortSignal[];
}

/**
 * @throws UsageError `invalid_path`
 * @throws NetworkError `unsafe_address`
 */
export function prepare(
  request: TransportRequest,
  options: TransportOptions,
  address: Address,
): PreparedRequest {
  const { method, expect } = request;
  const path = pathBelow(request.path);
  const url = request.outsideInterface
    ? urlOutside(address, path)
    : urlOf(address, request.path, request.query, request.search);
  const key = request.anonymous || request.outsideInterface ? undefined : options.key;
  if (key && !address.encrypted && !address.loopback && !options.allowInsecureHttp) {
    throw unsafeAddressError(address.origin, { method, path });
  }
  return {
    method,
    path,
    url,
    expect,
    recordId: request.recordId,
    sent: request.sent,
    operation: request.operation,
    maxAnswerBytes: options.maxAnswerBytes ?? 32 * 1024 * 1024,
    maxStreamBytes: options.maxStreamBytes ?? 1024 * 1024 * 1024,
    now: options.now ?? Date.now,
    headers: {
      accept: expect === 'bytes' ? '*/*' : 'application/json',
      'user-agent': options.userAgent ?? 'car-storage',
      ...request.headers,
      ...(key && { 'x-api-key': key }),
      ...(request.body !== undefined && { 'content-type': 'application/json' }),
      ...(method === 'POST' && {
        'idempotency-key': request.idempotencyKey ?? crypto.randomUUID(),
      }),
    },
    body: request.body === undefined ? undefined : encodeBody(request.body),
    limit: key === undefined ? undefined : request.operation?.upload ? 'uploads' : 'requests',
    timeoutMs: request.timeoutMs ?? options.timeoutMs ?? defaultTimeoutMs,
    retries: request.retries ?? options.retries ?? defaultRetries,
    signals: [request.signal, options.signal].filter((signal) => signal !== undefined),
  };
}

/** @throws UsageError `invalid_key`, without the key: messages end up in logs */
export function requireSendableKey(key: string | undefined): void {
  if (key && !/^[\x21-\x7e]+$/.test(key)) {
    throw new UsageError(
      'the API key contains a space, a line break or another invalid character',
      { code: 'invalid_key' },
    );
  }
}
