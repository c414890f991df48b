/** Sends every request: retries, waits, and callbacks. */
import { parseAddress } from './address.ts';
import {
  type BytesAnswer,
  dateOf,
  type JsonAnswer,
  limitsOf,
  preconditionsOf,
  readBytes,
  readJson,
  requestIdOf,
} from './answers.ts';
import type { Connection, WireAnswer } from './connection.ts';
import { documentsIdempotencyKey } from './description.ts';
import { ApiError, CarStorageError, UsageError } from './errors.ts';
import { connectionError, timeoutError } from './failures.ts';
import { withNumberIds } from './ids.ts';
import type { ServerWarning, TransportOptions } from './options.ts';
import { createLocalPaces, createPacer, type Pacer, type Turn } from './pacing.ts';
import { openConnection } from './platform.ts';
import { readAfterLostDelete, readAfterWrite } from './read-after-write.ts';
import {
  type PreparedRequest,
  prepare,
  requireSendableKey,
  type TransportRequest,
} from './requests.ts';
import {
  delayAfter,
  mayBeCarriedOut,
  mayRetry,
  retryAfterOf,
  rulesOutEarlierTry,
} from './retry.ts';

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
  /**
   * Whether the server has said in an answer that it knows this precondition, such as `If-Parked-In` (`Accept-Preconditions`). False
   * before the first answer.
   */
  knowsPrecondition(header: string): boolean;
  /**
   * Whether the server's interface description documents an Idempotency-Key for a POST on a path (below `/api/v1`), so that a repeat with
   * the same key stores nothing twice. False where the description can't be read.
   */
  documentsIdempotencyKey(path: string): Promise<boolean>;
  /** Milliseconds since 1970. */
  now(): number;
  /** Tells the program through `onWarning`. */
  warn(warning: ServerWarning): void;
  /** Closes every connection; running calls fail. */
  close(): Promise<void>;
}

/** @throws UsageError for an unusable address or key */
export function createTransport(options: TransportOptions): Transport {
  const address = parseAddress(options.baseUrl);
  requireSendableKey(options.key);
  const {
    random = Math.random,
    sleep = wait,
    startLimit = startTimer,
    onAttempt,
    now = Date.now,
  } = options;
  const { bulk = false, paceStore: store = createLocalPaces() } = options;
  const pacers = {
    requests: createPacer('requests', { store, bulk, now }),
    uploads: createPacer('uploads', { store, bulk, now }),
  };
  const connection = openConnection({ address, ca: options.ca, env: options.env ?? {} });
  let description: Promise<JsonAnswer | undefined> | undefined;
  let numberIds = false;
  let preconditions = '';
  let closed = false;

  async function call<T extends JsonAnswer | BytesAnswer>(
    request: TransportRequest,
    read: Read<T>,
    { finish = (answer) => answer, recover = (error) => Promise.reject(error) }: Ending<T> = {},
  ): Promise<T> {
    if (closed) throw new UsageError('the client is closed', { code: 'closed' });
    const prepared = prepare(
      numberIds ? { ...request, body: withNumberIds(request.body) } : request,
      options,
      address,
    );
    if (prepared.method === 'GET') return send(prepared, read);
    const write = {
      method: prepared.method,
      path: prepared.path,
      body: request.body,
      resource: request.operation?.resource.name,
    };
    await options.beforeWrite?.(write);
    // A call that was cancelled before its start leaves nothing uncertain.
    for (const signal of prepared.signals) signal.throwIfAborted();
    const answer = await send(prepared, read)
      .then(finish, recover)
      .catch(async (error: unknown) => {
        await options.afterWrite?.({ ...write, error });
        throw error;
      });
    await options.afterWrite?.({ ...write, answer });
    return answer;
  }

  async function send<T>(prepared: PreparedRequest, read: Read<T>): Promise<T> {
    const pacer = prepared.limit && pacers[prepared.limit];
    let failures = 0;
    let passes = pacer?.passes;
    let turn = await pacer?.turn();
    for (let number = 1; ; number++) {
      if (pacer && turn) await awaitTurn(pacer, turn, prepared.signals);
      for (const signal of prepared.signals) signal.throwIfAborted();
      const [started, startedAt] = [performance.now(), now()];
      const { answer, ...outcome } = await attempt(connection, prepared, { read, startLimit });
      if (answer) preconditions = preconditionsOf(answer) ?? preconditions;
      const ms = Math.round(performance.now() - started);
      const failed =
        'error' in outcome && outcome.error instanceof CarStorageError ? outcome.error : undefined;
      const limits = answer && limitsOf(answer);
      const refused = pacer !== undefined && answer?.status === 429;
      if (answer && !refused) pacer?.passed(limits);
      // While others get through, waiting helps: such a refusal doesn't count.
      if (!refused || passes === pacer.passes) failures += 1;
      passes = pacer?.passes;
      const again =
        failed !== undefined &&
        prepared.retries > 0 &&
        failures <= prepared.retries &&
        (await shouldRetry(prepared, failed));
      const wait = again
        ? delayAfter(Math.max(1, failures), { retryAfter: retryAfterOf(failed), random })
        : undefined;
      if (refused && wait !== undefined)
        await pacer.refused({ wait, started: startedAt, state: limits });
      turn = refused && again ? await pacer.turn() : undefined;
      const retryInMs = turn?.wait ?? wait;
      onAttempt?.({
        method: prepared.method,
        url: prepared.url.href,
        attempt: number,
        ms,
        ...(answer && {
          status: answer.status,
          requestId: requestIdOf(answer),
          date: dateOf(answer),
        }),
        ...(failed && { error: failed.code }),
        ...(retryInMs !== undefined && { retryInMs }),
      });
      if ('value' in outcome) return outcome.value;
      if (failed === undefined) throw outcome.error;
      if (retryInMs === undefined) {
        const ruledOut =
          failed instanceof ApiError && rulesOutEarlierTry(prepared.method, failed.status);
        failed.unknownOutcome ||= prepared.maybeCarriedOut === true && !ruledOut;
        throw failed;
      }
      prepared.maybeCarriedOut ||= mayBeCarriedOut(prepared.method, failed);
      if (!turn) await pause(retryInMs, prepared.signals);
    }
  }

  /** Waits for a turn, and for another one if the server refuses somebody meanwhile. */
  async function awaitTurn(
    pacer: Pacer,
    given: Turn,
    signals: readonly AbortSignal[],
  ): Promise<void> {
    for (
      let turn: Turn | undefined = given;
      turn;
      turn = (await pacer.isOutdated(turn)) ? await pacer.turn() : undefined
    ) {
      if (turn.wait === 0) return;
      await pause(turn.wait, signals);
    }
  }

  async function shouldRetry(request: PreparedRequest, error: CarStorageError): Promise<boolean> {
    const answer = mayRetry(request.method, error);
    return (
      answer === 'yes' ||
      (answer === 'if_idempotent' && documentsIdempotencyKey(await describe(request), request.path))
    );
  }

  /** The interface description, fetched on first use; undefined if unavailable. */
  async function describe({ timeoutMs, signals }: PreparedRequest): Promise<unknown> {
    description ??= call(
      {
        method: 'GET',
        path: '/openapi.json',
        anonymous: true,
        // It only decides about a retry, so its timeout is short.
        timeoutMs: Math.min(timeoutMs, 10_000),
        retries: 1,
        signal: AbortSignal.any([...signals]),
      },
      readJson,
    );
    try {
      return (await description)?.body;
    } catch (error) {
      const temporary = !(error instanceof CarStorageError) || mayRetry('GET', error) !== 'no';
      description = temporary ? undefined : Promise.resolve(undefined);
      return undefined;
    }
  }

  const warn = (warning: ServerWarning) => options.onWarning?.(warning);

  async function pause(ms: number, signals: readonly AbortSignal[]): Promise<void> {
    const signal = AbortSignal.any([...signals]);
    await sleep(ms, signal).catch((error) => {
      signal.throwIfAborted();
      throw error;
    });
  }

  return {
    baseUrl: address.baseUrl,
    async request(request) {
      const server = { ...address, warn, read: (one: TransportRequest) => call(one, readJson) };
      const answer = await call(request, readJson, {
        finish: (given) => readAfterWrite(request, given, server),
        recover: (error) => readAfterLostDelete(request, error, server),
      });
      numberIds ||= answer.numberIds === true;
      return answer;
    },
    stream: (request) =>
      call({ ...request, expect: 'bytes' }, async (answer, prepared) => {
        const bytes = await readBytes(answer, prepared);
        return {
          ...bytes,
          body: translateErrors(bytes.body, (cause) =>
            interruption(connection, prepared, cause, true),
          ),
        };
      }),
    knowsPrecondition: (header) =>
      preconditions
        .toLowerCase()
        .split(/[\s,]+/)
        .includes(header.toLowerCase()),
    documentsIdempotencyKey: async (path) =>
      documentsIdempotencyKey(
        await describe(
          prepare({ method: 'GET', path: '/openapi.json', anonymous: true }, options, address),
        ),
        path,
      ),
    now,
    warn,
    async close() {
      closed = true;
      await connection.close();
    },
  };
}

