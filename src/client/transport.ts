/** Sends every request: one loop of tries with their waits, and the callbacks. */
import type { Method } from '../contract/operations.ts';
import { abilitiesIn, allPages } from './abilities.ts';
import { parseAddress, pathBelow, type Query, urlOf, urlOutside } from './address.ts';
import {
  type AnswerContext,
  type BytesAnswer,
  header,
  type JsonAnswer,
  readBytes,
  readJson,
} from './answers.ts';
import { type Asked, isObject } from './check-answer.ts';
import type { WireAnswer } from './connection.ts';
import { ApiError, CarStorageError, NetworkError, UsageError } from './errors.ts';
import { connectionError, timeoutError } from './failures.ts';
import {
  type CallOptions,
  defaultRetries,
  defaultTimeoutMs,
  type ServerWarning,
  type TransportOptions,
} from './options.ts';
import { Pace, parseLimits } from './pacing.ts';
import { openConnection, toBase64 } from './platform.ts';
import { delayAfter, mayRetry, rulesOutEarlierTry } from './retry.ts';

export interface TransportRequest extends CallOptions, Asked {
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
  /** Sent without the key. */
  anonymous?: boolean;
  /** Additional headers, with names in lower case; the client's own (key, content type, Idempotency-Key) win. */
  headers?: Readonly<Record<string, string>>;
}

export interface Transport {
  /** Without `/api/v1` and without a final slash. */
  readonly baseUrl: string;
  /**
   * Sends a request and reads its JSON.
   * @throws ApiError, NetworkError, ProtocolError, UsageError, or the reason of the signal
   */
  request(request: TransportRequest): Promise<JsonAnswer>;
  /** Sends a request and streams its answer. A failure while streaming is a NetworkError without a retry. */
  stream(request: TransportRequest): Promise<BytesAnswer>;
  /** Whether the server's lists have every record that meets the parameters. Undefined before the first list, unless it was given. */
  promisesLists(): boolean | undefined;
  /** Whether the server has said that it knows this precondition, such as `If-Parked-In`. False before its first answer, unless it was given. */
  knowsPrecondition(header: string): boolean;
  /** Whether a repeated POST stores nothing twice: the server announces the Idempotency-Key in its interface description. */
  knowsIdempotencyKeys(): Promise<boolean>;
  /** Milliseconds since 1970. */
  now(): number;
  /** Tells the program through `onWarning`. */
  warn(warning: ServerWarning): void;
  /** Closes every connection; running calls fail. */
  close(): Promise<void>;
}

/** A call, prepared for any number of tries. */
interface Prepared extends AnswerContext {
  readonly headers: Record<string, string>;
  /** The body. */
  readonly text: string | Uint8Array<ArrayBuffer> | undefined;
  /** Of the rate limit that it counts for; undefined without the key. */
  readonly pace: Pace | undefined;
  readonly timeoutMs: number;
  readonly retries: number;
  /** The signals of the call and of the client. */
  readonly signals: readonly AbortSignal[];
}

type Read<T> = (answer: WireAnswer, request: Prepared) => Promise<T>;
/** `answer` is set when its headers arrive. */
type Outcome<T> = { value: T; answer: WireAnswer } | { error: unknown; answer?: WireAnswer };

