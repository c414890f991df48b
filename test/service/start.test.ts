/** The life of a service: one to a folder, never on data it does not know, and gone only when its work is done. */
import { once } from 'node:events';
import { copyFile, link, rename, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { startService } from '../../src/service/start.ts';
import { startChildService } from '../helpers/child-service.ts';
import { cs } from '../helpers/cli.ts';
import { facility, png } from '../helpers/facility.ts';
import { makeFolder, removeFolder } from '../helpers/folder.ts';
import { send, startTestService, testService } from '../helpers/service.ts';

const service = await testService();

async function folder(): Promise<string> {
  const made = await makeFolder();
  onTestFinished(() => removeFolder(made));
  return made;
}

test('a second service on the folder is refused with the address of the first one', async () => {
  await expect(startService({ data: service.data, port: 0 })).rejects.toMatchObject({
    name: 'FolderInUse',
    message: `Another service is using ${service.data} (process ${process.pid}, at ${service.url})`,
    holder: { pid: process.pid, url: service.url },
  });
  expect((await service.call('GET', '/me')).status).toBe(200);
});

test('across processes too; the folder is free when the first one has stopped', async () => {
  const data = await folder();
  const child = await startChildService(data);
  onTestFinished(() => void child.process.kill());
  await expect(startService({ data, port: 0 })).rejects.toMatchObject({
    name: 'FolderInUse',
    holder: { pid: child.process.pid },
  });
  // While it starts, it has no address.
  const holder = join(data, 'service.json');
  const { pid } = child.process;
  const refused = `Another service is using ${data}`;
  await writeFile(holder, JSON.stringify({ pid }));
  await expect(startService({ data, port: 0 })).rejects.toMatchObject({
    message: `${refused} (process ${pid})`,
  });
  await rm(holder);
  await expect(startService({ data, port: 0 })).rejects.toMatchObject({ message: refused });
  expect(await child.stop('SIGTERM')).toBe(0);
  await (await startService({ data, port: 0 })).close();
});

test("data that lacks a table or a column of this version isn't served, and the refusal names them", async () => {
  const data = await folder();
  await (await startService({ data, port: 0 })).close();
  const database = new DatabaseSync(join(data, 'cs.sqlite'));
  database.exec(
    'alter table "locations" rename column "phone" to "telephone"; alter table "forms" rename to "questionnaires"',
  );
  database.close();
  const lacks = `The data in ${data} lacks the column locations.phone, the table forms, which this version of cs needs`;
  await expect(startService({ data, port: 0 })).rejects.toThrow(lacks);
  const { code, error } = await cs(['admin', 'team', 'list', '--data', data]);
  expect([code, error.code, error.message]).toEqual([7, 'data_unusable', `${lacks}.`]);
  expect(error.hint).toContain('cs admin check');
  const checked = await cs(['admin', 'check', '--data', data]);
  expect(checked.json.findings).toMatchObject([
    {
      check: 'schema',
      count: 2,
      examples: ['the column locations.phone', 'the table forms'],
    },
  ]);
});

describe('a database that is lost', () => {
  test.each<[string, (path: string) => Promise<void>, laterMs: number]>([
    ['deleted', (path) => rm(path), 0],
    [
      'replaced',
      async (path) => {
        await copyFile(path, `${path}.copy`);
        await rename(`${path}.copy`, path);
      },
      0,
    ],
    ['deleted a while ago, which a read finds', (path) => rm(path), 2_000],
  ])(
    'while the service runs, %s: nothing is acknowledged, and it is back with the file',
    async (_how, lose, laterMs) => {
      const own = await startTestService();
      onTestFinished(() => own.close());
      const create = (model: number) =>
        own.call('POST', '/cars', { year: 2000, make: 'a', model: `${model}` });
      expect((await create(0)).status).toBe(201);
      const path = join(own.data, 'cs.sqlite');
      const kept = `${path}.kept`;
      await link(path, kept);
      await lose(path);
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + laterMs });
      onTestFinished(() => void vi.useRealTimers());
      const answers = [await create(1), ...(await Promise.all([2, 3, 4].map(create)))];
      expect(answers.map(({ status, body }) => [status, body.code, body.error])).toEqual(
        answers.map(() => [503, 'unavailable', expect.stringMatching(/deleted or replaced/)]),
      );
      // A read looks at the files once a second.
      if (laterMs > 0) expect((await own.call('GET', '/cars')).status).toBe(503);
      const ready = await send(`${own.url}/readyz`, 'GET');
      expect([ready.status, ready.body.error]).toEqual([
        503,
        expect.stringMatching(/^Not ready: database \(.*deleted or replaced/),
      ]);
      await rename(kept, path);
      expect((await create(5)).status).toBe(201);
    },
  );

  test.each([
    [
      'a copy',
      async (data: string) => {
        await rename(join(data, 'cs.sqlite'), join(data, 'cs.sqlite.bak'));
        await rm(join(data, 'files'), { recursive: true });
      },
    ],
    [
      'a backup',
      async (data: string) => {
        await cs(['admin', 'backup', join(data, 'garage'), '--data', data]);
        for (const name of ['cs.sqlite', 'files']) await rm(join(data, name), { recursive: true });
      },
    ],
  ])('is never made again beside %s', async (_what, lose) => {
    const data = await folder();
    await (await startService({ data, port: 0 })).close();
    await lose(data);
    await expect(startService({ data, port: 0 })).rejects.toMatchObject({ name: 'LostDatabase' });
    const { code, error } = await cs(['admin', 'team', 'create', 'Again', '--data', data]);
    expect([code, error.code]).toEqual([3, 'data_unusable']);
    expect(error.message).toMatch(
      /^The database of .* is lost: it has .*, but cs.sqlite is missing or empty.$/,
    );
    expect(error.hint).toMatch(/put the database back/);
  });
});

