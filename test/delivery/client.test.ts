/** car-storage-client in an empty project: small, with types, and it lists cars. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeFolder, removeFolder } from '../helpers/folder.ts';
import { startTestService } from '../helpers/service.ts';

const root = resolve(import.meta.dirname, '../..');
const folder = await makeFolder();
afterAll(() => removeFolder(folder));
const project = join(folder, 'project');

beforeAll(async () => {
  const made = join(folder, 'package');
  await execa(process.execPath, [join(root, 'scripts/client-package.mjs'), made], { cwd: root });
  await execa('npm', ['pack', '--pack-destination', folder], { cwd: made });
  const { version } = JSON.parse(await readFile(join(made, 'package.json'), 'utf8'));
  await mkdir(project);
  await writeFile(join(project, 'package.json'), '{"type":"module"}');
  const tarball = join(folder, `car-storage-client-${version}.tgz`);
  const started = performance.now();
  await execa('npm', ['install', '--no-audit', '--no-fund', tarball], { cwd: project });
  console.log(`Installed in ${Math.round((performance.now() - started) / 1000)} s.`);
});

test('at most 3 packages and 5 MB', async () => {
  const lock = await readFile(join(project, 'node_modules/.package-lock.json'), 'utf8');
  const names = Object.keys(JSON.parse(lock).packages);
  expect(names.sort()).toEqual(['node_modules/car-storage-client', 'node_modules/undici']);
  const { stdout } = await execa('du', ['-sb', '--apparent-size', 'node_modules'], {
    cwd: project,
  });
  expect(Number.parseInt(stdout, 10)).toBeLessThan(5_000_000);
});

const program = `
import { ApiError, createClient, type Car } from 'car-storage-client';
const client = createClient({ baseUrl: process.argv[2] as string, key: process.argv[3] as string });
const made: Car = await client.cars.create({ year: 1961, make: 'Jaguar', model: 'E-Type', licensePlate: 'HH-E 61H' });
for await (const car of client.cars.all({ ids: [made.id] })) console.log(car.licensePlate, car.year.toFixed());
await client.cars.get(crypto.randomUUID()).catch((error) => { if (error instanceof ApiError) console.log(error.status); });
// @ts-expect-error: the field is a number
await client.cars.create({ year: '1961', make: 'Jaguar', model: 'E-Type' }).catch((error) => console.log(error.code));
await client.close();
`;

/** Each example of the page is a module of its own. */
async function examples(): Promise<string[]> {
  const page = await readFile(join(root, 'docs/client.md'), 'utf8');
  const found = Array.from(page.matchAll(/^```ts\n(.*?)^```/gms), ([, text]) => text as string);
  expect(found.length).toBeGreaterThan(4);
  await Promise.all(
    found.map((text, at) => writeFile(join(project, `example-${at}.ts`), `${text}\nexport {};\n`)),
  );
  return found.map((_text, at) => `example-${at}.ts`);
}

test('its types are whole without zod, and the program runs', async () => {
  await writeFile(join(project, 'list.ts'), program);
  await writeFile(
    join(project, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        strict: true,
        noEmit: true,
        target: 'es2024',
        module: 'nodenext',
        types: ['node'],
        typeRoots: [join(root, 'node_modules/@types')],
      },
      files: ['list.ts', ...(await examples())],
    }),
  );
  const tsc = await execa(join(root, 'node_modules/.bin/tsc'), ['-p', project], { reject: false });
  expect(tsc.stdout).toBe('');
  const service = await startTestService();
  try {
    const { stdout } = await execa(process.execPath, ['list.ts', service.url, service.key], {
      cwd: project,
    });
    expect(stdout.split('\n')).toEqual(['HH-E 61H 1961', '404', 'validation_failed']);
  } finally {
    await service.close();
  }
});
