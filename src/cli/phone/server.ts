/** Serves the page to a phone and receives its photos, on one address of this machine. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
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
  /** How long a phone that wasn't told of the end may still ask. */
  readonly farewell: number;
  /** The same where the process is about to end. */
  readonly soonFarewell: number;
}

const usualWaits: Waits = {
  headers: 10_000,
  silence: 30_000,
  state: 2_000,
  farewell: 3_000,
  soonFarewell: 500,
};

interface PhoneServerOptions<P> {
  readonly reception: Reception<P>;
  readonly page: Page;
  /** The hosts that an address may name, besides the one that is listened on. */
  readonly hosts?: readonly string[];
  /** Somebody reached the server, with or without the secret. */
  readonly onRequest?: () => void;
  readonly waits?: Partial<Waits>;
}

export interface PhoneServer {
  /** Listens on this address instead of the present one. Returns the port: another one if it is taken and may be any. */
  listen(address: string, port: number, orAny: boolean): Promise<number>;
  /** Stops listening. The phones have a moment to ask how it ended. */
  close(options?: { readonly soon?: boolean }): Promise<void>;
}

const maxConnections = 16;
/** Messages that don't open, after which an address gets no further answer. */
const maxFailures = 10;
const maxHelloBytes = 4_096;
const overhead = nonceBytes + tagBytes;

export function createPhoneServer<P>({
  reception,
  page,
  hosts = [],
  onRequest,
  waits: given,
}: PhoneServerOptions<P>): PhoneServer {
  const waits = { ...usualWaits, ...given };
  const failures = new Map<string, number>();
  /** Phones that know of the end. */
  const told = new Set<string>();
  let onTold = () => {};
  let server: Server | undefined;
  let host = '';
  /** The photo whose body is read: one at a time, so that one is in memory. */
  let receiving:
    | { readonly phone: string; readonly request: IncomingMessage; readonly done: Promise<void> }
    | undefined;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    onRequest?.();
    const address = request.socket.remoteAddress ?? '';
    if ((failures.get(address) ?? 0) >= maxFailures)
      throw new Refused(429, 'Too many messages that could not be opened.');
    if (![host, ...hosts].includes(request.headers.host ?? ''))
      throw new Refused(421, 'This address is not known here.');
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
    const { code, message } = openMessage<Hello>(request, sealed, purposes.hello);
    if (code.isEnded) throw new Refused(410, 'The counter shows a new code: scan it.');
    const device = String(message.device).slice(0, 40);
    const isOurs = reception.greet(
      code,
      { phone: String(message.phone), device },
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
    const { code, message } = openHeader<StateQuestion>(request, stateHeader, purposes.state);
    requireOwner(code, message.phone);
    reception.touch();
    if (reception.state(message.phone).version === message.version && reception.end() === null)
      await changeWithin(waits.state);
    const content = reception.state(message.phone);
    if (content.end !== null) response.setHeader('connection', 'close');
    if (content.end !== null)
      response.once('finish', () => {
        told.add(message.phone);
        onTold();
      });
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
    const { code, message: facts, text } = openHeader<PhotoFacts>(request, photoHeader, purpose);
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
      if (bytes?.length !== facts.size) throw failed(request);
      return await reception.take(facts, bytes);
    } finally {
      arriving.over();
    }
  }

  function requireOwner(code: Code, phone: string): void {
    if (code.phone?.id !== phone)
      throw new Refused(409, 'used by another phone: ask for a new code');
    if (code.isEnded) throw new Refused(410, 'The counter shows a new code: scan it.');
  }

  interface Opened<T> {
    readonly code: Code;
    readonly message: T;
    readonly text: string;
  }

  function openHeader<T>(request: IncomingMessage, name: string, purpose: string): Opened<T> {
    return openMessage<T>(
      request,
      Buffer.from(String(request.headers[name] ?? ''), 'base64url'),
      purpose,
    );
  }

  function openMessage<T>(request: IncomingMessage, sealed: Buffer, purpose: string): Opened<T> {
    for (const code of reception.codes) {
      const opened = code.seal.open(sealed, purpose);
      // Only the page of someone with the secret can have sealed it.
      if (opened)
        return { code, message: JSON.parse(opened.toString()) as T, text: opened.toString() };
    }
    throw failed(request);
  }

  /** Counts a message that doesn't open. */
  function failed({ socket }: IncomingMessage): Refused {
    const address = socket.remoteAddress ?? '';
    failures.set(address, (failures.get(address) ?? 0) + 1);
    return new Refused(403, 'This code is not valid.');
  }

  async function end(): Promise<void> {
    const closing = server;
    if (!closing) return;
    server = undefined;
    closing.close();
    closing.closeIdleConnections();
    receiving?.request.destroy();
    await new Promise((resolve) => setImmediate(resolve));
    closing.closeAllConnections();
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
      next.maxConnections = maxConnections;
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
    async close({ soon = false } = {}) {
      if (server) {
        // None of them keeps the process running.
        server.unref();
        server.closeIdleConnections();
        receiving?.request.destroy();
        await farewell(soon ? waits.soonFarewell : waits.farewell);
      }
      await end();
    },
  };

  async function farewell(ms: number): Promise<void> {
    const isWaiting = () =>
      reception.codes.some(({ phone, isEnded }) => phone && !isEnded && !told.has(phone.id));
    if (!isWaiting()) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms).unref();
    onTold = () => {
      if (!isWaiting()) resolve();
    };
    await promise;
    clearTimeout(timer);
  }
}

async function listenOn(server: Server, address: string, port: number): Promise<void> {
  server.listen({ host: address, port, ipv6Only: true });
  await once(server, 'listening');
}
