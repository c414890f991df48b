/** A counter that waits for photos from a phone, without a terminal; and a phone without a browser. */

import { request } from 'node:http';
import { networkInterfaces } from 'node:os';
import { onTestFinished } from 'vitest';
import { keepPhotosIn } from '../../src/cli/commands/photos/from-phone.ts';
import type { PhotoFacts } from '../../src/cli/commands/photos/photo-file.ts';
import { defaultRouteAddress, hostOf, usableAddresses } from '../../src/cli/phone/address.ts';
import { readPage } from '../../src/cli/phone/page.ts';
import { createReception, type KeepPhoto, type Reception } from '../../src/cli/phone/reception.ts';
import { createPhoneServer, type PhoneServer } from '../../src/cli/phone/server.ts';
import type { Io } from '../../src/cli/terminal/io.ts';
import {
  type PhotoFacts as Head,
  photoHeader,
  purposes,
  type Question,
  type Settled,
  type Welcome,
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
  /** With the secret. */
  readonly url: string;
  /** Breaks every connection, and listens again. */
  cut(): Promise<void>;
  /** Resolves once this is so. */
  until(isSo: () => boolean): Promise<void>;
}

interface CounterOptions {
  readonly keep?: (usual: KeepPhoto<PhotoFacts>) => KeepPhoto<PhotoFacts>;
  readonly address?: string;
  readonly checklist?: readonly string[];
}

export async function openPhoneCounter({
  keep = (usual) => usual,
  address = ownAddress,
  checklist,
}: CounterOptions = {}): Promise<PhoneCounter> {
  const folder = await makeFolder();
  const looks = new Set<() => void>();
  const io = { cwd: '/', home: '/', signal: new AbortController().signal } as Io;
  const reception = createReception<PhotoFacts>({
    title: 'HH-RS 73 · drop-off',
    checklist,
    keep: keep(keepPhotosIn({ io }, folder, {})),
    drop: async () => {},
    onChange: () => {
      for (const look of looks) look();
    },
  });
  const server = createPhoneServer({ reception, page: await readPage() });
  const port = await server.listen(address, 0, false);
  onTestFinished(async () => {
    await server.close();
    await removeFolder(folder);
  });
  const origin = `http://${hostOf(address)}:${port}`;
  return {
    reception,
    server,
    folder,
    origin,
    url: `${origin}/#${reception.secret}`,
    async cut() {
      await server.close();
      await server.listen(address, port, false);
    },
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
}

interface PhotoOptions {
  readonly name?: string;
  readonly id?: string;
  readonly told?: object;
  readonly sealed?: Uint8Array;
}

const utf8 = (text: string) => new TextEncoder().encode(text);

/** A phone that does what the page does, or what the page never does. */
export function phoneAt(url: string, phone = 'phone-1') {
  const { origin, hash } = new URL(url);
  const seal = sealWith(hash.slice(1));
  if (!seal) throw new Error('no secret');
  let count = 0;
  const answer = <T>({ status, body }: Raw, text: string): Answer<T> => ({
    status,
    text: body.toString(),
    content:
      status === 200
        ? (JSON.parse(Buffer.from(seal.open(body, purposes.answer(text))).toString()) as T)
        : undefined,
  });
  const factsOf = (bytes: Uint8Array, { name = 'IMG_1.jpeg', id }: PhotoOptions = {}): Head => ({
    phone,
    id: id ?? `photo ${++count}`,
    name,
    size: bytes.length,
  });
  return {
    seal,
    factsOf,
    /** The header with the facts. */
    header: (text: string) => ({
      [photoHeader]: toBase64Url(seal.seal(utf8(text), purposes.photo)),
    }),
    async hello(device = 'iPhone') {
      const text = JSON.stringify({ phone, device });
      const body = seal.seal(utf8(text), purposes.hello);
      return answer<Welcome>(await send(origin, { method: 'POST', path: '/hello', body }), text);
    },
    /** Resolves with the next question. */
    async said(number: number, typed: string) {
      const text = JSON.stringify({ phone, number, text: typed });
      const body = seal.seal(utf8(text), purposes.said);
      return answer<Question>(await send(origin, { method: 'POST', path: '/said', body }), text);
    },
    async photo(bytes: Uint8Array, options: PhotoOptions = {}) {
      const text = JSON.stringify(options.told ?? factsOf(bytes, options));
      const body = options.sealed ?? seal.seal(bytes, text);
      const request = { method: 'PUT', path: '/photo', headers: this.header(text), body };
      return answer<Settled>(await send(origin, request), text);
    },
  };
}

interface Raw {
  readonly status: number;
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
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