async function* translateErrors(
  body: AsyncIterable<Uint8Array>,
  failed: (cause: unknown) => unknown,
): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (cause) {
    throw cause instanceof CarStorageError ? cause : failed(cause);
  }
}

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

/** What follows the last try of a write. */
interface Ending<T> {
  readonly finish?: (answer: T) => T | Promise<T>;
  readonly recover?: (error: unknown) => Promise<T>;
}

type Read<T> = (answer: WireAnswer, request: PreparedRequest) => Promise<T>;
/** `answer` is set when its headers arrive. */
type Outcome<T> = { value: T; answer: WireAnswer } | { error: unknown; answer?: WireAnswer };

interface AttemptOptions<T> {
  readonly read: Read<T>;
  readonly startLimit: NonNullable<TransportOptions['startLimit']>;
}

/** Sends once and reads the answer. Returns a failure: an error of the client, or the reason of a signal. */
async function attempt<T>(
  connection: Connection,
  request: PreparedRequest,
  { read, startLimit }: AttemptOptions<T>,
): Promise<Outcome<T>> {
  const clock = new AbortController();
  const stopLimit = startLimit(request.timeoutMs, () => clock.abort());
  const signal = AbortSignal.any([clock.signal, ...request.signals]);
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
    if (clock.signal.aborted && !isStopped(request))
      return { error: timeoutError({ ...request, ...connection, reached }), answer };
    return { error: interruption(connection, request, cause, reached), answer };
  } finally {
    stopLimit();
  }
}

/** The error for a broken connection, or the signal's reason if the caller aborted. */
function interruption(
  connection: Connection,
  request: PreparedRequest,
  cause: unknown,
  reached: boolean,
): unknown {
  const stopped = request.signals.find((one) => one.aborted);
  return stopped ? stopped.reason : connectionError({ ...request, ...connection, reached, cause });
}

const isStopped = (request: PreparedRequest) => request.signals.some((one) => one.aborted);
