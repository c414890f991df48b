/**
 * One class per reaction of a caller. All of them are `CarStorageError`s; a call throws nothing else but the reason of an abort
 * signal, or a bug of this library.
 */

interface Facts {
  code: string;
  unknownOutcome?: boolean;
  cause?: unknown;
}

/** The base of every error of the client. `code` is for programs, `message` for people. */
export class CarStorageError extends Error {
  override readonly name: string = 'CarStorageError';
  declare readonly code: string;
  /**
   * Whether a write may have been carried out without an answer, by this try or an earlier one of the same call.
   * Check the records before you repeat it. Always false for reads.
   */
  declare unknownOutcome: boolean;

  constructor(message: string, { cause, ...facts }: Facts) {
    super(message, cause === undefined ? undefined : { cause });
    Object.assign(this, { unknownOutcome: false }, facts);
  }
}

export type UsageErrorCode =
  | 'invalid_base_url'
  | 'invalid_key'
  | 'invalid_ca'
  | 'invalid_proxy'
  | 'invalid_path'
  | 'closed';

/** Unusable input; nothing was sent. A retry can't help. */
export class UsageError extends CarStorageError {
  override readonly name = 'UsageError';
  declare readonly code: UsageErrorCode;

  constructor(message: string, facts: Facts & { code: UsageErrorCode }) {
    super(message, facts);
  }
}

export interface ErrorPlace {
  method: string;
  /** The path below `/api/v1`, without the query. */
  path: string;
}

interface Answered extends Facts, ErrorPlace {
  status: number;
  requestId?: string | undefined;
  retryAfter?: number | undefined;
}

/**
 * The server understood the request and refused it, or failed, in the error shape of the interface (specification, section 7).
 * Act on `status` (stated by the specification) or `code` (whose values each server chooses); `details` explains.
 */
export class ApiError extends CarStorageError {
  override readonly name = 'ApiError';
  declare readonly status: number;
  declare readonly details: unknown;
  declare readonly requestId: string | undefined;
  declare readonly method: string;
  declare readonly path: string;
  /** The wait that the server asked for, in seconds. */
  declare readonly retryAfter: number | undefined;

  constructor(message: string, facts: Answered & { details: unknown }) {
    super(message, facts);
  }
}

/**
 * `connection_failed`: no connection, so nothing was sent. `connection_lost`: it broke after the request was started.
 * `timeout`: no complete answer in time. `tls_failed`: the server's certificate isn't trusted, or only one side uses TLS.
 * `unsafe_address`: the key would be sent unencrypted, so nothing was sent.
 */
export type NetworkErrorCode =
  | 'connection_failed'
  | 'connection_lost'
  | 'timeout'
  | 'tls_failed'
  | 'unsafe_address';

/** No answer. Check the address, the network and the service; with `unknownOutcome`, check the records before you repeat a write. */
export class NetworkError extends CarStorageError {
  override readonly name = 'NetworkError';
  declare readonly code: NetworkErrorCode;
  declare readonly method: string;
  declare readonly path: string;
  /** The proxy of the request, without a password. */
  declare readonly proxy: string | undefined;

  constructor(
    message: string,
    facts: Facts & ErrorPlace & { code: NetworkErrorCode; proxy?: string | undefined },
  ) {
    super(message, facts);
  }
}

/**
 * `answer_too_large`: above `maxAnswerBytes` or `maxStreamBytes`; the rest wasn't read. `filter_ignored`: no record shows what a filter
 * compares, so nothing tells which records meet it.
 * `operation_missing`: the server doesn't have the operation, which the specification leaves open. `unexpected_answer`: any other.
 */
export type ProtocolErrorCode =
  | 'unexpected_answer'
  | 'operation_missing'
  | 'answer_too_large'
  | 'filter_ignored';

/**
 * The answer isn't one of this interface: HTML, a redirect, truncated JSON or JSON of another shape, or too many bytes.
 * Usually the base address is wrong, or a proxy or sign-in page answered.
 */
export class ProtocolError extends CarStorageError {
  override readonly name = 'ProtocolError';
  declare readonly code: ProtocolErrorCode;
  declare readonly status: number;
  declare readonly contentType: string | undefined;
  declare readonly requestId: string | undefined;
  declare readonly method: string;
  declare readonly path: string;
  /** Seconds that the server asked to wait. */
  declare readonly retryAfter: number | undefined;
  /** Whether the answer to a write has a record, and not the one that was sent. */
  declare readonly contradicts: boolean;

  constructor(
    message: string,
    facts: Omit<Answered, 'code'> & {
      code?: ProtocolErrorCode | undefined;
      contentType?: string | undefined;
      contradicts?: boolean | undefined;
    },
  ) {
    super(message, { contradicts: false, ...facts, code: facts.code ?? 'unexpected_answer' });
  }
}

/** A list changed faster than it could be read, or its pages contradict each other. Read it again later. */
export class UnsteadyListError extends CarStorageError {
  override readonly name = 'UnsteadyListError';

  constructor(message: string) {
    super(message, { code: 'unsteady_list' });
  }
}
