/** The npm package is whole and sound, and a program that installs it compiles under the defaults of TypeScript, with a type for each record. */
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { execa } from 'execa';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { liveTree } from '../src/cli/commands/catalogue.ts';
import { manPages } from '../src/cli/framework/reference/man.ts';
import { contract } from '../src/contract/contract.ts';
import { titleOf } from '../src/openapi/record.ts';
import { makeFolder, removeFolder } from './helpers/folder.ts';
import { type Packed, packInto } from './helpers/packed.ts';

/** Every resource has a record type with the name of its schema in the interface description. */
const records = Object.values(contract).map((resource) => ({
  key: resource.name,
  type: titleOf(resource),
}));

const program = `
import { createClient, sync, uploadPhotos, ApiError, type RecordFor, type PhotoFile } from 'car-storage';
import type { ${records.map(({ type }, at) => `${type} as Record${at}`).join(', ')} } from 'car-storage';
import type { Car } from 'car-storage';

type Same<A, B> = [A, B] extends [B, A] ? true : false;
export const same: [${records.map(({ key }, at) => `Same<Record${at}, RecordFor<'${key}'>>`).join(', ')}] = [${records.map(() => 'true').join(', ')}];

const client = createClient({ baseUrl: 'https://cars.example.com', key: 'key', signal: AbortSignal.timeout(1000) });
export const plate = ({ licensePlate }: Car): string => licensePlate ?? 'none';
export async function use(photos: PhotoFile[]): Promise<number> {
  const car: Car = await client.cars.create({ year: 1973, make: 'Porsche', model: '911' });
  // @ts-expect-error: the year is a number
  await client.cars.create({ year: 'old', make: 'Porsche', model: '911' });
  const results = await uploadPhotos({ client, carId: car.id, photos });
  for await (const spot of client.parkingSpots.all({ available: true })) spot.name.trim();
  for await (const page of client.cars.all({ ids: [car.id] }).pages()) page.map(plate);
  const { data, total } = await client.appointments.list({ status: 'scheduled', limit: 200 });
  for await (const customer of sync(client, 'customers')) customer.email?.trim();
  const { headers } = await client.transport.request({ method: 'GET', path: '/me' });
  try {
    for await (const piece of (await client.carPhotos.content(car.id, car.id)).body) piece.byteLength.toFixed();
  } catch (error) {
    if (error instanceof ApiError) error.status.toFixed();
  }
  return results.length + data.length + (total ?? 0) + Object.keys(headers).length;
}
`;

const root = resolve(import.meta.dirname, '..');
const folder = await makeFolder();
afterAll(() => removeFolder(folder));
const project = join(folder, 'project');
const installed = join(project, 'node_modules');
let packed: Packed;

// The declared dependencies and nothing else. They come from this checkout, so that the test needs no registry.
beforeAll(async () => {
  await mkdir(join(installed, 'car-storage'), { recursive: true });
  packed = await packInto(folder);
  await execa('tar', [
    '-xzf',
    packed.tarball,
    '-C',
    join(installed, 'car-storage'),
    '--strip-components',
    '1',
  ]);
  const { dependencies } = JSON.parse(
    await readFile(join(installed, 'car-storage/package.json'), 'utf8'),
  ) as {
    dependencies: Record<string, string>;
  };
  for (const name of Object.keys(dependencies)) await install(name);
  await writeFile(join(project, 'package.json'), '{ "type": "module" }');
  await writeFile(join(project, 'program.ts'), program);
});

async function install(name: string) {
  await mkdir(dirname(join(installed, name)), { recursive: true });
  await symlink(join(root, 'node_modules', name), join(installed, name));
}

test('what only the build makes is packed', async () => {
  const pages = Object.keys(await manPages(liveTree)).map((name) => `dist/man/${name}`);
  expect(packed.files).toEqual(
    expect.arrayContaining([
      ...pages,
      'dist/openapi.json',
      'bin/cs.js',
      'dist/phone/page.html',
      'completions/_cs',
      'docs/reference/README.md',
      'package.json',
      'LICENSE',
    ]),
  );
});

test('publint finds nothing', async () => {
  const { messages, pkg } = await publint({
    pack: { tarball: (await readFile(packed.tarball)).buffer },
    strict: true,
  });
  expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
});

test('its types are found and are those of the code, in every module system that loads it', async () => {
  const analysis = await checkPackage(createPackageFromTarballData(await readFile(packed.tarball)));
  if (!analysis.types) throw new Error('no types');
  // It is an ES module: `require` loads it in every supported Node, and only TypeScript before version 5 knows no `exports`.
  const modern = analysis.problems.filter(
    (problem) =>
      problem.kind !== 'CJSResolvesToESM' &&
      !('resolutionKind' in problem && problem.resolutionKind === 'node10'),
  );
  expect(modern).toEqual([]);
});

// Long, since each compiler reads every type of the package and of zod.
const timeout = 300_000;
const compile = (compiler: string, argv: string[]) =>
  execa(
    join(root, compiler),
    [
      '--noEmit',
      '--strict',
      '--skipLibCheck',
      'false',
      '--target',
      'es2024',
      ...argv,
      'program.ts',
    ],
    {
      cwd: project,
      reject: false,
      all: true,
    },
  );

describe.each([
  ['TypeScript 7', 'node_modules/.bin/tsc'],
  ['TypeScript 5', '.generators/node_modules/.bin/tsc'],
])('%s', (_name, compiler) => {
  test.each([
    ['nodenext', ['--module', 'nodenext']],
    ['bundler', ['--module', 'esnext', '--moduleResolution', 'bundler']],
  ])('compiles with %s', { timeout }, async (_resolution, argv) => {
    expect(await compile(compiler, argv)).toMatchObject({ exitCode: 0, all: '' });
  });
});
