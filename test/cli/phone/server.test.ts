/** What the server for phones answers: to the phone with the secret, and to everybody else. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdir, stat } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { sealWith } from '../../../src/phone/seal.ts';
import { openPhoneCounter as openCounter, phoneAt, send } from '../../helpers/phone-counter.ts';
import { jpeg } from '../commands/counter/counter.ts';

let photo: Buffer;
beforeAll(async () => {
  photo = await jpeg(64, 48);
});
const numbered = (n: number) => Buffer.concat([photo, Buffer.from(`photo ${n}`)]);
const openPhoneCounter: typeof openCounter = (options) =>
  openCounter({ address: '127.0.0.1', waits: { state: 0 }, ...options });

describe('the phone with the secret', () => {
  test('gets the title, and sends photos that are on the disk before it is told', async () => {
    const counter = await openPhoneCounter();
    const phone = phoneAt(counter.url());
    expect((await phone.hello()).content).toMatchObject({
      title: 'HH-RS 73 · drop-off',
      there: 0,
      photos: {},
      end: null,
    });
    expect((await phone.photo(1, numbered(1), { name: '../../etc/IMG 1.jpeg' })).content).toEqual({
      status: 'there',
    });
    const [name = ''] = await readdir(counter.folder);
    expect(name).toBe('_.._etc_IMG 1.jpeg');
    const { mode, size } = await stat(join(counter.folder, name));
    expect({ mode: mode & 0o777, size }).toEqual({ mode: 0o600, size: numbered(1).length });
    expect((await phone.state()).content).toMatchObject({
      there: 1,
      photos: { 1: { status: 'there' } },
    });
  });

  test('may send a photo again, by its number or its bytes: it is one photo', async () => {
    const counter = await openPhoneCounter();
    const phone = phoneAt(counter.url());
    await phone.hello();
    await phone.photo(1, photo);
    expect((await phone.photo(1, numbered(9))).content).toEqual({ status: 'there' });
    expect((await phone.photo(2, photo)).content).toEqual({ status: 'copy' });
    expect(await readdir(counter.folder)).toEqual(['IMG_1.jpeg']);
  });

  test('gives each photo a name of its own', async () => {
    const counter = await openPhoneCounter();
    const phone = phoneAt(counter.url());
    await phone.hello();
    for (const n of [1, 2, 3]) await phone.photo(n, numbered(n), { name: 'image.JPG' });
    expect((await readdir(counter.folder)).sort()).toEqual([
      'image-2.JPG',
      'image-3.JPG',
      'image.JPG',
    ]);
  });

  test('is told why a photo is refused, and goes on', async () => {
    const counter = await openPhoneCounter();
    const phone = phoneAt(counter.url());
    await phone.hello();
    const refused = await phone.photo(1, Buffer.from('no photo at all'));
    expect(refused.content).toMatchObject({
      status: 'refused',
      message: expect.stringContaining("It isn't a supported photo type"),
    });
    const told = {
      phone: 'phone-1',
      n: 2,
      name: 'huge.jpeg',
      type: 'image/jpeg',
      size: 200_000_000,
    };
    expect((await phone.photo(2, photo, { told })).content).toMatchObject({
      status: 'refused',
      message: 'Larger than 40 MB',
    });
    expect((await phone.photo(3, photo)).content).toEqual({ status: 'there' });
    expect(counter.reception.listed.map(({ kind }) => kind)).toEqual([
      'refused',
      'refused',
      'arrived',
    ]);
  });

  test('is told when the disk is full, and may try again', async () => {
    const counter = await openPhoneCounter({
      keep: () => async () => ({
        refused: "The counter couldn't save it: no space left.",
        again: true,
      }),
    });
    const phone = phoneAt(counter.url());
    await phone.hello();
    expect((await phone.photo(1, photo)).content).toMatchObject({ status: 'refused', again: true });
  });

  test('sends at most 100 photos', async () => {
    let kept = 0;
    const counter = await openPhoneCounter({
      keep: () => async (name) => ({
        name,
        sizeBytes: 1,
        note: '',
        photo: { path: String(kept++) } as never,
      }),
    });
    const phone = phoneAt(counter.url());
    await phone.hello();
    for (let n = 1; n <= 100; n++)
      expect((await phone.photo(n, Buffer.from(String(n)))).content).toEqual({ status: 'there' });
    expect((await phone.photo(101, photo)).content).toMatchObject({
      status: 'refused',
      message: expect.stringContaining('100 photos are the most'),
    });
    await counter.reception.dropLast();
    expect((await phone.photo(102, photo)).content).toEqual({ status: 'there' });
  });

  test('sends at most 500 MB', async () => {
    const counter = await openPhoneCounter({
      keep: () => async (name) => ({ name, sizeBytes: 499_999_999, note: '', photo: {} as never }),
    });
    const phone = phoneAt(counter.url());
    await phone.hello();
    await phone.photo(1, photo);
    expect((await phone.photo(2, numbered(2))).content).toMatchObject({
      status: 'refused',
      message: expect.stringContaining('500 MB are the most'),
    });
  });

  test('learns of the end, and sends nothing after it', async () => {
    const counter = await openPhoneCounter();
    const phone = phoneAt(counter.url());
    await phone.hello();
    counter.reception.finish('taken');
    expect((await phone.state()).content?.end).toBe('taken');
    expect((await phone.photo(1, photo)).status).toBe(410);
    expect(await readdir(counter.folder)).toEqual([]);
  });

  test('waits for a change with its question, and is answered at once', async () => {
    const counter = await openPhoneCounter({ waits: { state: 3_600_000 } });
    const phone = phoneAt(counter.url());
    const { content } = await phone.hello();
    const waiting = phone.state(content?.version);
    counter.reception.finish('left');
    expect((await waiting).content?.end).toBe('left');
  });
});

describe('anybody else', () => {
  test('gets the empty page, with a policy that names its script and style', async () => {
    const counter = await openPhoneCounter();
    const { status, body, headers } = await send(counter.origin, { method: 'GET', path: '/' });
    expect(status).toBe(200);
    expect(body.toString()).not.toContain(counter.reception.code().secret);
    expect(body.toString()).not.toContain('HH-RS 73');
    const hashOf = (tag: string) => {
      const content = new RegExp(`<${tag}>([\\s\\S]*)</${tag}>`).exec(body.toString())?.[1] ?? '';
      return createHash('sha256').update(content).digest('base64');
    };
    expect(headers).toMatchObject({
      'content-security-policy': `default-src 'none'; script-src 'sha256-${hashOf('script')}'; style-src 'sha256-${hashOf('style')}'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
    });
  });

  test('with another secret gets nothing, and keeps the phone with the code from nothing', async () => {
    const counter = await openPhoneCounter();
    const stranger = phoneAt(`${counter.origin}/#${'A'.repeat(22)}`);
    expect((await stranger.hello()).status).toBe(403);
    expect((await stranger.photo(1, photo)).status).toBe(403);
    for (let tries = 0; tries < 10; tries++) expect((await stranger.state()).status).toBe(403);
    expect(counter.reception.code().phone).toBeUndefined();
    expect(await readdir(counter.folder)).toEqual([]);
    const phone = phoneAt(counter.url());
    expect((await phone.hello()).status).toBe(200);
    expect((await phone.photo(1, photo)).content).toEqual({ status: 'there' });
  });

  test('with a code that another phone uses is refused', async () => {
    const counter = await openPhoneCounter();
    await phoneAt(counter.url()).hello();
    const other = phoneAt(counter.url(), 'phone-2');
    expect(await other.hello()).toMatchObject({
      status: 409,
      text: 'used by another phone: ask for a new code\n',
    });
    expect((await other.photo(1, photo)).status).toBe(409);
    expect((await other.state()).status).toBe(409);
  });

  test('with the code before is refused, and what it sent stays', async () => {
    const counter = await openPhoneCounter();
    const first = phoneAt(counter.url());
    await first.hello();
    await first.photo(1, numbered(1));
    counter.reception.newCode();
    expect([(await first.hello()).status, (await first.photo(2, photo)).status]).toEqual([
      403, 403,
    ]);
    const second = phoneAt(counter.url(), 'phone-2');
    await second.hello();
    expect((await second.photo(1, numbered(2))).content).toEqual({ status: 'there' });
    expect(counter.reception.photos()).toHaveLength(2);
  });

  test.each([
    ['a name that is no text', { name: 5 }, "The field name isn't a string.\n"],
    ['a name that is missing', { name: undefined }, "The field name isn't a string.\n"],
    ['a size in words', { size: 'large' }, "The field size isn't a number.\n"],
    ['a type that is a list', { type: [] }, "The field type isn't a string.\n"],
  ])('a photo with %s is refused, and the next one arrives', async (_, wrong, text) => {
    const counter = await openPhoneCounter();
    const phone = phoneAt(counter.url());
    await phone.hello();
    const told = { phone: 'phone-1', n: 1, name: 'a.jpeg', type: 'image/jpeg', size: photo.length };
    expect(await phone.photo(1, photo, { told: { ...told, ...wrong } as never })).toMatchObject({
      status: 400,
      text,
    });
    expect([counter.reception.listed, counter.reception.arriving.size]).toEqual([[], 0]);
    expect((await phone.photo(2, photo)).content).toEqual({ status: 'there' });
  });

  test('who repeats what was heard changes nothing', async () => {
    const counter = await openPhoneCounter();
    const phone = phoneAt(counter.url());
    await phone.hello();
    const { seal } = phone;
    const message = seal.seal(
      new TextEncoder().encode(JSON.stringify({ phone: 'phone-1', device: 'iPhone' })),
      'hello',
    );
    // Sealed for a greeting, it is nothing else.
    const asPhoto = await send(counter.origin, {
      method: 'PUT',
      path: '/photos/1',
      headers: { 'x-phone-photo': Buffer.from(message).toString('base64url') },
      body: photo,
    });
    expect(asPhoto.status).toBe(403);
    const again = await send(counter.origin, { method: 'POST', path: '/hello', body: message });
    expect(again.status).toBe(200);
    expect(counter.reception.listed).toEqual([]);
  });

  test('who changes a byte on the way stores nothing', async () => {
    const counter = await openPhoneCounter();
    const phone = phoneAt(counter.url());
    await phone.hello();
    const told = { phone: 'phone-1', n: 1, name: 'a.jpeg', type: 'image/jpeg', size: photo.length };
    const sealed = phone.seal.seal(photo, JSON.stringify(told));
    sealed[40] = (sealed[40] ?? 0) ^ 1;
    expect((await phone.photo(1, photo, { told, sealed })).status).toBe(403);
    // The bytes of one photo under the name of another.
    const other = phone.seal.seal(photo, JSON.stringify({ ...told, name: 'b.jpeg' }));
    expect((await phone.photo(1, photo, { told, sealed: other })).status).toBe(403);
    expect(await readdir(counter.folder)).toEqual([]);
  });

  test.each([
    ['another host', { headers: { host: 'cars.example:80' } }, 421],
    ['another path', { path: '/photos' }, 404],
    ['another method', { method: 'POST' }, 404],
    ['a photo without facts', { method: 'PUT', path: '/photos/1', body: Buffer.from('x') }, 403],
    ['a greeting of megabytes', { method: 'POST', path: '/hello', body: Buffer.alloc(5_000) }, 413],
  ])('%s', async (_, request, status) => {
    const counter = await openPhoneCounter();
    expect((await send(counter.origin, { method: 'GET', path: '/', ...request })).status).toBe(
      status,
    );
  });

  /** Connections that say nothing, from this address of the machine. Resolves with how many are still open. */
  async function silent(
    origin: string,
    count: number,
    localAddress: string,
  ): Promise<() => number> {
    const { hostname, port } = new URL(origin);
    const open = new Set<Socket>();
    for (let at = 0; at < count; at += 1) {
      const socket = connect({ port: Number(port), host: hostname, localAddress });
      socket.on('error', () => {}).on('close', () => open.delete(socket));
      await once(socket, 'connect');
      open.add(socket);
    }
    onTestFinished(() => {
      for (const socket of open) socket.destroy();
    });
    return () => open.size;
  }

  test('with 24 silent connections keeps no phone out: at most 4 of an address are open', async () => {
    const counter = await openPhoneCounter();
    const open = await silent(counter.origin, 24, '127.0.0.1');
    const phone = phoneAt(counter.url());
    expect((await phone.hello()).status).toBe(200);
    expect((await phone.photo(1, photo)).content).toEqual({ status: 'there' });
    await expect.poll(open).toBeLessThanOrEqual(4);
  });

  test('from ever more addresses keeps no phone out: at most 16 are open', async () => {
    const counter = await openPhoneCounter({ waits: { state: 3_600_000 } });
    const phone = phoneAt(counter.url());
    const { content } = await phone.hello();
    const waiting = phone.state(content?.version);
    const open: (() => number)[] = [];
    for (let at = 2; at < 9; at += 1) open.push(await silent(counter.origin, 4, `127.0.0.${at}`));
    const total = () => open.reduce((sum, count) => sum + count(), 0);
    await expect.poll(total).toBeLessThanOrEqual(15);
    expect((await phone.photo(1, photo)).content).toEqual({ status: 'there' });
    // Its question, from before the others came, is still open.
    expect((await waiting).status).toBe(200);
  });
});

