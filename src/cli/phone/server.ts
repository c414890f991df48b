/** Serves the page to a phone and receives its photos, on one address of this machine. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { finished } from 'node:stream/promises';
import {
  type Hello,
  nonceBytes,
  type PhotoFacts,
  photoHeader,
  purposes,
  type Question,
  type Said,
  type Settled,
  tagBytes,
  type Welcome,
} from '../../phone/protocol.ts';
import type { Page } from './page.ts';
import type { Reception } from './reception.ts';

/** What a phone sends to. */
export interface Counter
  extends Pick<Reception<unknown>, 'seal' | 'fail' | 'refusal' | 'progress'> {
  readonly state: Pick<Reception<unknown>['state'], 'phone'>;
  /** Undefined for another phone than the first. */
  greet(hello: Hello, address: string): Welcome | undefined | Promise<Welcome | undefined>;
  take(facts: PhotoFacts, bytes: Buffer): Promise<Settled>;
  /** Resolves with the next question. */
  hear?(said: Said): Promise<Question>;
}

interface PhoneServerOptions {
  readonly reception: Counter;
  readonly page: Page;
  /** Somebody reached the server, with or without the secret. */
  readonly onRequest?: () => void;
}

export interface PhoneServer {
  /** Returns the port: another one if it is taken and may be any. */
  listen(address: string, port: number, orAny: boolean): Promise<number>;
  /** Ends every connection, and the photo that is arriving. `last`: after the answers that are due. */
  close(options?: { readonly last?: boolean }): Promise<void>;
}

const maxConnections = 16;
const maxOfAnAddress = 4;
const maxHelloBytes = 4_096;
const overhead = nonceBytes + tagBytes;
const everyAnswer = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cross-origin-resource-policy': 'same-origin',
};

/** An answer that isn't sealed: the page knows what its status means. */
class Refused extends Error {
  readonly status: number;
  constructor(status: number) {
    super();
    this.status = status;
  }
}

const notOurs = () => new Refused(403);
const ofAnotherPhone = () => new Refused(409);

