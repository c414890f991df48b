/** An HTTP proxy in front of a service that makes selected requests fail. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { CliOptions } from './cli.ts';
import { listen } from './listen.ts';

/**
 * `500`, `429`, `202` (accepted for later) and `502` are answered without the service. `reset` closes the connection before the service gets the request, `lost` after its answer:
 * the work is done, but the client gets no answer. `half` does the work and sends half of the answer. `silence` never answers and doesn't ask the service; `mute` asks it, but doesn't answer.
 */
export const faults = ['500', '429', 'reset', 'lost', 'half', 'silence', 'mute'] as const;
export type Fault = (typeof faults)[number];
/** Answers after which the server may carry the request out. */
export type Unended = '202' | '502';

export interface ProxiedRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  /** Number of the request, counted from 0. A retry (same Idempotency-Key or, for a GET, same address) has the number of its first attempt. */
  readonly number: number;
  /** Number of the attempt of this request, counted from 0. */
  readonly attempt: number;
  readonly body: Buffer;
}

export interface FaultyProxy {
  readonly url: string;
  readonly requests: ProxiedRequest[];
  /** For a client of this proxy alone: no wait between attempts, and a timeout once all open attempts are silent. */
  readonly waiting: NonNullable<CliOptions['waiting']>;
  close(): Promise<void>;
}

interface ProxyOptions {
  /** Idempotency keys don't reach the service, and no interface description promises them. */
  readonly withoutKeys?: boolean;
  /** Paths that the server doesn't have. */
  readonly lacks?: (request: { readonly method: string; readonly url: string }) => boolean;
}

/** `choose` returns the fault of a request, or none; the request waits for it. Requests for the interface description always pass and aren't counted. */
export async function startFaultyProxy(
  target: string,
  choose: (
    request: ProxiedRequest,
  ) => Fault | Unended | undefined | Promise<Fault | Unended | undefined>,
  { withoutKeys = false, lacks = () => false }: ProxyOptions = {},
): Promise<FaultyProxy> {
  const requests: ProxiedRequest[] = [];
  const numbers = new Map<string, { number: number; tries: number }>();
  const running = new Set<() => void>();
  let silent = 0;
  const endSilence = () => {
    if (silent === 0 || silent < running.size) return;
    silent = 0;
    for (const expire of [...running]) expire();
  };
  const answer = async (incoming: IncomingMessage, response: ServerResponse) => {
    const body = await readAll(incoming);
    const { method = '', url = '', headers } = incoming;
    const passed = [
      'x-api-key',
      'content-type',
      'if-parked-in',
      ...(withoutKeys ? [] : ['idempotency-key']),
    ];
    const pass = () => forward(target, incoming, { body, passed });
    const isDescription = url.endsWith('/openapi.json');
    if ((isDescription && withoutKeys) || lacks({ method, url })) return refuse(response, 404);
    if (isDescription) return send(response, await pass());
    const name = `${method} ${url} ${headers['idempotency-key'] ?? ''}`;
    const known = numbers.get(name) ?? { number: numbers.size, tries: 0 };
    numbers.set(name, { ...known, tries: known.tries + 1 });
    const request = { method, url, number: known.number, attempt: known.tries, body };
    requests.push(request);
    const fault = await choose(request);
    if (fault === undefined) return send(response, await pass());
    if (fault === 'half') return sendHalf(response, await pass());
    if (fault === 'lost' || fault === 'mute') await pass();
    if (fault === 'reset' || fault === 'lost') response.socket?.resetAndDestroy();
    else if (fault === '202')
      response.writeHead(202, { 'content-type': 'application/json' }).end('{"data":null}');
    else if (fault === '500' || fault === '429' || fault === '502') refuse(response, Number(fault));
    else {
      silent += 1;
      endSilence();
    }
  };
  const server = createServer((incoming, response) => {
    answer(incoming, response).catch((error: unknown) => {
      // A client that has gone needs no answer, also where the service has gone since.
      if (!response.destroyed) throw error;
    });
  });
  const { url, close } = await listen(server);
  return {
    url,
    requests,
    close,
    waiting: {
      sleep: async () => {},
      startLimit(_ms, expire) {
        running.add(expire);
        return () => {
          running.delete(expire);
          endSilence();
        };
      },
    },
  };
}

async function readAll(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

interface Forwarded {
  readonly body: Buffer;
  /** The headers that reach the service. */
  readonly passed: readonly string[];
}

async function forward(
  target: string,
  { method = '', url = '', headers }: IncomingMessage,
  { body, passed }: Forwarded,
) {
  const kept = passed.filter((name) => headers[name] !== undefined);
  const answer = await fetch(target + url, {
    method,
    headers: Object.fromEntries(kept.map((name) => [name, String(headers[name])])),
    body: body.length > 0 ? new Uint8Array(body) : undefined,
  });
  const told = ['content-type', 'accept-preconditions', 'total-of'].flatMap((name) => {
    const value = answer.headers.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  return {
    status: answer.status,
    headers: Object.fromEntries(told),
    body: Buffer.from(await answer.arrayBuffer()),
  };
}

function send(
  response: ServerResponse,
  { status, headers, body }: Awaited<ReturnType<typeof forward>>,
): void {
  response.writeHead(status, headers).end(body);
}

function sendHalf(
  response: ServerResponse,
  { status, headers, body }: Awaited<ReturnType<typeof forward>>,
): void {
  response.writeHead(status, { ...headers, 'content-length': body.length });
  response.write(body.subarray(0, body.length / 2), () => response.socket?.destroySoon());
}

function refuse(response: ServerResponse, status: number): void {
  const codes: Record<number, string> = { 404: 'not_found', 429: 'rate_limited' };
  const problem = {
    error: `answered ${status}`,
    code: codes[status] ?? 'internal_error',
    details: null,
  };
  const headers = {
    'content-type': 'application/json',
    ...(status === 429 && { 'retry-after': '0' }),
  };
  response.writeHead(status, headers).end(JSON.stringify(problem));
}
