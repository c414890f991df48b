/** What the files of a team may take. Parallel uploads: concurrency.test.ts. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { setQuota } from '../../src/service/admin.ts';
import { usedBytesOf } from '../../src/service/rules/stored-bytes.ts';
import { signInAdmin } from '../helpers/dashboard.ts';
import { base64Of, facility, png } from '../helpers/facility.ts';
import { testService } from '../helpers/service.ts';
import { filesOf } from '../helpers/stored-files.ts';

const service = await testService({ teamQuota: 2_500, dashboard: {} });
const { admin } = service;
const file = (seed: number) => ({ base64: base64Of(png(seed, 1_000)) });

test('a file above the limit is refused before it is stored, a repeat is not, and a delete makes room', async () => {
  const own = await service.newTeam();
  const { team } = (await own.call('GET', '/me')).body.data;
  const car = await facility(own).car();
  const photos = `/cars/${car.id}/photos`;
  const photo = (await own.call('POST', photos, file(1))).body.data;
  const asset = (await own.call('POST', '/marketing/assets', file(2))).body.data;

  const written = async () =>
    (await stat(join(service.data, 'files', 'tmp'), { bigint: true })).mtimeNs;
  const before = await written();
  for (const path of [photos, '/marketing/assets']) {
    const { status, body } = await own.call('POST', path, file(3));
    expect([status, body.code]).toEqual([422, 'quota_exceeded']);
    expect(body.details).toEqual({ sizeBytes: 1_000, usedBytes: 2_000, quotaBytes: 2_500 });
  }
  expect(await written()).toBe(before);
  const again = await own.call('POST', photos, file(1));
  expect([again.status, again.body.data.id]).toEqual([200, photo.id]);
  // Bytes of another record count for each of the two.
  expect((await own.call('POST', '/marketing/assets', file(1))).body.code).toBe('quota_exceeded');

  await own.call('DELETE', `/marketing/assets/${asset.id}`);
  expect((await own.call('POST', photos, file(3))).status).toBe(201);
  expect(await usedBytesOf(admin.database.read, team.id)).toBe(2_000);
  expect(await filesOf(admin, team.id)).toHaveLength(2);
});

test('the limit of a team comes before that of the service, and the dashboard shows both numbers', async () => {
  const { ask } = await signInAdmin(service);
  const usage = async () => {
    const { usedBytes, quotaBytes } = (await ask('GET', '/api/v1/team/usage')).body.data;
    return [usedBytes, quotaBytes];
  };
  const add = async (seed: number) =>
    (await service.call('POST', '/marketing/assets', file(seed))).status;
  await setQuota(admin, 'first', 1_000);
  expect([await add(1), await add(2)]).toEqual([201, 422]);
  expect(await usage()).toEqual([1_000, 1_000]);
  await setQuota(admin, 'first', null);
  expect([await add(2), await add(3)]).toEqual([201, 422]);
  expect(await usage()).toEqual([2_000, 2_500]);
});
