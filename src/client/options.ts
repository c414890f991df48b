/** What a client is made with, and what a single call can change. */
import type { BytesAnswer, JsonAnswer } from './answers.ts';

export interface CallOptions {
  /** Ends the call; it throws the reason of the signal. */
  signal?: AbortSignal;
  /** Milliseconds for each try; what the client was made with unless given. */
  timeoutMs?: number;
  /** How often a request that failed in passing is sent again; what the client was made with unless given. */
  retries?: number;
  /** Sent with a POST, so that a repeat is recognised; made by the client unless given. The same for every try of the call. */
  idempotencyKey?: string;
}

export interface TransportOptions {
  /** Where the service is, such as `https://cars.example.com`; what follows, from `/api/v1` on, is added. */
  baseUrl: string;
  /** The team's API key. Without one only what needs none can be asked. */
  key?: string;
  /** Milliseconds for each try, until the last byte of the answer; for a stream of bytes, without any byte. 30,000 unless given. */
  timeoutMs?: number;
  /** How often a request that failed in passing is sent again. 3 unless given. */
  retries?: number;
  /** Bytes that an answer in JSON may have; a larger one is a ProtocolError `answer_too_large`. 32 MiB (default). */
  maxAnswerBytes?: number;
  /** Bytes that a photo, an asset or another stream of bytes may have; a larger one ends with the same error. 1 GiB (default). */
  maxStreamBytes?: number;
  /** Sends the key over plain http to other machines, too, where everyone on the way can read it. */
  allowInsecureHttp?: boolean;
  /** Certificates, as PEM, that are trusted beside the usual ones. */
  ca?: string;
  userAgent?: string;
  /** Where HTTP_PROXY, HTTPS_PROXY and NO_PROXY are looked up, such as `process.env`. No proxies unless given. */
  env?: Readonly<Record<string, string | undefined>>;
  /** Told of every try when it is over. Holds neither the key nor a body. */
  onAttempt?: (event: AttemptEvent) => void;
  /**
   * Asked before anything of a write (all but GET) is sent, once for a call and not for each try. What it throws the call throws, and
   * nothing is sent. For programs that let only some writes through, or ask a person.
   */
  beforeWrite?: (request: WriteRequest) => void | Promise<void>;
  /** Told what came of a write, once for a call and not for each try. The call waits for it, and throws what it throws. */
  afterWrite?: (result: WriteResult) => void | Promise<void>;
  /** Ends every call. */
  signal?: AbortSignal;
  /** Waits between tries; for tests. */
  sleep?: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Starts the time limit of a try, and answers what stops it; for tests. */
  startLimit?: (ms: number, expire: () => void) => () => void;
  /** From 0 to 1; for tests. */
  random?: () => number;
  /** Milliseconds since 1970; for tests. */
  now?: () => number;
}

export interface WriteRequest {
  method: string;
  /** Below `/api/v1`. */
  path: string;
  body?: unknown;
}

/** `error`: why there is no answer that says it was carried out. */
export type WriteResult = WriteRequest & ({ answer: JsonAnswer | BytesAnswer } | { error: unknown });

export interface AttemptEvent {
  method: string;
  url: string;
  /** From 1. */
  attempt: number;
  /** How long it took. */
  ms: number;
  status?: number;
  requestId?: string;
  /** What the server's clock said, as its Date header. */
  date?: string;
  /** Code of the error that it ended with. */
  error?: string;
  /** Milliseconds until the next try, when there is one. */
  retryInMs?: number;
}
