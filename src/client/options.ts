/** Options of a client and of a single call. */
import type { Abilities } from './abilities.ts';
import type { BytesAnswer, JsonAnswer } from './answers.ts';

export const defaultTimeoutMs = 30_000;
export const defaultRetries = 3;

export interface CallOptions {
  /** Cancels the call, which then throws the signal's reason. */
  signal?: AbortSignal;
  /** Milliseconds for each try (default: the client's). */
  timeoutMs?: number;
  /** Number of retries after a temporary failure (default: the client's). */
  retries?: number;
  /** Sent with a POST, so that the server recognises a repeat (default: a new key). The same for every try of the call. */
  idempotencyKey?: string;
}

export interface ListOptions extends CallOptions {
  /**
   * Who looks for the words of a search (`q`) on a server that doesn't promise to (default: the client). With `caller` every record that
   * meets the other filters arrives: for a caller that compares them in its own way.
   */
  words?: 'caller';
  /** Reads a whole list again that was read within the last minute, to compare it here (default: false). */
  fresh?: boolean;
}

export interface TransportOptions {
  /** The address of the service, such as `https://cars.example.com`; `/api/v1` and the rest are added. */
  baseUrl: string;
  /** The team's API key. Without it only requests that need no key work. */
  key?: string;
  /** What is known of the server, from `readAbilities` (default: nothing; the client asks for what it needs). */
  abilities?: Abilities;
  /** Milliseconds for each try, until the answer's last byte; for a byte stream, between two bytes (default: 30,000). */
  timeoutMs?: number;
  /** Number of retries after a temporary failure (default: 3). */
  retries?: number;
  /** The size limit of a JSON answer in bytes; above it: ProtocolError `answer_too_large` (default: 32 MiB). */
  maxAnswerBytes?: number;
  /** The size limit of a photo, asset or other byte stream, with the same error above it (default: 1 GiB). */
  maxStreamBytes?: number;
  /** Sends the key over plain http to other machines too, readable on the way. */
  allowInsecureHttp?: boolean;
  /** Additional trusted certificates, as PEM. */
  ca?: string;
  userAgent?: string;
  /** The environment with HTTP_PROXY, HTTPS_PROXY and NO_PROXY, such as `process.env` (default: no proxies). */
  env?: Readonly<Record<string, string | undefined>>;
  /** Called after every try. The event contains neither the key nor a body. */
  onAttempt?: (event: AttemptEvent) => void;
  /**
   * Called once before a write (any method but GET) is sent, not for each try. If it throws, the call throws the same and sends
   * nothing. For programs that allow only some writes, or ask a person.
   */
  beforeWrite?: (request: WriteRequest) => void | Promise<void>;
  /** Called once with the result of a write, not for each try. The call awaits it, and throws what it throws. */
  afterWrite?: (result: WriteResult) => void | Promise<void>;
  /** Called for what the server doesn't tell or promise, and that the client goes on without. */
  onWarning?: (warning: ServerWarning) => void;
  /** Work in bulk: near the rate limit of the key it leaves room for other clients (default: false). */
  bulk?: boolean;
  /** Cancels every call. */
  signal?: AbortSignal;
  /** Waits between tries; for tests. */
  sleep?: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Starts the timeout of a try and returns a function that stops it; for tests. */
  startLimit?: (ms: number, expire: () => void) => () => void;
  /** From 0 to 1; for tests. */
  random?: () => number;
  /** Milliseconds since 1970, also to tell what is open now (default: the clock). */
  now?: () => number;
}

/**
 * `whole_list`: more than 10 pages are read, since the server doesn't promise to apply filters. `not_shown`: the answer of a write doesn't
 * show these `fields` that were sent, or shows them otherwise.
 */
export interface ServerWarning {
  readonly kind: 'whole_list' | 'not_shown';
  readonly message: string;
  readonly fields?: readonly string[];
}

export interface WriteRequest {
  method: string;
  /** The path below `/api/v1`. */
  path: string;
  body?: unknown;
  /** The resource, such as `cars`. Absent for a request that isn't a call of a resource. */
  resource?: string;
}

/** `error`: why no answer confirms the write. */
export type WriteResult = WriteRequest &
  ({ answer: JsonAnswer | BytesAnswer } | { error: unknown });

export interface AttemptEvent {
  method: string;
  url: string;
  /** Counted from 1. */
  attempt: number;
  /** Duration. */
  ms: number;
  status?: number;
  requestId?: string;
  /** The server's Date header. */
  date?: string;
  /** The code of the error, if it failed. */
  error?: string;
  /** Milliseconds until the next try, if any. */
  retryInMs?: number;
}
