/** A third-party generator makes a client from the description: the client compiles, and works with the running service. */
import { symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openApiDocument } from '../../src/openapi/document.ts';
import { makeFolder, removeFolder } from '../helpers/folder.ts';
import { startTestService } from '../helpers/service.ts';

const root = resolve(import.meta.dirname, '../..');
const service = await startTestService();
const folder = await makeFolder();
afterAll(async () => {
  await service.close();
  await removeFolder(folder);
});
const run = (command: string, argv: string[], env = {}) =>
  execa(command, argv, { cwd: folder, preferLocal: true, localDir: root, env, reject: false, all: true });
const compile = (file: string) =>
  run('tsc', [
    '--noEmit',
    '--strict',
    '--module',
    'nodenext',
    '--target',
    'es2024',
    '--allowImportingTsExtensions',
    '--types',
    'node',
    file,
  ]);

/** A typical integration: creates, changes and finds a record, handles an error, and sends the same request twice. */
const program = `
import { carsCreate, carsGet, carsList, carsUpdate, carPhotosCreate, carPhotosGet, defaults, locationsDelete, locationsCreate } from './client.ts';
defaults.baseUrl = process.env.BASE_URL ?? '';
defaults.headers = { 'x-api-key': process.env.API_KEY };

const again = { idempotencyKey: 'once', carCreate: { year: 1973, make: 'Porsche', model: '911' } };
const [first, second] = [await carsCreate(again), await carsCreate(again)];
if (first.status !== 201 || second.status !== 201) throw new Error('not created');
const { id } = first.data.data;
const refused = await carsCreate({ carCreate: { year: 1800, make: 'Cugnot', model: 'Fardier' } });
const changed = await carsUpdate({ id, carUpdate: { color: 'red', nickname: null } });
const read = await carsGet({ id });
const page = await carsList({ ids: [id], limit: 1, updatedAfter: '2026-01-01T00:00:00+01:00' });
const photo = await carPhotosCreate({ id, photoCreate: { base64: process.env.PHOTO ?? '' } });
if (photo.status !== 201) throw new Error('no photo');
const stored = await carPhotosGet({ id, photoId: photo.data.data.id });
const location = await locationsCreate({ locationCreate: { name: 'Hall' } });
const gone = await locationsDelete({ id: location.status === 201 ? location.data.data.id : '', hard: true });
console.log(JSON.stringify({
  once: second.data.data.id === id,
  refused: refused.status === 422 ? refused.data.code : null,
  color: changed.status === 200 ? changed.data.data.color : null,
  year: read.status === 200 ? read.data.data.year + 0 : null,
  total: page.status === 200 ? page.data.total : null,
  type: stored.status === 200 ? stored.data.data.contentType : null,
  gone: gone.status === 200 ? gone.data.data.deleted : null,
}));
`;
const onePixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

beforeAll(async () => {
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await writeFile(join(folder, 'openapi.json'), JSON.stringify(openApiDocument()));
  const { exitCode, all } = await run('oazapfts', ['openapi.json', 'client.ts', '--argumentStyle=object']);
  expect({ exitCode, all }).toMatchObject({ exitCode: 0 });
});

test('it compiles, and a type error does not', async () => {
  await writeFile(join(folder, 'use.ts'), program);
  expect(await compile('use.ts')).toMatchObject({ exitCode: 0, all: '' });
  await writeFile(join(folder, 'misuse.ts'), program.replace('year: 1973', "year: 'old'"));
  const { exitCode, all } = await compile('misuse.ts');
  expect(exitCode).not.toBe(0);
  expect(all).toContain('misuse.ts');
});

test('it works', async () => {
  await writeFile(join(folder, 'use.ts'), program);
  const env = { BASE_URL: `${service.url}/api/v1`, API_KEY: service.key, PHOTO: onePixel };
  const { exitCode, all, stdout } = await run(process.execPath, ['use.ts'], env);
  expect(exitCode, all).toBe(0);
  expect(JSON.parse(stdout)).toEqual({
    once: true,
    refused: 'validation_failed',
    color: 'red',
    year: 1973,
    total: 1,
    type: 'image/png',
    gone: true,
  });
});
