/** Client generators of others, with their default settings: each client compiles, and works with the running service. */
import { copyFile, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeFolder, removeFolder } from '../helpers/folder.ts';
import { startTestService } from '../helpers/service.ts';

const root = resolve(import.meta.dirname, '../..');
// The generators need another TypeScript than the project, so they are installed in a folder of their own.
const generators = join(root, '.generators');
/** Long, since a generator or compiler reads the whole interface. */
const timeout = 300_000;

interface Generator {
  readonly name: string;
  /** The command that makes the client from `openapi.json`. */
  readonly generate: readonly [command: string, ...argv: string[]];
  /**
   * A typical integration: it creates, changes, finds and deletes records, handles an error, sends a photo, and sends the same request
   * twice.
   */
  readonly program: string;
}

const start = `
const baseUrl = process.env.BASE_URL ?? '';
const headers = { 'x-api-key': process.env.API_KEY ?? '' };
const base64 = process.env.PHOTO ?? '';
const porsche = { year: 1973, make: 'Porsche', model: '911' };
const lancia = { year: 1969, make: 'Lancia', model: 'Fulvia' };
const tooOld = { year: 1800, make: 'Cugnot', model: 'Fardier' };
const once = { 'Idempotency-Key': 'once' };
const updatedAfter = '2026-01-01T00:00:00+01:00';
`;
const end = `
console.log(JSON.stringify({
  once: again.id === first.id,
  refused: refused.code,
  color: changed.color,
  years: found.data.map(({ year }) => year + 0).sort(),
  total: found.total,
  model: read.model,
  photo: photo.contentType,
  gone: gone.deleted,
}));
`;

const all: Generator[] = [
  {
    name: 'openapi-typescript with openapi-fetch',
    generate: ['openapi-typescript', 'openapi.json', '-o', 'schema.d.ts'],
    program: `
import createClient from 'openapi-fetch';
import type { paths } from './schema.d.ts';
${start}
const client = createClient<paths>({ baseUrl, headers });
function given<T>({ data, error }: { data?: { data: T }; error?: { error: string } }): T {
  if (!data) throw new Error(error?.error);
  return data.data;
}
const first = given(await client.POST('/cars', { params: { header: once }, body: porsche }));
const again = given(await client.POST('/cars', { params: { header: once }, body: porsche }));
const second = given(await client.POST('/cars', { body: lancia }));
const { error: refused } = await client.POST('/cars', { body: tooOld });
if (!refused) throw new Error('not refused');
const path = { id: first.id };
const changed = given(await client.PATCH('/cars/{id}', { params: { path }, body: { color: 'red', nickname: null } }));
const { data: found } = await client.GET('/cars', { params: { query: { ids: [first.id, second.id], limit: 10, updatedAfter } } });
if (!found) throw new Error('no list');
const read = given(await client.GET('/cars/{id}', { params: { path } }));
const sent = given(await client.POST('/cars/{id}/photos', { params: { path }, body: { base64 } }));
const photo = given(await client.GET('/cars/{id}/photos/{photoId}', { params: { path: { ...path, photoId: sent.id } } }));
const location = given(await client.POST('/locations', { body: { name: 'Hall of openapi-fetch' } }));
const gone = given(await client.DELETE('/locations/{id}', { params: { path: { id: location.id }, query: { hard: true } } }));
${end}`,
  },
  {
    name: '@hey-api/openapi-ts',
    generate: ['openapi-ts', '-i', 'openapi.json', '-o', 'client'],
    program: `
import { carPhotosCreate, carPhotosGet, carsCreate, carsGet, carsList, carsUpdate, locationsCreate, locationsDelete } from './client/index.js';
import { client } from './client/client.gen.js';
${start}
client.setConfig({ baseUrl, headers });
const throwOnError = true;
const { data: { data: first } } = await carsCreate({ body: porsche, headers: once, throwOnError });
const { data: { data: again } } = await carsCreate({ body: porsche, headers: once, throwOnError });
const { data: { data: second } } = await carsCreate({ body: lancia, throwOnError });
const { error: refused } = await carsCreate({ body: tooOld });
if (!refused) throw new Error('not refused');
const path = { id: first.id };
const { data: { data: changed } } = await carsUpdate({ path, body: { color: 'red', nickname: null }, throwOnError });
const { data: found } = await carsList({ query: { ids: [first.id, second.id], limit: 10, updatedAfter }, throwOnError });
const { data: { data: read } } = await carsGet({ path, throwOnError });
const { data: { data: sent } } = await carPhotosCreate({ path, body: { base64 }, throwOnError });
const { data: { data: photo } } = await carPhotosGet({ path: { ...path, photoId: sent.id }, throwOnError });
const { data: { data: location } } = await locationsCreate({ body: { name: 'Hall of hey-api' }, throwOnError });
const { data: { data: gone } } = await locationsDelete({ path: { id: location.id }, query: { hard: true }, throwOnError });
${end}`,
  },
  {
    name: 'orval',
    generate: ['orval', '--input', 'openapi.json', '--output', 'client.ts'],
    program: `
import axios from 'axios';
import { carPhotosCreate, carPhotosGet, carsCreate, carsGet, carsList, carsUpdate, locationsCreate, locationsDelete } from './client.js';
import type { Problem } from './client.js';
${start}
// axios repeats the name of a list as ids[] otherwise.
Object.assign(axios.defaults, { baseURL: baseUrl, headers, paramsSerializer: { indexes: null } });
const { data: { data: first } } = await carsCreate(porsche, { headers: once });
const { data: { data: again } } = await carsCreate(porsche, { headers: once });
const { data: { data: second } } = await carsCreate(lancia);
const refused = await carsCreate(tooOld).then(
  () => { throw new Error('not refused'); },
  (error) => { if (axios.isAxiosError<Problem>(error) && error.response) return error.response.data; throw error; },
);
const { data: { data: changed } } = await carsUpdate(first.id, { color: 'red', nickname: null });
const { data: found } = await carsList({ ids: [first.id, second.id], limit: 10, updatedAfter });
const { data: { data: read } } = await carsGet(first.id);
const { data: { data: sent } } = await carPhotosCreate(first.id, { base64 });
const { data: { data: photo } } = await carPhotosGet(first.id, sent.id);
const { data: { data: location } } = await locationsCreate({ name: 'Hall of orval' });
const { data: { data: gone } } = await locationsDelete(location.id, { hard: true });
${end}`,
  },
  {
    name: 'swagger-typescript-api',
    generate: ['swagger-typescript-api', 'generate', '-p', 'openapi.json', '-o', '.'],
    program: `
import { Api, type HttpResponse, type Problem } from './Api.js';
${start}
const { cars, locations } = new Api({ baseUrl, baseApiParams: { headers } });
const { data: { data: first } } = await cars.carsCreate(porsche, { headers: once });
const { data: { data: again } } = await cars.carsCreate(porsche, { headers: once });
const { data: { data: second } } = await cars.carsCreate(lancia);
const refused = await cars.carsCreate(tooOld).then(
  () => { throw new Error('not refused'); },
  (answer: HttpResponse<unknown, Problem>) => answer.error,
);
const { data: { data: changed } } = await cars.carsUpdate(first.id, { color: 'red', nickname: null });
const { data: found } = await cars.carsList({ ids: [first.id, second.id], limit: 10, updatedAfter });
const { data: { data: read } } = await cars.carsGet(first.id);
const { data: { data: sent } } = await cars.carPhotosCreate(first.id, { base64 });
const { data: { data: photo } } = await cars.carPhotosGet(first.id, sent.id);
const { data: { data: location } } = await locations.locationsCreate({ name: 'Hall of swagger-typescript-api' });
const { data: { data: gone } } = await locations.locationsDelete(location.id, { hard: true });
${end}`,
  },
];

const onePixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** The strict defaults of TypeScript, for a program on Node. */
const tsconfig = {
  compilerOptions: {
    module: 'nodenext',
    target: 'es2024',
    types: ['node'],
    strict: true,
    outDir: 'built',
    skipLibCheck: true,
  },
};

describe.each(all)('$name', ({ generate: [command, ...argv], program }) => {
  let folder: string;
  const run = (
    file: string,
    args: readonly string[],
    options: { localDir?: string; env?: Record<string, string> } = {},
  ) =>
    execa(file, args, {
      cwd: folder,
      preferLocal: true,
      localDir: root,
      reject: false,
      all: true,
      ...options,
    });
  let service: Awaited<ReturnType<typeof startTestService>>;

  beforeAll(async () => {
    [folder, service] = await Promise.all([makeFolder(), startTestService()]);
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
    await copyFile(join(root, 'dist/openapi.json'), join(folder, 'openapi.json'));
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
    await writeFile(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ ...tsconfig, exclude: ['misuse'] }),
    );
    await writeFile(join(folder, 'use.ts'), program);
    expect(await run(command, argv, { localDir: generators })).toMatchObject({ exitCode: 0 });
  }, timeout);
  afterAll(async () => {
    await service.close();
    await removeFolder(folder);
  });

  test('it compiles and works', { timeout }, async () => {
    expect(await run('tsc', ['-p', '.'])).toMatchObject({ exitCode: 0, all: '' });
    const env = { BASE_URL: `${service.url}/api/v1`, API_KEY: service.key, PHOTO: onePixel };
    const {
      exitCode,
      all: output,
      stdout,
    } = await run(process.execPath, ['built/use.js'], { env });
    expect(exitCode, output).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      once: true,
      refused: 'validation_failed',
      color: 'red',
      years: [1969, 1973],
      total: 2,
      model: '911',
      photo: 'image/png',
      gone: true,
    });
  });

  test('a wrong type is an error', { timeout }, async () => {
    await mkdir(join(folder, 'misuse'));
    const wrong = program.replace('year: 1973', "year: 'old'").replaceAll("'./", "'../");
    await writeFile(join(folder, 'misuse/misuse.ts'), wrong);
    await writeFile(join(folder, 'misuse/tsconfig.json'), JSON.stringify(tsconfig));
    const { exitCode, all: output } = await run('tsc', ['-p', 'misuse', '--noEmit']);
    expect(exitCode).not.toBe(0);
    expect(output).toMatch(/misuse\.ts\(.*'string' is not assignable to type 'number'/s);
  });
});
