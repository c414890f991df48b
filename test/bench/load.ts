import { performance } from 'node:perf_hooks';
import { Client } from 'undici';

export interface Load {
  readonly url: string;
  readonly key: string;
  readonly method: 'GET' | 'POST';
  /** Of the n-th request. */
  readonly path: (n: number) => string;
  readonly body?: (n: number) => unknown;
  readonly status: number;
  /** How many are under way at any time. */
  readonly parallel: number;
}

let sent = 0;

/** Asks for so many milliseconds, each connection its next question as soon as the last is answered; resolves with answers in a second. */
export async function drive(
  { url, key, method, path, body, status, parallel }: Load,
  ms: number,
): Promise<number> {
  const clients = Array.from({ length: parallel }, () => new Client(url, { pipelining: 1 }));
  const headers = { 'x-api-key': key, ...(body ? { 'content-type': 'application/json' } : {}) };
  const begun = performance.now();
  let answered = 0;
  await Promise.all(
    clients.map(async (client) => {
      while (performance.now() - begun < ms) {
        const n = sent++;
        await ask(
          client,
          { method, path: path(n), headers, body: body ? JSON.stringify(body(n)) : null },
          status,
        );
        answered += 1;
      }
    }),
  );
  const seconds = (performance.now() - begun) / 1000;
  await Promise.all(clients.map((client) => client.close()));
  return answered / seconds;
}

/** Below undici's promises, so that what is measured is not the one who asks. */
function ask(
  client: Client,
  request: Parameters<Client['dispatch']>[0],
  expected: number,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let status = 0;
    client.dispatch(request, {
      onRequestStart() {},
      onResponseData() {},
      onResponseStart(_controller, code) {
        status = code;
      },
      onResponseEnd: () =>
        status === expected
          ? resolve()
          : reject(new Error(`${request.method} ${request.path} answered ${status}`)),
      onResponseError: (_controller, error) => reject(error),
    });
  });
}
