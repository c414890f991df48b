/** Serves the page to a phone and receives its photos, on one address of this machine. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import {
  type Hello,
  nonceBytes,
  type PhotoFacts,
  photoHeader,
  photoLimits,
  purposes,
  type StateQuestion,
  stateHeader,
  tagBytes,
} from '../../phone/protocol.ts';
import { hostOf } from './address.ts';
import { drain, everyAnswer, Refused, readBody, refuse, sendSealed } from './exchange.ts';
import type { Page } from './page.ts';
import type { Code, Reception } from './reception.ts';

/** In milliseconds. Only tests change them. */
export interface Waits {
  readonly headers: number;
  /** Of a connection. */
  readonly silence: number;
  /** How long an answer about the state waits for a change. */
  readonly state: number;
  /** How long open answers have when the server closes. */
  readonly close: number;
}

const usualWaits: Waits = { headers: 10_000, silence: 30_000, state: 2_000, close: 500 };

interface PhoneServerOptions<P> {
  readonly reception: Reception<P>;
  readonly page: Page;
  /** Somebody reached the server, with or without the secret. */
  readonly onRequest?: () => void;
  readonly waits?: Partial<Waits>;
}

export interface PhoneServer {
  /** Listens on this address instead of the present one. Returns the port: another one if it is taken and may be any. */
  listen(address: string, port: number, orAny: boolean): Promise<number>;
  /** Stops listening, once the open answers are sent. */
  close(): Promise<void>;
}

const maxConnections = 16;
const maxOfAnAddress = 4;
const maxHelloBytes = 4_096;
const overhead = nonceBytes + tagBytes;

