/** Sends every request: one loop of tries with their waits, and the callbacks. */
import type { Answer, Method, Operation } from '../contract/operations.ts';
import { abilitiesIn, allPages, hasOperation } from './abilities.ts';
import { parseAddress, pathBelow, type Query, urlOf, urlOutside } from './address.ts';
import {
  type AnswerContext,
  type BytesAnswer,
  header,
  type JsonAnswer,
  readBytes,
  readJson,
} from './answers.ts';
import { encodeBody } from './body.ts';
import type { WireAnswer } from './connection.ts';
import { ApiError, CarStorageError, UsageError } from './errors.ts';
import { connectionError, timeoutError, unsafeAddressError } from './failures.ts';
import {
  type CallOptions,
  defaultRetries,
  defaultTimeoutMs,
  type ServerWarning,
  type TransportOptions,
} from './options.ts';
import { createLocalPaces, createPacer, type Pacer, parseLimits, type Turn } from './pacing.ts';
import { openConnection } from './platform.ts';
import { delayAfter, mayRetry, rulesOutEarlierTry } from './retry.ts';

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
  /** The operation of the interface, to name it where the server lacks it, and to check the record of a write. */
  operation?: Pick<Operation, 'path' | 'source' | 'resource' | 'upload'>;
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
  readonly method: Method;
  readonly headers: Record<string, string>;
  readonly body: string | Uint8Array | undefined;
  /** The rate limit that it counts for; undefined without the key. */
  readonly limit: 'requests' | 'uploads' | undefined;
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
  const { abilities, key } = options;
  // The message has no key: messages end up in logs.
  if (key && !/^[\x21-\x7e]+$/.test(key))
    throw new UsageError(
      'the API key contains a space, a line break or another invalid character',
      { code: 'invalid_key' },
    );
  const { random = Math.random, sleep = wait, startLimit = startTimer, now = Date.now } = options;
  const { bulk = false, paceStore: store = createLocalPaces() } = options;
  const pacers = {
    requests: createPacer('requests', { store, bulk, now }),
    uploads: createPacer('uploads', { store, bulk, now }),
  };
  const connection = openConnection({ address, ca: options.ca, env: options.env ?? {} });
  let promises = abilities?.promisesLists;
  let preconditions = abilities?.preconditions ?? [];
  let knowsKeys: Promise<boolean> | undefined;
  let closed = false;

  /** @throws UsageError `invalid_path`, NetworkError `unsafe_address` */
  function prepare(request: TransportRequest): Prepared {
    const { method, expect, recordId, operation, body } = request;
    const path = pathBelow(request.path);
    const url = request.outsideInterface
      ? urlOutside(address, path)
      : urlOf(address, request.path, request.query, request.search);
    const sentKey = request.anonymous || request.outsideInterface ? undefined : key;
    if (sentKey && !address.encrypted && !address.loopback && !options.allowInsecureHttp)
      throw unsafeAddressError(address.origin, { method, path });
    const onNotShown = (fields: readonly string[]) =>
      warn({
        kind: 'not_shown',
        fields,
        message: `the answer to ${method} ${path} doesn't show ${fields.join(', ')} as sent`,
      });
    return {
      ...{ method, path, url, expect, recordId, operation, sent: body, now, onNotShown },
      hasOperation:
        operation && abilities && hasOperation(abilities, { method, path: operation.path }),
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
      body: body === undefined ? undefined : encodeBody(body),
      limit: sentKey === undefined ? undefined : operation?.upload ? 'uploads' : 'requests',
      timeoutMs: request.timeoutMs ?? options.timeoutMs ?? defaultTimeoutMs,
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
    if (prepared.method === 'GET') return send(prepared, read);
    const { method, path } = prepared;
    const write = { method, path, body: request.body, resource: request.operation?.resource.name };
    await options.beforeWrite?.(write);
    // A call that was cancelled before its start leaves nothing uncertain.
    for (const signal of prepared.signals) signal.throwIfAborted();
    const answer = await send(prepared, read).catch(async (error: unknown) => {
      await options.afterWrite?.({ ...write, error });
      throw error;
    });
    await options.afterWrite?.({ ...write, answer });
    return answer;
  }

  async function send<T>(prepared: Prepared, read: Read<T>): Promise<T> {
    const { method, signals } = prepared;
    const pacer = prepared.limit && pacers[prepared.limit];
    let failures = 0;
    let passes = pacer?.passes;
    let turn = await pacer?.turn();
    for (let number = 1; ; number++) {
      if (pacer && turn) await awaitTurn(pacer, turn, signals);
      for (const signal of signals) signal.throwIfAborted();
      const [started, startedAt] = [performance.now(), now()];
      const { answer, ...outcome } = await attempt(prepared, read);
      if (answer) learn(answer, prepared);
      const ms = Math.round(performance.now() - started);
      const failed =
        'error' in outcome && outcome.error instanceof CarStorageError ? outcome.error : undefined;
      const limits =
        answer && parseLimits(header(answer, 'ratelimit'), header(answer, 'ratelimit-policy'));
      const refused = pacer !== undefined && answer?.status === 429;
      if (answer && !refused) pacer?.passed(limits);
      // While others get through, waiting helps: such a refusal doesn't count.
      if (!refused || passes === pacer.passes) failures += 1;
      passes = pacer?.passes;
      const again =
        failed !== undefined &&
        prepared.retries > 0 &&
        failures <= prepared.retries &&
        (await shouldRetry(method, failed));
      const retryAfter =
        failed && 'retryAfter' in failed ? (failed.retryAfter as number) : undefined;
      const delay = again ? delayAfter(Math.max(1, failures), { retryAfter, random }) : undefined;
      if (refused && delay !== undefined)
        await pacer.refused({ wait: delay, started: startedAt, state: limits });
      turn = refused && again ? await pacer.turn() : undefined;
      const retryInMs = turn?.wait ?? delay;
      options.onAttempt?.({
        ...{ method, url: prepared.url.href, attempt: number, ms },
        ...(answer && {
          status: answer.status,
          requestId: header(answer, 'x-request-id'),
          date: dateOf(answer),
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
      if (!turn) await pause(retryInMs, signals);
    }
  }

  /** Sends once and reads the answer. Returns a failure: an error of the client, or the reason of a signal. */
  async function attempt<T>(request: Prepared, read: Read<T>): Promise<Outcome<T>> {
    const clock = new AbortController();
    const stopLimit = startLimit(request.timeoutMs, () => clock.abort());
    const { signals } = request;
    const signal = signals.length > 0 ? AbortSignal.any([clock.signal, ...signals]) : clock.signal;
    // The timeout of a byte stream ends with its headers.
    const silenceMs = request.expect === 'bytes' ? request.timeoutMs : 0;
    let answer: WireAnswer | undefined;
    let reached = false;
    try {
      const sent = await connection.send({ ...request, signal, silenceMs });
      reached = 'answer' in sent || sent.reached;
      if ('error' in sent) throw sent.error;
      answer = sent.answer;
      return { value: await read(answer, request), answer };
    } catch (cause) {
      if (cause instanceof CarStorageError) return { error: cause, answer };
      if (clock.signal.aborted && !request.signals.some((one) => one.aborted))
        return { error: timeoutError({ ...request, ...connection, reached }), answer };
      return { error: interruption(request, cause, reached), answer };
    } finally {
      stopLimit();
    }
  }

  /** The error for a broken connection, or the signal's reason if the caller aborted. */
  function interruption(request: Prepared, cause: unknown, reached: boolean): unknown {
    const stopped = request.signals.find((one) => one.aborted);
    return stopped
      ? stopped.reason
      : connectionError({ ...request, ...connection, reached, cause });
  }

  /** What every answer tells of the server. */
  function learn(answer: WireAnswer, { expect }: Prepared): void {
    const known = header(answer, 'accept-preconditions');
    if (known !== undefined) preconditions = known.toLowerCase().split(/[\s,]+/);
    if (expect === 'list' && answer.status === 200)
      promises = header(answer, 'total-of') === allPages;
  }

  /** Waits for a turn, and for another one if the server refuses somebody meanwhile. */
  async function awaitTurn(pacer: Pacer, given: Turn, signals: readonly AbortSignal[]) {
    let turn: Turn | undefined = given;
    while (turn && turn.wait > 0) {
      await pause(turn.wait, signals);
      turn = (await pacer.isOutdated(turn)) ? await pacer.turn() : undefined;
    }
  }

  async function shouldRetry(method: string, error: CarStorageError): Promise<boolean> {
    const answer = mayRetry(method, error);
    return answer === 'yes' || (answer === 'if_idempotent' && (await knowsIdempotencyKeys()));
  }

  /** From what is known of the server, or its interface description, which is read for the first POST that failed. */
  async function knowsIdempotencyKeys(): Promise<boolean> {
    if (abilities) return abilities.idempotencyKeys;
    // It only decides about a retry, so its timeout is short.
    const timeoutMs = Math.min(options.timeoutMs ?? defaultTimeoutMs, 10_000);
    const asked = {
      method: 'GET',
      path: '/openapi.json',
      anonymous: true,
      retries: 1,
      timeoutMs,
    } as const;
    knowsKeys ??= call(asked, readJson).then(
      ({ body }) => abilitiesIn(body).idempotencyKeys,
      (error: unknown) => {
        const isTemporary = !(error instanceof CarStorageError) || mayRetry('GET', error) !== 'no';
        if (isTemporary) knowsKeys = undefined;
        return false;
      },
    );
    return knowsKeys;
  }

  const warn = (warning: ServerWarning) => options.onWarning?.(warning);

  async function pause(ms: number, signals: readonly AbortSignal[]): Promise<void> {
    const signal = AbortSignal.any([...signals]);
    await sleep(ms, signal).catch((error) => {
      signal.throwIfAborted();
      throw error;
    });
  }

  async function* translateErrors(body: AsyncIterable<Uint8Array>, request: Prepared) {
    try {
      yield* body;
    } catch (cause) {
      throw cause instanceof CarStorageError ? cause : interruption(request, cause, true);
    }
  }

  return {
    baseUrl: address.baseUrl,
    request: (request) => call(request, readJson),
    stream: (request) =>
      call({ ...request, expect: 'bytes' }, async (answer, prepared) => {
        const bytes = await readBytes(answer, prepared);
        return { ...bytes, body: translateErrors(bytes.body, prepared) };
      }),
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

/** Undefined in an answer that a cache kept: its date is of the past. */
const dateOf = (answer: WireAnswer) =>
  Number(header(answer, 'age') ?? 0) > 0 ? undefined : header(answer, 'date');

async function wait(ms: number, signal?: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  const stop = () => reject(signal?.reason);
  signal?.addEventListener('abort', stop, { once: true });
  try {
    signal?.throwIfAborted();
    await promise;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}

function startTimer(ms: number, expire: () => void): () => void {
  const timer = setTimeout(expire, ms);
  return () => clearTimeout(timer);
}