test('commits are synced to the disk', async () => {
  const { write } = service.admin.database;
  const settings = ['journal_mode', 'synchronous', 'fullfsync', 'checkpoint_fullfsync'];
  const found = await Promise.all(
    settings.map(async (name) => (await sql.raw(`pragma ${name}`).execute(write)).rows),
  );
  expect(found).toEqual([
    [{ journal_mode: 'wal' }],
    [{ synchronous: 2 }],
    [{ fullfsync: 1 }],
    [{ checkpoint_fullfsync: 1 }],
  ]);
});

test('a port in use: refused, and the folder is unlocked', async () => {
  const data = await folder();
  await expect(
    startService({ data, port: Number(new URL(service.url).port) }),
  ).rejects.toMatchObject({ code: 'EADDRINUSE' });
  await (await startService({ data, port: 0 })).close();
});

test('a connection without a request, as browsers open in advance, does not hold up the stop', async () => {
  const own = await startTestService();
  const socket = connect(Number(new URL(own.url).port), '127.0.0.1');
  await once(socket, 'connect');
  // The service has it too.
  await own.call('GET', '/me');
  // The time limit for requests that are still open never comes.
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  await Promise.all([once(socket.resume(), 'close'), own.close()]);
  expect(socket.bytesRead).toBe(0);
});

test('a clock that was set back does not hold up the stop', async () => {
  const own = await startTestService();
  const socket = connect(Number(new URL(own.url).port), '127.0.0.1');
  socket.write('GET /livez HTTP/1.1\r\nhost: here\r\n\r\n');
  await once(socket, 'data');
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 86_400_000 });
  onTestFinished(() => void vi.useRealTimers());
  await Promise.all([once(socket.resume(), 'close'), own.close()]);
  expect(socket.bytesRead).toBeGreaterThan(0);
});

test('close finishes open requests and accepts no new ones', async () => {
  // A photo that is fetched from here stays under way for as long as the test wants.
  const web = createServer().listen(0, '127.0.0.1');
  await once(web, 'listening');
  onTestFinished(() => void web.close());
  const { port } = web.address() as AddressInfo;
  const slow = await startTestService({
    source: { allowHttp: true, allowPrivate: true, ports: [port] },
  });
  const car = await facility(slow).car();
  const { url } = slow;

  const asked = once(web, 'request');
  const upload = slow.call('POST', `/cars/${car.id}/photos`, {
    sourceUrl: `http://127.0.0.1:${port}/a.png`,
  });
  const [, response] = await asked;
  const closed = slow.close();
  const connecting = async () => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    await once(socket, 'connect').finally(() => socket.destroy());
  };
  await vi.waitFor(() => expect(connecting()).rejects.toMatchObject({ code: 'ECONNREFUSED' }), {
    timeout: 60_000,
  });
  response.end(png());
  const answer = await upload;
  expect(answer.status).toBe(201);
  await closed;
});
