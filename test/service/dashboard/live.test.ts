/** What open pages are told, and pictures. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, onTestFinished, test } from 'vitest';
import { createEventType } from '../../../src/service/admin.ts';
import { backUp } from '../../../src/service/backup/backup.ts';
import { restore } from '../../../src/service/backup/restore.ts';
import { startService } from '../../../src/service/start.ts';
import { openStores } from '../../../src/service/stores.ts';
import { openBrowser, signInAdmin, signInScreen } from '../../helpers/dashboard.ts';
import { makeFolder, removeFolder } from '../../helpers/folder.ts';
import { onPostgres } from '../../helpers/postgres.ts';
import { startTestService, testService } from '../../helpers/service.ts';

const service = await testService({
  dashboard: { events: { askMs: 20, aliveMs: 20, checkMs: 20 } },
});
const admin = await signInAdmin(service);

/** The events of a stream, one after the other. */
async function watch(cookie: string) {
  const end = new AbortController();
  onTestFinished(() => end.abort());
  const answer = await fetch(`${service.url}/dashboard/events`, {
    headers: { cookie },
    signal: end.signal,
  });
  const reader = (answer.body as ReadableStream<Uint8Array>)
    .pipeThrough(new TextDecoderStream())
    .getReader();
  let text = '';
  return {
    answer,
    /** The next stamp; undefined at the end of the stream. */
    async next(): Promise<string | undefined> {
      for (;;) {
        const [whole, stamp] = /data: \{"stamp":"([^"]+)",.*\}\n\n/.exec(text) ?? [];
        if (whole) {
          text = text.slice(text.indexOf(whole) + whole.length);
          return stamp;
        }
        const { value, done } = await reader.read();
        if (done) return undefined;
        text += value;
      }
    },
  };
}

test('a page is told of each change of its team, by keys and by the owner of the data, and of no other team', async () => {
  const { answer, next } = await watch(admin.cookie);
  expect(answer.headers.get('content-type')).toBe('text/event-stream');
  expect(answer.headers.get('x-accel-buffering')).toBe('no');
  const first = (await next()) as string;
  await service.call('POST', '/customers', { lastName: 'Other' }, service.otherKey);
  await service.call('POST', '/customers', { lastName: 'Own' });
  const second = (await next()) as string;
  await createEventType(service.admin, 'first', {
    value: 'polish',
    scope: 'vehicle',
    name: 'Polish',
  });
  const third = (await next()) as string;
  expect([first, second, third]).toEqual([...new Set([first, second, third])].sort());
  const { body } = await service.call('GET', '/customers?limit=1');
  expect(body.data[0].updatedAt).toBe(second);
});

test('a page hears that the service is there, also while nothing changes', async () => {
  const { cookie } = await signInAdmin(service, 'second');
  const end = new AbortController();
  onTestFinished(() => end.abort());
  const { body } = await fetch(`${service.url}/dashboard/events`, {
    headers: { cookie },
    signal: end.signal,
  });
  let text = '';
  for await (const part of (body as ReadableStream<Uint8Array>).pipeThrough(
    new TextDecoderStream(),
  )) {
    text += part;
    if (text.split('event: alive\ndata: {}\n\n').length > 3) break;
  }
  expect(text).toContain('event: alive');
});

test('the stream ends with its session', async () => {
  const screen = await signInScreen(service);
  const { next } = await watch(screen.cookie);
  await next();
  expect(await screen.ask('DELETE', '/session')).toMatchObject({ status: 200 });
  // Signing in and out are changes too: their stamps come before the end.
  await expect.poll(next).toBe(undefined);
});

test('the sixth page of a browser is refused, and the twenty-first of a team; without a session there is no stream', async () => {
  const screen = await signInScreen(service, 'second');
  const atOnce = await Promise.all(Array.from({ length: 7 }, () => watch(screen.cookie)));
  const statuses = atOnce.map(({ answer }) => answer.status);
  expect(statuses.sort()).toEqual([200, 200, 200, 200, 200, 429, 429]);
  for (let at = 5; at < 20; at += 5) {
    const boss = await signInAdmin(service, 'second');
    for (let page = 0; page < 5; page++) expect((await watch(boss.cookie)).answer.status).toBe(200);
  }
  const late = await signInAdmin(service, 'second');
  expect((await watch(late.cookie)).answer.status).toBe(429);
  expect(await openBrowser(service).ask('GET', '/events')).toMatchObject({ status: 401 });
});

test('open streams do not hold up the stop', async () => {
  const own = await startTestService({ dashboard: {} });
  const { cookie } = await signInAdmin(own);
  const { body } = await fetch(`${own.url}/dashboard/events`, { headers: { cookie } });
  const [, text] = await Promise.all([own.close(), new Response(body).text()]);
  expect(text).toMatch(/^retry: 3000\nevent: changed\n/);
});

test('a picture is smaller, upright, and kept by the browser; other sizes, ids and teams are refused', async () => {
  const car = (await service.call('POST', '/cars', { year: 1973, make: 'Porsche', model: '911' }))
    .body.data;
  const photo = await sharp({
    create: { width: 3000, height: 2000, channels: 3, background: 'red' },
  })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
  const stored = await service.call('POST', `/cars/${car.id}/photos`, {
    base64: photo.toString('base64'),
    filename: 'a.jpg',
  });
  const path = `/photos/${stored.body.data.id}`;
  const { status, headers, bytes } = await admin.ask('GET', `${path}?width=320`);
  expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
    200,
    'image/webp',
    'private, max-age=31536000, immutable',
  ]);
  expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width: 213, height: 320 });
  expect(await admin.ask('GET', `${path}?width=4000`)).toMatchObject({ status: 422 });
  expect(await admin.ask('GET', `/photos/${car.id}?width=320`)).toMatchObject({ status: 404 });
  expect(
    await (await signInAdmin(service, 'second')).ask('GET', `${path}?width=320`),
  ).toMatchObject({ status: 404 });
  expect(await openBrowser(service).ask('GET', `${path}?width=320`)).toMatchObject({ status: 401 });
});

if (!onPostgres)
  test('a backup has the accounts, and no session and no link', async () => {
    const folder = await makeFolder();
    onTestFinished(() => removeFolder(folder));
    const own = await startTestService({ dashboard: {} });
    const boss = await signInAdmin(own);
    const sessions = await own.admin.database.read
      .selectFrom('browserSessions')
      .selectAll()
      .execute();
    expect(sessions).toHaveLength(1);
    const backup = join(folder, 'backup');
    await backUp({ data: own.data, folder: backup });
    await own.close();
    // Nor what is left of one that is deleted.
    const [records = ''] = (await readdir(backup)).filter((name) => name.startsWith('records-'));
    const content = (await readFile(join(backup, records))).toString('latin1');
    expect(sessions.filter(({ secretHash }) => content.includes(secretHash))).toEqual([]);
    const data = join(folder, 'restored');
    await restore({ folder: backup, data });
    const restored = await startService({ data, port: 0 });
    const { database } = await openStores({ data });
    try {
      expect(
        await openBrowser(restored).ask('GET', '/api/v1/cars', undefined, { cookie: boss.cookie }),
      ).toMatchObject({ status: 401 });
      const { read } = database;
      expect(await read.selectFrom('browserSessions').selectAll().execute()).toEqual([]);
      expect(await read.selectFrom('oneTimeLinks').selectAll().execute()).toEqual([]);
      expect(
        await openBrowser(restored).ask('POST', '/session', {
          email: boss.email,
          password: 'a long sentence with words',
        }),
      ).toMatchObject({
        status: 200,
      });
    } finally {
      await database.close();
      await restored.close();
    }
  });
