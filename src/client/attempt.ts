/** One try of a call, with its own clock. */
import type { Connection, WireAnswer } from './connection.ts';
import { CarStorageError } from './errors.ts';
import { connectionError, timeoutError } from './failures.ts';
import type { PreparedRequest } from './requests.ts';

export type Read<T> = (answer: WireAnswer, request: PreparedRequest) => Promise<T>;
/** `answer` is there as soon as its headers are. */
export type Outcome<T> = { value: T; answer: WireAnswer } | { error: unknown; answer?: WireAnswer };

/** Sends once and reads the answer. What goes wrong is returned: an error of the client, or the reason of a signal. */
export async function attempt<T>(connection: Connection, request: PreparedRequest, read: Read<T>): Promise<Outcome<T>> {
  const clock = new AbortController();
  const timer = setTimeout(() => clock.abort(), request.timeoutMs);
  const signal = AbortSignal.any([clock.signal, ...request.signals]);
  // A stream of bytes may take as long as it takes while it flows; the clock stops with its headers.
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
    if (clock.signal.aborted && !isStopped(request)) return { error: timeoutError({ ...request, ...connection, reached }), answer };
    return { error: interruption(connection, request, cause, reached), answer };
  } finally {
    clearTimeout(timer);
  }
}

/** What a broken connection is reported as: the reason of the caller's signal, when that is what broke it. */
export function interruption(connection: Connection, request: PreparedRequest, cause: unknown, reached: boolean): unknown {
  const stopped = request.signals.find((one) => one.aborted);
  return stopped ? stopped.reason : connectionError({ ...request, ...connection, reached, cause });
}

const isStopped = (request: PreparedRequest) => request.signals.some((one) => one.aborted);
