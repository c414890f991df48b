/** A real HTTP server on 127.0.0.1 that answers each request according to a script, and records the requests. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type Listening, listen } from './listen.ts';

export interface SeenRequest {
  method: string;
  /** Raw path and query. */
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export type Behaviour = (response: ServerResponse, request: SeenRequest) => void;
/** The nth request gets the nth behaviour, later ones the last behaviour; or a function decides. */
export type Script = readonly Behaviour[] | ((request: SeenRequest, index: number) => Behaviour);

export interface MisbehavingServer extends Listening {
  readonly requests: SeenRequest[];
}

export async function startMisbehavingServer(script: Script): Promise<MisbehavingServer> {
  const requests: SeenRequest[] = [];
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const { method = '', url = '', headers } = incoming;
    const request = { method, url, headers, body: Buffer.concat(chunks).toString() };
    const index = requests.push(request) - 1;
    const behaviour =
      typeof script === 'function' ? script(request, index) : (script[index] ?? script.at(-1));
    behaviour?.(response, request);
  });
  return { ...(await listen(server)), requests };
}

export type Headers = Record<string, string>;

export const json =
  (status: number, body: unknown, headers: Headers = {}): Behaviour =>
  (response) => {
    response
      .writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers })
      .end(JSON.stringify(body));
  };

/** An answer with any content type. */
export const raw =
  (
    status: number,
    contentType: string,
    body: string | Uint8Array,
    headers: Headers = {},
  ): Behaviour =>
  (response) => {
    response.writeHead(status, { 'content-type': contentType, ...headers }).end(body);
  };

/** Headers alone. */
export const empty =
  (status: number): Behaviour =>
  (response) => {
    response.writeHead(status).end();
  };

export const record = (data: object, headers?: Headers) => json(200, { data }, headers);
export const problem = (status: number, code: string, headers?: Headers) =>
  json(
    status,
    { error: `it is ${code}`, code, details: null },
    { 'x-request-id': `request-${status}`, ...headers },
  );
export const html = (status: number, headers?: Headers) =>
  raw(status, 'text/html', '<!doctype html><h1>Hello</h1>', headers);
export const redirect = (status: number, location: string) =>
  raw(status, 'text/html', 'elsewhere', { location });

/** Accepts the request and resets the connection without an answer. */
export const reset = (): Behaviour => (response) => {
  response.socket?.resetAndDestroy();
};

/** Sends half of the announced body, then ends the connection. */
export const cutHalfway = (): Behaviour => (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
  response.write('{"data":{"id":', () => response.socket?.destroySoon());
};

/** Accepts the request and never answers. */
export const silence = (): Behaviour => () => {};

/** Sends half of the announced body, then nothing more. */
export const stallHalfway =
  (contentType = 'application/json'): Behaviour =>
  (response) => {
    response.writeHead(200, { 'content-type': contentType, 'content-length': '1000' });
    response.write('{"data":{"id":');
  };

/** An endless answer, and the number of bytes sent until its connection was closed. */
export interface Endless {
  readonly behaviour: Behaviour;
  /** Resolves with the sent bytes of the first answer. */
  readonly closed: Promise<number>;
}

/** Sends `begin`, and then `filling` repeatedly, as fast as the client reads it, until the client closes the connection. */
export function endless(
  status: number,
  headers: Headers,
  begin: string | Uint8Array,
  filling: string | Uint8Array,
): Endless {
  const { promise, resolve } = Promise.withResolvers<number>();
  const behaviour: Behaviour = (response) => {
    const socket = response.socket as Socket;
    socket.once('close', () => resolve(socket.bytesWritten));
    const more = () => {
      while (!socket.destroyed && response.write(filling));
    };
    response.on('drain', more).writeHead(status, headers).write(begin);
    more();
  };
  return { behaviour, closed: promise };
}

/** The address of a closed port. */
export async function deadUrl(): Promise<string> {
  const server = await startMisbehavingServer([]);
  await server.close();
  return server.url;
}
