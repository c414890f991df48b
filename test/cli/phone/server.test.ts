/** What the server for phones answers: to the phone with the secret, and to everybody else. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdir, stat } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { listenOrExplain } from '../../../src/cli/phone/receive.ts';
import { removeFolder } from '../../helpers/folder.ts';
import {
  openPhoneCounter as openCounter,
  type PhoneCounter,
  phoneAt,
  send,
} from '../../helpers/phone-counter.ts';
import { jpeg } from '../commands/counter/counter.ts';

type Phone = ReturnType<typeof phoneAt>;

let photo: Buffer;
beforeAll(async () => {
  photo = await jpeg(64, 48);
});
const numbered = (n: number) => Buffer.concat([photo, Buffer.from(`photo ${n}`)]);
async function open(options?: Parameters<typeof openCounter>[0]) {
  const counter = await openCounter({ address: '127.0.0.1', ...options });
  const phone = phoneAt(counter.url);
  expect((await phone.hello()).status).toBe(200);
  return { counter, phone };
}

/** The first bytes of a photo, which has arrived. */
async function beginPhoto({ origin, until, reception }: PhoneCounter, phone: Phone) {
  const [[name, value] = []] = Object.entries(phone.header(JSON.stringify(phone.factsOf(photo))));
  const { hostname, port, host } = new URL(origin);
  const socket = connect(Number(port), hostname);
  socket.write(
    `PUT /photo HTTP/1.1\r\nhost: ${host}\r\n${name}: ${value}\r\ncontent-length: ${photo.length + 28}\r\n\r\nabc`,
  );
  onTestFinished(() => void socket.destroy());
  await until(() => reception.state.arriving?.received === 3);
  return socket;
}

describe('the phone with the secret', () => {
  test('gets the title, and sends photos that are on the disk before it is told', async () => {
    const { counter, phone } = await open();
    expect((await phone.hello()).content).toEqual({
      title: 'HH-RS 73 · drop-off',
      checklist: [],
      received: [],
    });
    expect((await phone.photo(numbered(1), { name: '../../etc/IMG 1.jpeg' })).content).toEqual({
      status: 'received',
    });
    const [name = ''] = await readdir(counter.folder);
    expect(name).toBe('_.._etc_IMG 1.jpeg');
    const { mode, size } = await stat(join(counter.folder, name));
    expect({ mode: mode & 0o777, size }).toEqual({ mode: 0o600, size: numbered(1).length });
    expect((await phone.hello()).content?.received).toEqual([name]);
  });

  test('sends a photo again after a break, or another one with the same bytes: it is one photo', async () => {
    const { counter, phone } = await open();
    await phone.photo(photo, { id: 'a' });
    expect((await phone.photo(photo, { id: 'a' })).content).toEqual({ status: 'received' });
    expect((await phone.photo(photo, { id: 'b' })).content).toEqual({ status: 'copy' });
    expect(await readdir(counter.folder)).toEqual(['IMG_1.jpeg']);
  });

  test('gives each photo a name of its own', async () => {
    const { counter, phone } = await open();
    for (const n of [1, 2, 3]) await phone.photo(numbered(n), { name: 'image.JPG' });
    expect((await readdir(counter.folder)).sort()).toEqual([
      'image-2.JPG',
      'image-3.JPG',
      'image.JPG',
    ]);
  });

  test('is told why a photo is refused, and goes on', async () => {
    const { counter, phone } = await open();
    expect((await phone.photo(Buffer.from('%PDF-1.7'))).content).toMatchObject({
      status: 'refused',
      message: expect.stringContaining("It isn't a supported photo type"),
    });
    const told = { ...phone.factsOf(photo), size: 200_000_000 };
    expect((await phone.photo(photo, { told })).content).toMatchObject({
      status: 'refused',
      message: 'Larger than 40 MB',
    });
    expect((await phone.photo(photo)).content).toEqual({ status: 'received' });
    expect(counter.reception.listed.map(({ kind }) => kind)).toEqual([
      'refused',
      'refused',
      'arrived',
    ]);
  });

  test("is told when the counter can't save it, and may try again", async () => {
    const { counter, phone } = await open();
    await removeFolder(counter.folder);
    expect((await phone.photo(photo)).content).toEqual({
      status: 'refused',
      message: "The counter couldn't save it: no such file.",
      again: true,
    });
  });

  test('whose photo stops in the middle leaves nothing, and sends it again', async () => {
    const { counter, phone } = await open();
    const socket = await beginPhoto(counter, phone);
    // While the broken connection is still open.
    expect((await phone.photo(photo)).content).toEqual({ status: 'received' });
    await counter.until(() => counter.reception.state.arriving === undefined);
    expect(await readdir(counter.folder)).toEqual(['IMG_1.jpeg']);
    socket.destroy();
  });
});