export function createPhoneServer<P>({
  reception,
  page,
  onRequest,
  waits: given,
}: PhoneServerOptions<P>): PhoneServer {
  const waits = { ...usualWaits, ...given };
  /** The oldest first, with those on which a message was opened marked. */
  const connections = new Map<Socket, { hasSecret: boolean }>();
  let server: Server | undefined;
  let host = '';
  /** The photo whose body is read: one at a time, so that one is in memory. */
  let receiving:
    | { readonly phone: string; readonly request: IncomingMessage; readonly done: Promise<void> }
    | undefined;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    onRequest?.();
    if (request.headers.host !== host) throw new Refused(421, 'This address is not known here.');
    const { method, url = '' } = request;
    const number = /^\/photos\/(\d{1,6})$/.exec(url)?.[1];
    if (url === '/' && (method === 'GET' || method === 'HEAD')) return sendPage(request, response);
    if (url === '/hello' && method === 'POST') return hello(request, response);
    if (url === '/state' && method === 'GET') return state(request, response);
    if (number !== undefined && method === 'PUT') return photo(request, response, Number(number));
    throw new Refused(404, 'Not found.');
  }

  function sendPage({ headers, method }: IncomingMessage, response: ServerResponse): void {
    const isZipped = /\bgzip\b/.test(String(headers['accept-encoding']));
    const body = isZipped ? page.gzip : page.html;
    response.writeHead(200, {
      ...page.headers,
      'content-length': body.length,
      ...(isZipped && { 'content-encoding': 'gzip' }),
    });
    response.end(method === 'HEAD' ? undefined : body);
  }

  async function hello(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const sealed = await readBody(request, maxHelloBytes);
    const { code, message } = openMessage<Hello>(request, sealed, {
      purpose: purposes.hello,
      shape: { phone: 'string', device: 'string' },
    });
    const isOurs = reception.greet(
      { ...message, device: message.device.slice(0, 40) },
      request.socket.remoteAddress ?? '',
    );
    if (!isOurs) throw new Refused(409, 'used by another phone: ask for a new code');
    reception.touch();
    sendSealed(response, {
      code,
      purpose: purposes.hello,
      content: reception.state(message.phone),
    });
  }

  async function state(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { code, message } = openHeader<StateQuestion>(request, stateHeader, {
      purpose: purposes.state,
      shape: { phone: 'string', version: 'number' },
    });
    requireOwner(code, message.phone);
    reception.touch();
    if (reception.state(message.phone).version === message.version && reception.end() === null)
      await changeWithin(waits.state);
    const content = reception.state(message.phone);
    if (content.end !== null) response.setHeader('connection', 'close');
    sendSealed(response, { code, purpose: purposes.state, content });
  }

  async function changeWithin(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    await Promise.race([reception.changed(), promise]);
    clearTimeout(timer);
  }

  async function photo(
    request: IncomingMessage,
    response: ServerResponse,
    n: number,
  ): Promise<void> {
    const purpose = purposes.photo(n);
    const {
      code,
      message: facts,
      text,
    } = openHeader<PhotoFacts>(request, photoHeader, {
      purpose,
      shape: { phone: 'string', n: 'number', name: 'string', type: 'string', size: 'number' },
    });
    requireOwner(code, facts.phone);
    if (facts.n !== n) throw new Refused(400, 'Another photo was announced.');
    if (reception.end() !== null) throw new Refused(410, 'The counter has gone on.');
    reception.touch();
    const reply = (content: unknown) => sendSealed(response, { code, purpose, content });
    const known = reception.settled(facts.phone, n);
    if (known) return drain(request, () => reply(known));
    const refusal = reception.refusal(facts);
    if (refusal)
      return drain(request, () =>
        reply(reception.refuse(facts, refusal, facts.size <= photoLimits.bytes)),
      );
    await turn(facts.phone);
    const { promise: done, resolve: release } = Promise.withResolvers<void>();
    receiving = { phone: facts.phone, request, done };
    try {
      const settled = reception.settled(facts.phone, n);
      const result = settled ?? (await receive(request, { code, facts, text }));
      if (settled) request.resume();
      reply(result);
    } finally {
      receiving = undefined;
      release();
    }
  }

  /** Waits for the photo before. A phone that sends again has lost its connection: that photo ends. */
  async function turn(phone: string): Promise<void> {
    while (receiving) {
      const { phone: sender, request, done } = receiving;
      if (sender === phone) request.destroy();
      await done;
    }
  }

  async function receive(
    request: IncomingMessage,
    { code, facts, text }: { code: Code; facts: PhotoFacts; text: string },
  ) {
    const arriving = reception.begin(facts);
    try {
      const sealed = await readBody(request, facts.size + overhead, arriving.progress);
      const bytes = code.seal.open(sealed, text);
      if (bytes?.length !== facts.size) throw notOurs();
      return await reception.take(facts, bytes);
    } finally {
      arriving.over();
    }
  }

  function requireOwner(code: Code, phone: string): void {
    if (code.phone?.id !== phone)
      throw new Refused(409, 'used by another phone: ask for a new code');
  }

  function openHeader<T>(request: IncomingMessage, name: string, expected: Expected<T>): Opened<T> {
    const sealed = Buffer.from(String(request.headers[name] ?? ''), 'base64url');
    return openMessage<T>(request, sealed, expected);
  }

  function openMessage<T>(
    { socket }: IncomingMessage,
    sealed: Buffer,
    { purpose, shape }: Expected<T>,
  ): Opened<T> {
    const code = reception.code();
    const text = code.seal.open(sealed, purpose)?.toString();
    // No number of such messages locks anybody out: nobody guesses 128 bits, and the phone with the code may share its address.
    if (text === undefined) throw notOurs();
    const connection = connections.get(socket);
    if (connection) connection.hasSecret = true;
    return { code, message: messageOf(text, shape), text };
  }

  /**
   * A connection beyond the limits takes the place of the oldest one that hasn't shown the secret, so that silent ones keep no phone out.
   */
  function admit(socket: Socket): void {
    const all = [...connections];
    const ofAddress = all.filter(([{ remoteAddress }]) => remoteAddress === socket.remoteAddress);
    const crowd =
      ofAddress.length >= maxOfAnAddress ? ofAddress : all.length >= maxConnections ? all : [];
    const displaced =
      crowd.length > 0 ? (crowd.find(([, { hasSecret }]) => !hasSecret)?.[0] ?? socket) : undefined;
    if (displaced) {
      connections.delete(displaced);
      displaced.destroy();
    }
    if (displaced === socket) return;
    connections.set(socket, { hasSecret: false });
    socket.once('close', () => connections.delete(socket));
  }

  async function end(): Promise<void> {
    const closing = server;
    if (!closing) return;
    server = undefined;
    const { promise, resolve } = Promise.withResolvers<void>();
    closing.close(() => resolve());
    receiving?.request.destroy();
    closing.closeIdleConnections();
    const timer = setTimeout(() => closing.closeAllConnections(), waits.close);
    await promise;
    clearTimeout(timer);
  }

  return {
    async listen(address, port, orAny) {
      await end();
      const next = createServer(
        {
          headersTimeout: waits.headers,
          requestTimeout: 0,
          connectionsCheckingInterval: 1_000,
          maxHeaderSize: 8_192,
        },
        (request, response) => {
          for (const [name, value] of Object.entries(everyAnswer)) response.setHeader(name, value);
          answer(request, response).catch((error: unknown) => refuse(request, response, error));
        },
      );
      next.on('connection', admit);
      next.setTimeout(waits.silence);
      await listenOn(next, address, port).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EADDRINUSE' || !orAny) throw error;
        return listenOn(next, address, 0);
      });
      server = next;
      const actual = (next.address() as AddressInfo).port;
      // Browsers leave the port of http out.
      host = actual === 80 ? hostOf(address) : `${hostOf(address)}:${actual}`;
      return actual;
    },
    close: end,
  };
}

interface Opened<T> {
  readonly code: Code;
  readonly message: T;
  readonly text: string;
}

interface Expected<T> {
  readonly purpose: string;
  /** What `typeof` says of each field. */
  readonly shape: Readonly<Record<keyof T, 'string' | 'number'>>;
}

const notOurs = () => new Refused(403, 'This code is not valid.');

function messageOf<T>(text: string, shape: Expected<T>['shape']): T {
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    // Refused below.
  }
  const fields = Object(message) as Record<string, unknown>;
  const wrong = Object.entries(shape).find(([name, type]) => typeof fields[name] !== type);
  if (wrong) throw new Refused(400, `The field ${wrong[0]} isn't a ${wrong[1]}.`);
  return message as T;
}

async function listenOn(server: Server, address: string, port: number): Promise<void> {
  server.listen({ host: address, port, ipv6Only: true });
  await once(server, 'listening');
}