test('a body that stops in the middle leaves nothing, and the photo can be sent again', async () => {
  const counter = await openPhoneCounter();
  const phone = phoneAt(counter.url());
  await phone.hello();
  const told = { phone: 'phone-1', n: 1, name: 'a.jpeg', type: 'image/jpeg', size: photo.length };
  const head = Buffer.from(phone.seal.seal(Buffer.from(JSON.stringify(told)), 'photo 1')).toString(
    'base64url',
  );
  const { hostname, port, host } = new URL(counter.origin);
  const socket = connect(Number(port), hostname);
  socket.write(
    `PUT /photos/1 HTTP/1.1\r\nhost: ${host}\r\nx-phone-photo: ${head}\r\ncontent-length: ${photo.length + 28}\r\n\r\nabc`,
  );
  await counter.until(() => counter.reception.arriving.size === 1);
  socket.destroy();
  await counter.until(() => counter.reception.arriving.size === 0);
  expect((await phone.photo(1, photo)).content).toEqual({ status: 'there' });
  expect(await readdir(counter.folder)).toEqual(['IMG_1.jpeg']);
});

test('a secret has 128 bits and fits into an address', async () => {
  const counter = await openPhoneCounter();
  const { secret } = counter.reception.code();
  expect(secret).toMatch(/^[\w-]{22}$/);
  expect(Buffer.from(secret, 'base64url')).toHaveLength(16);
  expect(sealWith(secret.slice(1))).toBeUndefined();
});
