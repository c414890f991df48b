/** A running service deletes the bytes that no record uses any more, and those alone. */
import type { FastifyBaseLogger } from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { checkBytes, findOrphans } from '../../../src/service/check/bytes.ts';
import { deleteDue, startDeletions } from '../../../src/service/files/deletions.ts';
import { base64Of, facility, png } from '../../helpers/facility.ts';
import { startTestService } from '../../helpers/service.ts';

test('the bytes of a deleted photo go, those of another stay', async () => {
  const service = await startTestService({ deletions: { graceMs: 0, pollMs: 5 } });
  onTestFinished(() => service.close());
  const car = await facility(service).car();
  const add = async (number: number) =>
    (await service.call('POST', `/cars/${car.id}/photos`, { base64: base64Of(png(number)) })).body
      .data.id;
  const photos = [await add(1), await add(2)];
  const stored = async () => (await Array.fromAsync(service.admin.files.list())).length;
  expect(await stored()).toBe(2);
  const { status } = await service.call('DELETE', `/cars/${car.id}/photos/${photos[0]}`);
  expect(status).toBe(200);
  await expect.poll(stored).toBe(1);
  const left = await service.call('GET', `/cars/${car.id}/photos/${photos[1]}/content`);
  expect(left.status).toBe(200);
});

test('the bytes of a deleted photo stay a while, since an answer may still look for them, and are no orphans', async () => {
  const service = await startTestService();
  onTestFinished(() => service.close());
  const { admin } = service;
  const make = facility(service);
  const car = await make.car();
  const { id } = await make.photo(car.id);
  await service.call('DELETE', `/cars/${car.id}/photos/${id}`);
  expect(await deleteDue(admin, 3_600_000)).toBe(0);
  const all = await Array.fromAsync(admin.files.list());
  expect(await findOrphans(admin, all, -60_000)).toEqual([]);
  expect(await deleteDue(admin, -60_000)).toBe(1);
  expect(await Array.fromAsync(admin.files.list())).toEqual([]);
});

test('a file that cannot be deleted is logged, holds back no other, and is tried again', async () => {
  const service = await startTestService();
  onTestFinished(() => service.close());
  const { admin } = service;
  const make = facility(service);
  const car = await make.car();
  const stored = async () => (await Array.fromAsync(admin.files.list())).map(({ key }) => key);
  const { id } = await make.photo(car.id);
  let [stuck] = await stored();
  const other = await make.photo(car.id, { base64: base64Of(png(2)) });
  for (const photo of [id, other.id])
    await service.call('DELETE', `/cars/${car.id}/photos/${photo}`);
  const logged: unknown[] = [];
  const worker = startDeletions(
    {
      ...admin,
      files: {
        ...admin.files,
        remove: (key) =>
          key === stuck ? Promise.reject(new Error('Read-only')) : admin.files.remove(key),
      },
    },
    { error: (...line: unknown[]) => logged.push(line) } as unknown as FastifyBaseLogger,
    { graceMs: -60_000, pollMs: 5 },
  );
  onTestFinished(() => worker.stop());
  await expect.poll(stored).toEqual([stuck]);
  const due = () => admin.database.read.selectFrom('deletedBytes').select('key').execute();
  await expect.poll(due).toEqual([{ key: stuck }]);
  expect(logged[0]).toEqual([
    { err: new Error('Read-only') },
    "can't delete files that no record uses",
  ]);
  stuck = undefined;
  await expect.poll(stored).toEqual([]);
});

test('a photo that is deleted while the files are checked is not missing', async () => {
  const service = await startTestService();
  onTestFinished(() => service.close());
  const make = facility(service);
  const car = await make.car();
  const photo = await make.photo(car.id);
  const get = async () => {
    await service.call('DELETE', `/cars/${car.id}/photos/${photo.id}`);
    return undefined;
  };
  const stores = { ...service.admin, files: { ...service.admin.files, get } };
  expect(await checkBytes(stores, { sizes: undefined, onProgress() {} })).toEqual({
    files: 0,
    sizeBytes: 0,
    missing: [],
    damaged: [],
  });
});