export function createPhoneServer({ reception, page, onRequest }: PhoneServerOptions): PhoneServer {
  const { seal } = reception;
  /** The oldest first. True for those on which the phone showed the secret. */
  const connections = new Map<Socket, boolean>();
  const answering = new Map<Promise<void>, Socket>();
  /** One at a time, so that one photo is in memory. */
  let receiving: { readonly request: IncomingMessage; readonly done: Promise<void> } | undefined;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    onRequest?.();
    const { method, url } = request;
    if (url === '/' && method === 'GET') {
      response
        .writeHead(200, { ...page.headers, 'content-length': page.html.length })
        .end(page.html);
      return;
    }
    if (url === '/hello' && method === 'POST') return hello(request, response);
    if (url === '/photo' && method === 'PUT') return photo(request, response);
    if (url === '/said' && method === 'POST' && reception.hear)
      return said(request, response, reception.hear);
    throw new Refused(404);
  }

  async function hello(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { message, text } = openMessage<Hello>(request, await readBody(request, maxHelloBytes), {
      purpose: purposes.hello,
      shape: { phone: 'string', device: 'string' },
    });
    const welcome = await reception.greet(message, request.socket.remoteAddress ?? '');
    if (!welcome) throw ofAnotherPhone();
    reply(response, text, welcome);
  }

  async function said(
    request: IncomingMessage,
    response: ServerResponse,
    hear: (said: Said) => Promise<Question>,
  ): Promise<void> {
    const { message, text } = openMessage<Said>(request, await readBody(request, maxHelloBytes), {
      purpose: purposes.said,
      shape: { phone: 'string', number: 'number', text: 'string' },
    });
    if (message.phone !== reception.state.phone?.id) throw ofAnotherPhone();
    reply(response, text, await hear(message));
  }

  async function photo(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const header = Buffer.from(String(request.headers[photoHeader] ?? ''), 'base64url');
    const { message: facts, text } = openMessage<PhotoFacts>(request, header, {
      purpose: purposes.photo,
      shape: { phone: 'string', id: 'string', name: 'string', size: 'number' },
    });
    if (facts.phone !== reception.state.phone?.id) throw ofAnotherPhone();
    const refusal = reception.refusal(facts);
    if (refusal) {
      // The phone reads no answer before it has sent everything.
      await once(request.resume(), 'end');
      return reply(response, text, refusal);
    }
    // A phone that sends again has lost its connection: that photo ends.
    while (receiving) {
      receiving.request.destroy();
      await receiving.done;
    }
    const { promise: done, resolve } = Promise.withResolvers<void>();
    receiving = { request, done };
    try {
      const sealed = await readBody(request, facts.size + overhead, (received) =>
        reception.progress({ ...facts, received }),
      );
      const bytes = seal.open(sealed, text);
      if (bytes?.length !== facts.size) throw notOurs();
      reply(response, text, await reception.take(facts, bytes));
    } finally {
      receiving = undefined;
      resolve();
      reception.progress(undefined);
    }
  }

  function reply(response: ServerResponse, text: string, content: unknown): void {
    const body = seal.seal(Buffer.from(JSON.stringify(content)), purposes.answer(text));
    response
      .writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': body.length })
      .end(body);
  }

  function openMessage<T>(
    { socket }: IncomingMessage,
    sealed: Buffer,
    { purpose, shape }: Expected<T>,
  ): { readonly message: T; readonly text: string } {
    const text = seal.open(sealed, purpose)?.toString();
    if (text === undefined) {
      // Counted and shown, however many: nobody guesses 128 bits, and a limit would lock the right
      // phone out.
      reception.fail();
      throw notOurs();
    }
    if (connections.has(socket)) connections.set(socket, true);
    const message = JSON.parse(text);
    for (const [name, type] of Object.entries(shape))
      if (typeof message?.[name] !== type) throw new Refused(400);
    return { message, text };
  }

  /**
   * A connection beyond the limits takes the place of the oldest one without the secret, so that
   * silent ones keep no phone out.
   */
  function admit(socket: Socket): void {
    const all = [...connections];
    const ofAddress = all.filter(([{ remoteAddress }]) => remoteAddress === socket.remoteAddress);
    const isFull = ofAddress.length >= maxOfAnAddress || all.length >= maxConnections;
    const crowd = ofAddress.length >= maxOfAnAddress ? ofAddress : all;
    const oldest = crowd.find(([, hasSecret]) => !hasSecret)?.[0];
    if (isFull) {
      (oldest ?? socket).destroy();
      if (!oldest) return;
      connections.delete(oldest);
    }
    connections.set(socket, false);
    socket.once('close', () => connections.delete(socket));
  }

  const server = createServer(
    {
      headersTimeout: 10_000,
      requestTimeout: 0,
      connectionsCheckingInterval: 1_000,
      maxHeaderSize: 8_192,
    },
    (request, response) => {
      for (const [name, value] of Object.entries(everyAnswer)) response.setHeader(name, value);
      const done = answer(request, response)
        .catch((error: unknown) => refuse(request, response, error))
        .then(() => finished(response).catch(() => {}))
        .then(() => void answering.delete(done));
      answering.set(done, request.socket);
    },
  );
  server.on('connection', admit).setTimeout(30_000);
  const listenOn = async (address: string, port: number) => {
    server.listen({ host: address, port, ipv6Only: true });
    await once(server, 'listening');
  };

  return {
    async listen(address, port, orAny) {
      await listenOn(address, port).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EADDRINUSE' || !orAny) throw error;
        return listenOn(address, 0);
      });
      return (server.address() as AddressInfo).port;
    },
    async close({ last = false } = {}) {
      if (!server.listening) return;
      // A stranger's request keeps nobody waiting.
      if (last)
        await Promise.all(
          [...answering].filter(([, socket]) => connections.get(socket)).map(([done]) => done),
        );
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
      await receiving?.done;
    },
  };
}

interface Expected<T> {
  readonly purpose: string;
  /** What `typeof` says of each field. */
  readonly shape: Readonly<Record<keyof T, 'string' | 'number'>>;
}

/** At most `most` bytes, in one buffer. */
async function readBody(
  request: IncomingMessage,
  most: number,
  onProgress: (received: number) => void = () => {},
): Promise<Buffer> {
  const length = Number(request.headers['content-length'] ?? Number.NaN);
  if (!(length <= most)) throw new Refused(413);
  const body = Buffer.allocUnsafe(length);
  let at = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    chunk.copy(body, at);
    at += chunk.length;
    onProgress(at);
  }
  return body.subarray(0, at);
}

function refuse(request: IncomingMessage, response: ServerResponse, error: unknown): void {
  if (!(error instanceof Refused) || response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  response.writeHead(error.status, { connection: 'close' });
  // The rest of a body isn't read.
  response.end(() => request.destroy());
}
