/** A counter that waits for photos from a phone, without a terminal; and a phone without a browser. */

import { request } from 'node:http';
import { networkInterfaces } from 'node:os';
import { onTestFinished } from 'vitest';
import { keepPhotosIn } from '../../src/cli/commands/photos/from-phone.ts';
import type { PhotoFacts } from '../../src/cli/commands/photos/photo-file.ts';
import { defaultRouteAddress, hostOf, usableAddresses } from '../../src/cli/phone/address.ts';
import { readPage } from '../../src/cli/phone/page.ts';
import { createReception, type KeepPhoto, type Reception } from '../../src/cli/phone/reception.ts';
import { createPhoneServer, type PhoneServer, type Waits } from '../../src/cli/phone/server.ts';
import type { Io } from '../../src/cli/terminal/io.ts';
import {
  type CounterState,
  type PhotoFacts as Head,
  photoHeader,
  purposes,
  type Settled,
  stateHeader,
} from '../../src/phone/protocol.ts';
import { sealWith, toBase64Url } from '../../src/phone/seal.ts';
import { makeFolder, removeFolder } from './folder.ts';

/** An address of this machine other than loopback, where browsers switch off what they keep for secure pages. */
export const ownAddress =
  usableAddresses(networkInterfaces(), await defaultRouteAddress())[0] ?? '127.0.0.1';

export interface PhoneCounter {
  readonly reception: Reception<PhotoFacts>;
  readonly server: PhoneServer;
  readonly folder: string;
  readonly origin: string;
  /** With the secret of the present code. */
  url(): string;
  /** Breaks every connection, and listens again. */
  cut(): Promise<void>;
  /** Resolves once this is so. */
  until(isSo: () => boolean): Promise<void>;
}

interface CounterOptions {
  readonly keep?: (usual: KeepPhoto<PhotoFacts>) => KeepPhoto<PhotoFacts>;
  readonly now?: () => number;
  readonly waits?: Partial<Waits>;
  readonly address?: string;
}

export async function openPhoneCounter({
  keep = (usual) => usual,
  now = Date.now,
  waits,
  address = ownAddress,
}: CounterOptions = {}): Promise<PhoneCounter> {
  const folder = await makeFolder();
  const looks = new Set<() => void>();
  const io = { cwd: '/', home: '/', signal: new AbortController().signal } as Io;
  const reception = createReception<PhotoFacts>({
    title: 'HH-RS 73 · drop-off',
    keep: keep(keepPhotosIn({ io, interactive: false }, folder, {})),
    drop: async () => {},
    now,
    onChange: () => {
      for (const look of looks) look();
    },
  });
  const server = createPhoneServer({
    reception,
    page: await readPage(),
    waits: { close: 0, ...waits },
  });
  const port = await server.listen(address, 0, false);
  onTestFinished(async () => {
    await server.close();
    await removeFolder(folder);
  });
  const origin = `http://${hostOf(address)}:${port}`;
  return {
    ...{ reception, server, folder, origin },
    url: () => `${origin}/#${reception.code().secret}`,
    cut: async () => void (await server.listen(address, port, false)),
    until: (isSo) =>
      new Promise((resolve) => {
        const look = () => {
          if (!isSo()) return;
          looks.delete(look);
          resolve();
        };
        looks.add(look);
        look();
      }),
  };
}

interface Answer<T> {
  readonly status: number;
  /** Opened; undefined for a refusal. */
  readonly content: T | undefined;
  readonly text: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

const utf8 = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

/** A phone that does what the page does, or what the page never does. */
export function phoneAt(url: string, phone = 'phone-1') {
  const { origin, hash } = new URL(url);
  const seal = sealWith(hash.slice(1));
  if (!seal) throw new Error('no secret');
  const answer = <T>({ status, body, headers }: Raw, purpose: string): Answer<T> => ({
    ...{ status, headers, text: body.toString() },
    content:
      status === 200
        ? (JSON.parse(Buffer.from(seal.open(body, purposes.answer(purpose))).toString()) as T)
        : undefined,
  });
  const head = (n: number, bytes: Uint8Array, name: string): Head => ({
    phone,
    n,
    name,
    type: 'image/jpeg',
    size: bytes.length,
  });
  return {
    seal,
    hello: async (device = 'iPhone') =>
      answer<CounterState>(
        await send(origin, {
          method: 'POST',
          path: '/hello',
          body: seal.seal(utf8({ phone, device }), purposes.hello),
        }),
        purposes.hello,
      ),
    state: async (version = 0) =>
      answer<CounterState>(
        await send(origin, {
          method: 'GET',
          path: '/state',
          headers: {
            [stateHeader]: toBase64Url(seal.seal(utf8({ phone, version }), purposes.state)),
          },
        }),
        purposes.state,
      ),
    async photo(
      n: number,
      bytes: Uint8Array,
      { name = 'IMG_1.jpeg', told = head(n, bytes, name), sealed }: PhotoOptions = {},
    ) {
      const text = JSON.stringify(told);
      const headers = {
        [photoHeader]: toBase64Url(seal.seal(Buffer.from(text), purposes.photo(n))),
      };
      const body = sealed ?? seal.seal(bytes, text);
      return answer<Settled>(
        await send(origin, { method: 'PUT', path: `/photos/${n}`, headers, body }),
        purposes.photo(n),
      );
    },
  };
}

interface PhotoOptions {
  readonly name?: string;
  readonly told?: Head;
  readonly sealed?: Uint8Array;
}

interface Raw {
  readonly status: number;
  readonly body: Buffer;
  readonly headers: Answer<unknown>['headers'];
}

interface Request {
  readonly method: string;
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: Uint8Array;
}

export function send(origin: string, { method, path, headers = {}, body }: Request): Promise<Raw> {
  return new Promise((resolve, reject) => {
    const sent = request(`${origin}${path}`, {
      method,
      agent: false,
      headers: { ...headers, ...(body && { 'content-length': body.length }) },
    });
    sent.on('error', reject).on('response', async (response) => {
      const chunks: Buffer[] = [];
      response.on('error', reject);
      for await (const chunk of response) chunks.push(chunk as Buffer);
      resolve({
        status: response.statusCode ?? 0,
        body: Buffer.concat(chunks),
        headers: response.headers,
      });
    });
    sent.end(body);
  });
}
