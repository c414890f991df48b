/** `cs cars photos add` and `download`, against the real service. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { RecordFor } from '../../src/contract/contract.ts';
import { cs } from '../helpers/cli.ts';
import { facility } from '../helpers/facility.ts';
import { makeFolder, removeFolder } from '../helpers/folder.ts';
import { startTestService, type TestService } from '../helpers/service.ts';

let service: TestService;
let env: Record<string, string>;
let cwd: string;
let car: RecordFor<'cars'>;
beforeAll(async () => {
  service = await startTestService();
  env = { CS_BASE_URL: service.url, CS_API_KEY: service.key };
});
afterAll(() => service.close());
beforeEach(async () => {
  cwd = await makeFolder();
  car = await facility(service).car();
});
afterEach(() => removeFolder(cwd));

const photo = (name: string, background: string) =>
  sharp({ create: { width: 32, height: 24, channels: 3, background } })
    .jpeg()
    .toFile(join(cwd, name));
const run = (...line: string[]) => cs(['cars', 'photos', ...line], { env, cwd });
const terminal = (...line: string[]) => cs(['cars', 'photos', ...line], { env, cwd, as: 'terminal' });

describe('add', () => {
  test('sends every photo and lists each', async () => {
    await photo('front.jpg', 'red');
    await photo('rear.jpg', 'blue');
    const event = await facility(service).event(car.id, { activityType: 'inspection' });
    const { code, json } = await run('add', car.id, '*.jpg', '--session', event.sessionId);
    expect(code).toBe(0);
    expect(json).toEqual([
      { file: 'front.jpg', filename: 'front.jpg', status: 'stored', id: expect.any(String), sizeBytes: expect.any(Number), error: null },
      { file: 'rear.jpg', filename: 'rear.jpg', status: 'stored', id: expect.any(String), sizeBytes: expect.any(Number), error: null },
    ]);
    expect((await run('list', car.id, '--session-id', event.sessionId)).json).toHaveLength(2);
  });

  test('one that fails keeps no other back; the command that sends it is told', async () => {
    await photo('front.jpg', 'red');
    await writeFile(join(cwd, 'not a photo.jpg'), 'text');
    const { code, json, error } = await run('add', car.id, 'not a photo.jpg', 'front.jpg', '--no-resize');
    expect(code).toBe(11);
    expect(json).toMatchObject([
      { file: 'not a photo.jpg', status: 'failed', id: null, error: { code: 'photo_not_a_photo' } },
      { file: 'front.jpg', status: 'stored', error: null },
    ]);
    expect(error).toMatchObject({ code: 'partial', exitCode: 11, message: '1 photo of 2 not stored.' });
    expect(error.details.again).toBe(`cs cars photos add ${car.id} --no-resize 'not a photo.jpg'`);
    expect((await terminal('add', car.id, 'not a photo.jpg', 'front.jpg')).stderr).toContain(
      `\`cs cars photos add ${car.id} 'not a photo.jpg'\``,
    );
  });

  test('when none is stored for one reason, the exit code is that reason', async () => {
    await photo('front.jpg', 'red');
    const key = await service.keyWith(['read:cars']);
    const { code, json, error } = await cs(['cars', 'photos', 'add', car.id, 'front.jpg'], { env: { ...env, CS_API_KEY: key }, cwd });
    expect([code, error.code]).toEqual([5, 'missing_scope']);
    expect(json).toMatchObject([{ status: 'failed', error: { code: 'missing_scope' } }]);
  });

  test('a file that is not there is told before anything is sent', async () => {
    await photo('front.jpg', 'red');
    const { code, error, stdout } = await run('add', car.id, 'front.jpg', 'rear.jpg');
    expect([code, error.code, stdout]).toEqual([3, 'photo_not_found', '']);
    expect((await run('list', car.id)).json).toEqual([]);
  });
});

describe('download', () => {
  const store = async () => {
    await photo('front.jpg', 'red');
    await photo('rear.jpg', 'blue');
    await run('add', car.id, 'front.jpg', 'rear.jpg', '--keep-location');
  };

  test('saves the bytes, and fetches nothing twice', async () => {
    await store();
    expect((await run('download', car.id, '--to', 'got')).json.map((one: { status: string }) => one.status)).toEqual(['saved', 'saved']);
    expect(await readFile(join(cwd, 'got/front.jpg'))).toEqual(await readFile(join(cwd, 'front.jpg')));
    expect((await readdir(join(cwd, 'got'))).sort()).toEqual(['front.jpg', 'rear.jpg']);
    const again = await run('download', car.id, 'front.jpg', '--to', 'got');
    expect(again.json).toMatchObject([{ file: 'got/front.jpg', status: 'already_there' }]);
  });

  test('never overwrites another file unless told to', async () => {
    await store();
    await mkdir(join(cwd, 'got'));
    await writeFile(join(cwd, 'got/front.jpg'), 'mine');
    const { code, json } = await run('download', car.id, '--to', 'got');
    expect(code).toBe(11);
    expect(json.find((one: { file: string }) => one.file === 'got/front.jpg')).toMatchObject({
      status: 'failed',
      error: { code: 'file_exists' },
    });
    expect(await readFile(join(cwd, 'got/front.jpg'), 'utf8')).toBe('mine');
    expect((await run('download', car.id, '--to', 'got', '--overwrite')).code).toBe(0);
    expect(await readFile(join(cwd, 'got/front.jpg'))).toEqual(await readFile(join(cwd, 'front.jpg')));
  });

  test('photos of the same name are all saved', async () => {
    const make = facility(service);
    await make.photo(car.id, { filename: 'same.png' });
    await make.photo(car.id, { filename: 'SAME.png' });
    expect((await run('download', car.id, '--to', 'got')).code).toBe(0);
    expect(await readdir(join(cwd, 'got'))).toHaveLength(2);
    const named = await run('download', car.id, 'same.png');
    expect([named.code, named.error.code]).toEqual([14, 'ambiguous_name']);
  });

  test('no photos is an empty list', async () => {
    const { code, json } = await run('download', car.id);
    expect([code, json]).toEqual([0, []]);
  });
});
