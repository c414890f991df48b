/** Every request goes through here: what is sent again, after how long, and who is told. */
import { setTimeout as delay } from 'node:timers/promises';
import { parseAddress } from './address.ts';
import { type BytesAnswer, dateOf, type JsonAnswer, readBytes, readJson, requestIdOf } from './answers.ts';
import { attempt, interruption, type Read } from './attempt.ts';
import { openConnection } from './connection.ts';
import { documentsIdempotencyKey } from './description.ts';
import { ApiError, CarStorageError, UsageError } from './errors.ts';
import { type PreparedRequest, prepare, refuseUnsendableKey, type TransportRequest } from './requests.ts';
import { delayAfter, judge, retryAfterOf, settles } from './retry.ts';

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

export interface Transport {
  /** Without `/api/v1` and without a slash at the end. */
  readonly baseUrl: string;
  /**
   * Sends a request and reads its JSON.
   * @throws ApiError, NetworkError, ProtocolError, UsageError, or the reason of the signal
   */
  request(request: TransportRequest): Promise<JsonAnswer>;
  /** Sends a request and hands on the bytes of its answer. What breaks while they are read is a NetworkError, and is not tried again. */
  stream(request: TransportRequest): Promise<BytesAnswer>;
  /** Ends every connection; calls that still run fail. */
  close(): Promise<void>;
}

/** @throws UsageError when the address or the key cannot be used */
export function createTransport(options: TransportOptions): Transport {
  const address = parseAddress(options.baseUrl);
  refuseUnsendableKey(options.key);
  const { random = Math.random, sleep = wait, onAttempt } = options;
  const connection = openConnection({ address, ca: options.ca, env: options.env ?? {} });
  let description: Promise<JsonAnswer | undefined> | undefined;
  let closed = false;

  async function call<T extends JsonAnswer | BytesAnswer>(request: TransportRequest, read: Read<T>): Promise<T> {
    if (closed) throw new UsageError('the client is closed', { code: 'closed' });
    const prepared = prepare(request, options, address);
    if (prepared.method === 'GET') return send(prepared, read);
    const write = { method: prepared.method, path: prepared.path, body: request.body };
    await options.beforeWrite?.(write);
    // A call that was ended before it began leaves nothing uncertain.
    for (const signal of prepared.signals) signal.throwIfAborted();
    const answer = await send(prepared, read).catch(async (error: unknown) => {
      await options.afterWrite?.({ ...write, error });
      throw error;
    });
    await options.afterWrite?.({ ...write, answer });
    return answer;
  }

  async function send<T>(prepared: PreparedRequest, read: Read<T>): Promise<T> {
    for (let number = 1; ; number++) {
      for (const signal of prepared.signals) signal.throwIfAborted();
      const started = process.hrtime.bigint();
      const { answer, ...outcome } = await attempt(connection, prepared, read);
      const ms = Math.round(Number(process.hrtime.bigint() - started) / 1e6);
      const failed = 'error' in outcome && outcome.error instanceof CarStorageError ? outcome.error : undefined;
      const again = failed !== undefined && number <= prepared.retries && (await mayRepeat(prepared, failed));
      const retryInMs = again ? delayAfter(number, { retryAfter: retryAfterOf(failed), random }) : undefined;
      onAttempt?.({
        method: prepared.method,
        url: prepared.url.href,
        attempt: number,
        ms,
        ...(answer && { status: answer.status, requestId: requestIdOf(answer), date: dateOf(answer) }),
        ...(failed && { error: failed.code }),
        ...(again && { retryInMs }),
      });
      if ('value' in outcome) return outcome.value;
      if (failed === undefined) throw outcome.error;
      if (retryInMs === undefined) {
        const settled = failed instanceof ApiError && settles(prepared.method, failed.status);
        failed.unknownOutcome ||= prepared.undecided === true && !settled;
        throw failed;
      }
      prepared.undecided ||= failed.unknownOutcome;
      await pause(retryInMs, prepared.signals);
    }
  }

  async function mayRepeat(request: PreparedRequest, error: CarStorageError): Promise<boolean> {
    const verdict = judge(request.method, error);
    return verdict === 'yes' || (verdict === 'if_idempotent' && documentsIdempotencyKey(await describe(request), request.path));
  }

  /** The interface description, fetched when it is first needed; nothing when it cannot be had. */
  async function describe({ timeoutMs, signals }: PreparedRequest): Promise<unknown> {
    description ??= call(
      {
        method: 'GET',
        path: '/openapi.json',
        anonymous: true,
        // It only decides about a repeat, so it must not take longer than what it saves.
        timeoutMs: Math.min(timeoutMs, 10_000),
        retries: 1,
        signal: AbortSignal.any([...signals]),
      },
      readJson,
    );
    try {
      return (await description)?.body;
    } catch (error) {
      const passing = !(error instanceof CarStorageError) || judge('GET', error) !== 'no';
      description = passing ? undefined : Promise.resolve(undefined);
      return undefined;
    }
  }

  async function pause(ms: number, signals: readonly AbortSignal[]): Promise<void> {
    const signal = AbortSignal.any([...signals]);
    await sleep(ms, signal).catch((error) => {
      signal.throwIfAborted();
      throw error;
    });
  }

  return {
    baseUrl: address.baseUrl,
    request: (request) => call(request, readJson),
    stream: (request) =>
      call({ ...request, expect: 'bytes' }, async (answer, prepared) => {
        const bytes = await readBytes(answer, prepared);
        return { ...bytes, body: handOn(bytes.body, (cause) => interruption(connection, prepared, cause, true)) };
      }),
    async close() {
      closed = true;
      await connection.close();
    },
  };
}

async function* handOn(body: AsyncIterable<Uint8Array>, failed: (cause: unknown) => unknown): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (cause) {
    throw cause instanceof CarStorageError ? cause : failed(cause);
  }
}

const wait = (ms: number, signal?: AbortSignal) => delay(ms, undefined, { signal });
