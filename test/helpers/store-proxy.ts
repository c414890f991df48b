/** A proxy in front of an S3 store that makes selected requests fail. Requests pass unchanged, so their signatures hold. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { S3Place } from '../../src/service/files/s3.ts';
import { listen } from './listen.ts';

/**
 * `failed`, `busy`, `conflict`, `full` and `denied` are answered without the store. `lost` closes the connection after the store's answer, `cut` in the middle of it. `twice` sends
 * the request to the store two times. `silence` never answers. `late` closes the connection; the request reaches the store when `deliver` is called.
 */
export type StoreFaultKind =
  | 'failed'
  | 'busy'
  | 'conflict'
  | 'full'
  | 'quota'
  | 'denied'
  | 'lost'
  | 'cut'
  | 'twice'
  | 'silence'
  | 'late';

export interface StoreProxy {
  readonly place: S3Place;
  readonly requests: readonly string[];
  /** Sends what was `late`. Resolves with the statuses. */
  deliver(): Promise<number[]>;
  close(): Promise<void>;
}

/** `choose` gets `METHOD path` and returns the fault, or none. */
export async function startStoreProxy(
  place: S3Place,
  choose: (line: string) => StoreFaultKind | undefined,
): Promise<StoreProxy> {
  const { hostname, port } = new URL(place.endpoint);
  const requests: string[] = [];
  const late: (() => Promise<number>)[] = [];
  const pass = async ({ method, url, headers }: IncomingMessage, body: Buffer) => {
    const sent = request({ hostname, port, method, path: url, headers, agent: false });
    // Swift sends bytes after the answer to a HEAD for nothing.
    sent.on('error', () => undefined).end(body);
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    return { answer, content: await buffer(answer) };
  };
  const respond = async (incoming: IncomingMessage, response: ServerResponse) => {
    const line = `${incoming.method} ${incoming.url}`;
    requests.push(line);
    const body = await buffer(incoming);
    const fault = choose(line);
    if (fault === 'silence') return;
    if (fault === 'failed') return void response.writeHead(500).end(problem('InternalError'));
    if (fault === 'conflict') return void response.writeHead(409).end(problem('Conflict'));
    if (fault === 'busy') return void response.writeHead(503).end(problem('SlowDown'));
    if (fault === 'full') return void response.writeHead(507).end(problem('XStorageFull'));
    if (fault === 'quota') return void response.writeHead(403).end(problem('QuotaExceeded'));
    if (fault === 'denied') return void response.writeHead(403).end(problem('AccessDenied'));
    if (fault === 'late') {
      late.push(async () => (await pass(incoming, body)).answer.statusCode ?? 0);
      return void response.socket?.resetAndDestroy();
    }
    const { answer, content } = await pass(incoming, body);
    if (fault === 'twice') await pass(incoming, body);
    if (fault === 'lost') return void response.socket?.resetAndDestroy();
    const { 'transfer-encoding': _, ...headers } = answer.headers;
    response.writeHead(answer.statusCode ?? 0, headers);
    if (fault !== 'cut' || incoming.method === 'HEAD') return void response.end(content);
    response.write(content.subarray(0, content.length / 2), () => response.socket?.destroySoon());
  };
  const server = createServer((incoming, response) => {
    respond(incoming, response).catch(() => response.socket?.destroy());
  });
  const { url, close } = await listen(server);
  return {
    place: { ...place, endpoint: url },
    requests,
    close,
    deliver: () => Promise.all(late.splice(0).map((send) => send())),
  };
}

const problem = (code: string) =>
  `<?xml version="1.0"?><Error><Code>${code}</Code><Message>not now</Message></Error>`;
