/** Pictures of photos take bounded memory and time, whoever asks for them. */
import { Readable } from 'node:stream';
import sharp from 'sharp';
import { expect, onTestFinished, test } from 'vitest';
import { findTeam } from '../../../src/service/admin.ts';
import { createPictures } from '../../../src/service/dashboard/pictures.ts';
import type { ApiProblem } from '../../../src/service/problem.ts';
import type { Stores } from '../../../src/service/stores.ts';
import { takeTurns } from '../../../src/service/turns.ts';
import { signInAdmin } from '../../helpers/dashboard.ts';
import { facility } from '../../helpers/facility.ts';
import { testService } from '../../helpers/service.ts';

const service = await testService({ dashboard: {} });
const records = facility(service);

const sha256Of = (key: string): string => key.slice(40, 104);

/** Files that are read when the test says so. */
function heldFiles() {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const reads: string[] = [];
  const files = {
    async get(key: string) {
      reads.push(sha256Of(key));
      await released;
      throw new Error('away');
    },
  } as unknown as Stores['files'];
  onTestFinished(() => release());
  return { files, reads, release };
}

test('who waits holds no bytes, and is forgotten when the browser has left', async () => {
  const { id } = await records.photo((await records.car()).id);
  const { files, reads, release } = heldFiles();
  const team = await findTeam(service.admin, 'first');
  const left = new AbortController();
  const read = createPictures({ ...service.admin, files });
  const ask = (signal = new AbortController().signal) =>
    read({ team, id, width: '320', signal }).catch((error: Error) => error.message);
  const first = [ask(), ask()];
  await expect.poll(() => reads.length).toBe(2);
  const abandoned = ask(left.signal);
  left.abort(new Error('left'));
  expect(await abandoned).toBe('left');
  const third = ask();
  release();
  expect(await Promise.all([...first, third])).toEqual(['away', 'away', 'away']);
  expect(reads.length).toBe(3);
});

test('a browser that leaves a waiting picture costs nothing more', async () => {
  const { id } = await records.photo((await records.car()).id);
  const admin = await signInAdmin(service);
  const { files, reads, release } = heldFiles();
  const team = await findTeam(service.admin, 'first');
  const signal = new AbortController().signal;
  const read = createPictures({ ...service.admin, files });
  const held = [1, 2].map(() => read({ team, id, width: '320', signal }).catch(() => undefined));
  await expect.poll(() => reads.length).toBe(2);
  const leaving = Array.from({ length: 61 }, () => new AbortController());
  const ask = (end = new AbortController()) =>
    fetch(`${service.url}/dashboard/photos/${id}?width=320`, {
      headers: { cookie: admin.cookie },
      signal: end.signal,
    });
  const asked = leaving.map((end) =>
    ask(end)
      .then(({ status }) => status)
      .catch(() => 'left'),
  );
  // One more than the team has room for.
  expect(await Promise.race(asked)).toBe(429);
  for (const end of leaving) end.abort();
  expect(new Set(await Promise.all(asked))).toEqual(new Set([429, 'left']));
  release();
  await Promise.all(held);
  await expect.poll(async () => (await ask()).status).toBe(200);
});

test('a picture of too many pixels is refused before it is decoded, in clear words', async () => {
  const bytes = await sharp({
    create: { width: 5100, height: 5000, channels: 3, background: '#336699' },
  })
    .png({ compressionLevel: 9 })
    .toBuffer();
  const car = await records.car();
  const stored = await service.call('POST', `/cars/${car.id}/photos`, {
    base64: bytes.toString('base64'),
    filename: 'a.png',
  });
  const admin = await signInAdmin(service);
  expect(await admin.ask('GET', `/photos/${stored.body.data.id}?width=320`)).toMatchObject({
    status: 422,
    body: {
      code: 'photo_type_unsupported',
      error:
        "This photo has more than 25 megapixels, so it can't be shown smaller; open the original",
    },
  });
});

test('a picture is made once, and what cannot be made is refused at once the next time', async () => {
  const car = await records.car();
  const photo = await records.photo(car.id);
  const damaged = await records.photo(car.id);
  const reads: string[] = [];
  const files = Object.assign(Object.create(service.admin.files), {
    async get(key: string) {
      reads.push(sha256Of(key));
      const bytes = await service.admin.files.get(key);
      if (reads.length <= 2) return bytes;
      bytes?.stream.destroy();
      return { size: 4, stream: Readable.from([Buffer.from('none')]) };
    },
  }) as Stores['files'];
  const read = createPictures({ ...service.admin, files });
  const team = await findTeam(service.admin, 'first');
  const ask = (id: string, width: string) =>
    read({ team, id, width, signal: new AbortController().signal }).catch(
      (error: ApiProblem) => error.code,
    );
  // At once, and again; another size is another picture.
  const [first, second] = await Promise.all([ask(photo.id, '320'), ask(photo.id, '1280')]);
  expect(await Promise.all([ask(photo.id, '320'), ask(photo.id, '1280')])).toEqual([first, second]);
  expect(reads.length).toBe(2);
  for (let at = 0; at < 3; at++)
    expect(await ask(damaged.id, '320')).toBe('photo_type_unsupported');
  expect(reads.length).toBe(3);
});

test('tasks of one owner leave the next place to another, and owners take turns', async () => {
  const inTurn = takeTurns({ most: 2, mostWaiting: 20, refusal: 'Too many' });
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const started: string[] = [];
  const run = (owner: string) =>
    inTurn(
      async () => {
        started.push(owner);
        await gate;
      },
      { owner },
    );
  const tasks = ['a', 'a', 'a', 'a', 'a', 'b', 'b', 'c'].map(run);
  open();
  await Promise.all(tasks);
  expect(started.join('')).toBe('aabacbaa');
});

test('one owner takes a part of the places only, and a place that was left is free again', async () => {
  const inTurn = takeTurns({ most: 1, mostWaiting: 3, mostWaitingEach: 2, refusal: 'Too many' });
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const done: string[] = [];
  const left = new AbortController();
  const run = (owner: string, signal?: AbortSignal) =>
    inTurn(
      async () => {
        await gate;
        done.push(owner);
      },
      { owner, ...(signal && { signal }) },
    ).catch((error: Error) => error.message);
  const tasks = [run('a'), run('a'), run('a', left.signal)];
  expect(await run('a')).toBe('Too many. Retry in 1 s');
  tasks.push(run('b'));
  expect(await run('c')).toBe('Too many. Retry in 1 s');
  left.abort(new Error('left'));
  tasks.push(run('c'));
  open();
  expect(await Promise.all(tasks)).toEqual([undefined, undefined, 'left', undefined, undefined]);
  expect(done).toEqual(['a', 'a', 'b', 'c']);
  // One who left before the turn never runs, and one who leaves in it doesn't disturb others.
  expect(await run('d', left.signal)).toBe('left');
  expect(await run('e')).toBeUndefined();
});