describe('anybody else', () => {
  test('gets the empty page, with a policy that names its script and style', async () => {
    const { counter } = await open();
    const { status, body, headers } = await send(counter.origin, { method: 'GET', path: '/' });
    expect(status).toBe(200);
    expect(body.toString()).not.toContain(counter.reception.secret);
    expect(body.toString()).not.toContain('HH-RS 73');
    const hashOf = (tag: string) => {
      const content = new RegExp(`<${tag}>([\\s\\S]*)</${tag}>`).exec(body.toString())?.[1] ?? '';
      return createHash('sha256').update(content).digest('base64');
    };
    expect(headers).toMatchObject({
      'content-security-policy': `default-src 'none'; script-src 'sha256-${hashOf('script')}'; style-src 'sha256-${hashOf('style')}'; connect-src 'self'; img-src blob: data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
    });
  });

  test('with another secret gets nothing, is counted, and keeps the phone with the code from nothing', async () => {
    const { counter, phone } = await open();
    const stranger = phoneAt(`${counter.origin}/#${'A'.repeat(22)}`);
    for (let tries = 0; tries < 10; tries++) expect((await stranger.hello()).status).toBe(403);
    expect((await stranger.photo(photo)).status).toBe(403);
    expect(counter.reception.state.failures).toBe(11);
    expect(await readdir(counter.folder)).toEqual([]);
    expect((await phone.photo(photo)).content).toEqual({ status: 'received' });
  });

  test('with a code that another phone uses is refused', async () => {
    const { counter } = await open();
    const other = phoneAt(counter.url, 'phone-2');
    expect([(await other.hello()).status, (await other.photo(photo)).status]).toEqual([409, 409]);
    expect(counter.reception.state.phone?.id).toBe('phone-1');
  });

  test.each([
    ['a name that is no text', { name: 5 }],
    ['a name that is missing', { name: undefined }],
    ['a size in words', { size: 'large' }],
  ])('a photo with %s is refused, and the next one arrives', async (_, wrong) => {
    const { counter, phone } = await open();
    const told = { ...phone.factsOf(photo), ...wrong };
    expect((await phone.photo(photo, { told })).status).toBe(400);
    expect([counter.reception.listed, counter.reception.state.arriving]).toEqual([[], undefined]);
    expect((await phone.photo(photo)).content).toEqual({ status: 'received' });
  });

  test('who repeats a greeting as a photo, or changes a byte on the way, stores nothing', async () => {
    const { counter, phone } = await open();
    const told = phone.factsOf(photo);
    const greeting = phone.seal.seal(Buffer.from(JSON.stringify(told)), 'hello');
    const asPhoto = await send(counter.origin, {
      method: 'PUT',
      path: '/photo',
      headers: { 'x-phone-photo': Buffer.from(greeting).toString('base64url') },
      body: photo,
    });
    expect(asPhoto.status).toBe(403);
    const sealed = phone.seal.seal(photo, JSON.stringify(told));
    sealed[40] = (sealed[40] ?? 0) ^ 1;
    expect((await phone.photo(photo, { told, sealed })).status).toBe(403);
    // The bytes of one photo under the name of another.
    const other = phone.seal.seal(photo, JSON.stringify({ ...told, name: 'b.jpeg' }));
    expect((await phone.photo(photo, { told, sealed: other })).status).toBe(403);
    expect(await readdir(counter.folder)).toEqual([]);
  });

  test.each([
    ['another path', { path: '/photos' }, 404],
    ['another method', { method: 'POST' }, 404],
    ['a photo without facts', { method: 'PUT', path: '/photo', body: Buffer.from('x') }, 403],
    ['a greeting of megabytes', { method: 'POST', path: '/hello', body: Buffer.alloc(5_000) }, 413],
  ])('%s', async (_, request, status) => {
    const { counter } = await open();
    expect((await send(counter.origin, { method: 'GET', path: '/', ...request })).status).toBe(
      status,
    );
  });

  /** Connections that say nothing, from this address of the machine. Resolves with how many are still open. */
  async function silent(origin: string, count: number, localAddress: string) {
    const { hostname, port } = new URL(origin);
    const opened = new Set<Socket>();
    for (let at = 0; at < count; at += 1) {
      const socket = connect({ port: Number(port), host: hostname, localAddress });
      socket.on('error', () => {}).on('close', () => opened.delete(socket));
      await once(socket, 'connect');
      opened.add(socket);
    }
    onTestFinished(() => {
      for (const socket of opened) socket.destroy();
    });
    return () => opened.size;
  }

  test('with 24 silent connections keeps no phone out: at most 4 of an address are open', async () => {
    const { counter, phone } = await open();
    const sending = await beginPhoto(counter, phone);
    const count = await silent(counter.origin, 24, '127.0.0.1');
    expect([sending.closed, counter.reception.state.arriving?.received]).toEqual([false, 3]);
    expect((await phone.hello()).status).toBe(200);
    expect((await phone.photo(photo)).content).toEqual({ status: 'received' });
    await expect.poll(count).toBeLessThanOrEqual(4);
  });

  test('from ever more addresses keeps no phone out: at most 16 are open', async () => {
    const { counter, phone } = await open();
    const counts: (() => number)[] = [];
    for (let at = 2; at < 9; at += 1) counts.push(await silent(counter.origin, 4, `127.0.0.${at}`));
    await expect
      .poll(() => counts.reduce((sum, count) => sum + count(), 0))
      .toBeLessThanOrEqual(16);
    expect((await phone.photo(photo)).content).toEqual({ status: 'received' });
  });
});

test('a port that another program uses is named', async () => {
  const { counter } = await open();
  const { server } = await openCounter({ address: '127.0.0.1' });
  const taken = Number(new URL(counter.origin).port);
  const place = { address: '127.0.0.1', port: taken, orAnyPort: false };
  await server.close();
  await expect(listenOrExplain(server, place)).rejects.toMatchObject({
    message: `Couldn't listen on 127.0.0.1, port ${taken}: the port is taken.`,
    hint: 'choose another address with --phone-address, or another port with --phone-port',
    exitCode: 2,
  });
});
