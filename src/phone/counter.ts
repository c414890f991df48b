/** The requests of the page, sealed. */
import { deferred } from './deferred.ts';
import {
  type CounterState,
  type Hello,
  type PhotoFacts,
  photoHeader,
  purposes,
  type Settled,
  type StateQuestion,
  stateHeader,
} from './protocol.ts';
import { type PhoneSeal, toBase64Url } from './seal.ts';

/** Refused for good: the text is for the person. A request without an answer rejects with another error. */
export class CodeRefused extends Error {}

const reasons: Readonly<Record<number, string>> = {
  403: 'This code is no longer valid. Scan the code at the counter to go on.',
  409: 'This code is used by another phone. Ask for a new code at the counter.',
  410: 'The counter has gone on. You can close this page.',
  421: 'This address is not known at the counter. Scan the code again.',
};

export interface Counter {
  hello(message: Hello): Promise<CounterState>;
  state(question: StateQuestion): Promise<CounterState>;
  photo(
    facts: PhotoFacts,
    bytes: Uint8Array,
    onProgress: (share: number) => void,
  ): Promise<Settled>;
}

const utf8 = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
/** No answer for longer than the counter ever waits. */
const patienceMs = 15_000;

export function connectTo(seal: PhoneSeal): Counter {
  const opened = <T>(sealed: ArrayBuffer, purpose: string): T =>
    JSON.parse(
      new TextDecoder().decode(seal.open(new Uint8Array(sealed), purposes.answer(purpose))),
    ) as T;

  async function ask<T>(path: string, purpose: string, request: RequestInit): Promise<T> {
    const response = await fetch(path, {
      ...request,
      cache: 'no-store',
      signal: AbortSignal.timeout(patienceMs),
    });
    requireAnswer(response.status);
    return opened<T>(await response.arrayBuffer(), purpose);
  }

  return {
    hello: (message) =>
      ask('/hello', purposes.hello, {
        method: 'POST',
        body: seal.seal(utf8(message), purposes.hello),
      }),
    state: (question) =>
      ask('/state', purposes.state, {
        headers: { [stateHeader]: toBase64Url(seal.seal(utf8(question), purposes.state)) },
      }),
    photo(facts, bytes, onProgress) {
      const purpose = purposes.photo(facts.n);
      const text = JSON.stringify(facts);
      // fetch tells no progress of what it sends.
      const request = new XMLHttpRequest();
      const { promise, resolve, reject } = deferred<Settled>();
      request.open('PUT', `/photos/${facts.n}`);
      request.responseType = 'arraybuffer';
      request.setRequestHeader(
        photoHeader,
        toBase64Url(seal.seal(new TextEncoder().encode(text), purpose)),
      );
      request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
      request.onload = () => {
        try {
          requireAnswer(request.status);
          resolve(opened<Settled>(request.response as ArrayBuffer, purpose));
        } catch (error) {
          reject(error);
        }
      };
      request.onerror = request.onabort = request.ontimeout = () => reject(new Error('no answer'));
      request.send(seal.seal(bytes, text));
      return promise;
    },
  };
}

function requireAnswer(status: number): void {
  if (status === 200) return;
  const reason = reasons[status];
  throw reason ? new CodeRefused(reason) : new Error(`status ${status}`);
}