/** @throws UsageError for an unusable address or key */
export function createTransport(options: TransportOptions): Transport {
  const address = parseAddress(options.baseUrl);
  const { abilities, key, bulk = false, now = Date.now, random = Math.random } = options;
  const { sleep = wait, startLimit = startTimer, timeoutMs = defaultTimeoutMs } = options;
  // The message has no key: messages end up in logs.
  if (key && !/^[\x21-\x7e]+$/.test(key))
    throw new UsageError(
      'the API key contains a space, a line break or another invalid character',
      { code: 'invalid_key' },
    );
  const paces = { requests: new Pace({ bulk, now }), uploads: new Pace({ bulk, now }) };
  const connection = openConnection({ address, ca: options.ca, env: options.env ?? {} });
  let promises = abilities?.promisesLists;
  let preconditions = abilities?.preconditions ?? [];
  let described: Promise<JsonAnswer | undefined> | undefined;
  let closed = false;

  /** @throws UsageError `invalid_path`, NetworkError `unsafe_address` */
  function prepare(request: TransportRequest): Prepared {
    const { method, expect, operation, body } = request;
    const path = pathBelow(request.path);
    const url = request.outsideInterface
      ? urlOutside(address, path)
      : urlOf(address, request.path, request.query, request.search);
    const sentKey = request.anonymous || request.outsideInterface ? undefined : key;
    if (sentKey && !address.encrypted && !address.loopback && !options.allowInsecureHttp)
      throw new NetworkError(`${address.origin} isn't encrypted, so the key wasn't sent`, {
        method,
        path,
        code: 'unsafe_address',
      });
    const onNotShown = (fields: readonly string[]) =>
      warn({
        kind: 'not_shown',
        fields,
        message: `the answer to ${method} ${path} doesn't show ${fields.join(', ')} as sent`,
      });
    return {
      ...request,
      path,
      url,
      now,
      onNotShown,
      maxAnswerBytes: options.maxAnswerBytes ?? 32 * 1024 * 1024,
      maxStreamBytes: options.maxStreamBytes ?? 1024 * 1024 * 1024,
      headers: {
        accept: expect === 'bytes' ? '*/*' : 'application/json',
        'user-agent': options.userAgent ?? 'car-storage',
        ...request.headers,
        ...(sentKey && { 'x-api-key': sentKey }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(method === 'POST' && {
          'idempotency-key': request.idempotencyKey ?? crypto.randomUUID(),
        }),
      },
      text: body === undefined ? undefined : encode(body),
      pace: sentKey === undefined ? undefined : paces[operation?.upload ? 'uploads' : 'requests'],
      timeoutMs: request.timeoutMs ?? timeoutMs,
      retries: request.retries ?? options.retries ?? defaultRetries,
      signals: [request.signal, options.signal].filter((signal) => signal !== undefined),
    };
  }

  async function call<T extends JsonAnswer | BytesAnswer>(
    request: TransportRequest,
    read: Read<T>,
  ): Promise<T> {
    if (closed) throw new UsageError('the client is closed', { code: 'closed' });
    const prepared = prepare(request);
    const { method, path, body, signals } = prepared;
    if (method === 'GET') return send(prepared, read);
    const write = { method, path, body, resource: request.operation?.resource.name };
    await options.beforeWrite?.(write);
    // A call that was cancelled before its start leaves nothing uncertain.
    for (const signal of signals) signal.throwIfAborted();
    const answer = await send(prepared, read).catch(async (error: unknown) => {
      await options.afterWrite?.({ ...write, error });
      throw error;
    });
    await options.afterWrite?.({ ...write, answer });
    return answer;
  }

  async function send<T>(prepared: Prepared, read: Read<T>): Promise<T> {
    const { method, pace, retries, signals } = prepared;
    let failures = 0;
    let passes = pace?.passes;
    for (let attempt = 1; ; attempt++) {
      if (pace) await awaitTurn(pace, signals);
      for (const signal of signals) signal.throwIfAborted();
      const startedAt = performance.now();
      const outcome = await tryOnce(prepared, read);
      const ms = Math.round(performance.now() - startedAt);
      const { answer } = outcome;
      if (answer) learn(answer, prepared);
      const failed =
        'error' in outcome && outcome.error instanceof CarStorageError ? outcome.error : undefined;
      const limits =
        answer && parseLimits(header(answer, 'ratelimit'), header(answer, 'ratelimit-policy'));
      const refusedBy = answer?.status === 429 ? pace : undefined;
      if (answer && !refusedBy) pace?.passed(limits);
      const again = failed && failures < retries && (await isRetried(method, failed));
      // While others get through, waiting helps: such a refusal doesn't count.
      if (!refusedBy || passes === refusedBy.passes) failures += 1;
      passes = pace?.passes;
      const { retryAfter } = { ...failed } as { retryAfter?: number };
      const retryInMs = again ? delayAfter(failures || 1, { retryAfter, random }) : undefined;
      options.onAttempt?.({
        method,
        url: prepared.url.href,
        attempt,
        ms,
        ...(answer && {
          status: answer.status,
          requestId: header(answer, 'x-request-id'),
          date: header(answer, 'date'),
        }),
        ...(failed && { error: failed.code }),
        ...(retryInMs !== undefined && { retryInMs }),
      });
      if ('value' in outcome) return outcome.value;
      if (failed === undefined) throw outcome.error;
      if (retryInMs === undefined) {
        const ruledOut = failed instanceof ApiError && rulesOutEarlierTry(method, failed.status);
        failed.unknownOutcome ||= prepared.maybeCarriedOut === true && !ruledOut;
        throw failed;
      }
      prepared.maybeCarriedOut ||= failed.unknownOutcome;
      if (refusedBy) refusedBy.refused(retryInMs, limits);
      else await pause(retryInMs, signals);
    }
  }

  /** Sends once and reads the answer. Returns a failure: an error of the client, or the reason of a signal. */
  async function tryOnce<T>(request: Prepared, read: Read<T>): Promise<Outcome<T>> {
    const { timeoutMs, signals, method, path } = request;
    const clock = new AbortController();
    let reached = false;
    let stopLimit = () => {};
    const restart = () => {
      stopLimit();
      stopLimit = startLimit(timeoutMs, () => clock.abort());
    };

    function explain(cause: unknown): unknown {
      if (cause instanceof CarStorageError) return cause;
      const stopped = signals.find((one) => one.aborted);
      if (stopped) return stopped.reason;
      const failure = { ...connection, method, path, reached };
      return clock.signal.aborted
        ? timeoutError({ ...failure, timeoutMs })
        : connectionError({ ...failure, cause });
    }

    /** The timeout of a byte stream is that between two pieces, while the caller waits for one. */
    async function* timed(body: AsyncIterable<Uint8Array>) {
      try {
        restart();
        for await (const piece of body) {
          stopLimit();
          yield piece;
          restart();
        }
      } catch (cause) {
        throw explain(cause);
      } finally {
        stopLimit();
      }
    }

    let answer: WireAnswer | undefined;
    restart();
    try {
      const { url, headers, text: body, expect } = request;
      const signal = AbortSignal.any([clock.signal, ...signals]);
      const onStart = () => {
        reached = true;
      };
      answer = await connection.send({ method, url, headers, body, signal, onStart });
      if (expect === 'bytes') answer = { ...answer, body: timed(answer.body) };
      return { value: await read(answer, request), answer };
    } catch (cause) {
      const error = explain(cause);
      // Frees the connection of an answer that nobody reads.
      clock.abort();
      return { error, answer };
    } finally {
      stopLimit();
    }
  }

  /** What every answer tells of the server. */
  function learn(answer: WireAnswer, { expect }: Prepared): void {
    const known = header(answer, 'accept-preconditions');
    if (known !== undefined) preconditions = known.toLowerCase().split(/[\s,]+/);
    const isPromised = header(answer, 'total-of') === allPages;
    if (isPromised || (expect === 'list' && answer.status === 200)) promises = isPromised;
  }

  /** Waits for a turn, and longer if the server refuses another request meanwhile. */
  async function awaitTurn(pace: Pace, signals: readonly AbortSignal[]): Promise<void> {
    for (let start = pace.turn(); ; start = pace.closedUntil) {
      if (start > now()) await pause(start - now(), signals);
      if (pace.closedUntil <= start) return;
    }
  }

  async function isRetried(method: string, error: CarStorageError): Promise<boolean> {
    const answer = mayRetry(method, error);
    return answer === 'yes' || (answer === 'if_idempotent' && (await knowsIdempotencyKeys()));
  }

  /** From what is known of the server, or its interface description, which is read for the first POST that failed. */
  async function knowsIdempotencyKeys(): Promise<boolean> {
    if (abilities) return abilities.idempotencyKeys;
    const asked = { method: 'GET', path: '/openapi.json', anonymous: true, retries: 1 } as const;
    // It only decides about a retry, so its timeout is short.
    const limit = Math.min(timeoutMs, 10_000);
    described ??= call({ ...asked, timeoutMs: limit }, readJson).catch(
      () => (described = undefined),
    );
    return abilitiesIn((await described)?.body).idempotencyKeys;
  }

  const warn = (warning: ServerWarning) => options.onWarning?.(warning);

  const pause = (ms: number, signals: readonly AbortSignal[]) =>
    sleep(ms, AbortSignal.any([...signals]));

  return {
    baseUrl: address.baseUrl,
    request: (request) => call(request, readJson),
    stream: (request) => call({ ...request, expect: 'bytes' }, readBytes),
    promisesLists: () => promises,
    knowsPrecondition: (name) => preconditions.includes(name.toLowerCase()),
    knowsIdempotencyKeys,
    now,
    warn,
    async close() {
      closed = true;
      await connection.close();
    },
  };
}

/** A multiple of 3, so that the base64 of the pieces is that of the whole. */
const pieceSize = 0x6000;

/** Bytes become base64 piece by piece: as texts, the photos on their way would fill the heap. */
function encode(body: unknown): string | Uint8Array<ArrayBuffer> {
  const fields = Object.entries(isObject(body) ? body : {});
  const [field] = fields.filter(([, value]) => value instanceof Uint8Array);
  if (!field) return JSON.stringify(body);
  const [name, bytes] = field as [string, Uint8Array];
  const others = Object.fromEntries(fields.filter(([other]) => other !== name));
  const texts = JSON.stringify(others).slice(1, -1);
  const [head, tail] = [`{${texts}${texts && ','}${JSON.stringify(name)}:"`, '"}'];
  const utf8 = new TextEncoder();
  const start = utf8.encode(head);
  const encoded = new Uint8Array(start.length + Math.ceil(bytes.length / 3) * 4 + tail.length);
  encoded.set(start);
  let at = start.length;
  for (let from = 0; from < bytes.length; from += pieceSize) {
    const text = toBase64(bytes.subarray(from, from + pieceSize));
    at += utf8.encodeInto(text, encoded.subarray(at)).written;
  }
  utf8.encodeInto(tail, encoded.subarray(at));
  return encoded;
}

function wait(ms: number, signal?: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  const stop = () => reject(signal?.reason);
  if (signal?.aborted) stop();
  signal?.addEventListener('abort', stop, { once: true });
  return promise.finally(() => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  });
}

function startTimer(ms: number, expire: () => void): () => void {
  const timer = setTimeout(expire, ms);
  return () => clearTimeout(timer);
}
