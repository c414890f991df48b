/**
 * Writes the typed client as a package of its own, car-storage-client, for programs that need neither command nor service:
 * `node scripts/client-package.mjs [FOLDER]`. `npm run build` comes first. Its one dependency is undici, for Node.
 */
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';
import { base, notice, notices, root, written } from './bundle.js';

const folder = process.argv[2] ?? 'release/car-storage-client';
const path = (name) => fileURLToPath(new URL(name, root));
const read = (name) => JSON.parse(readFileSync(path(name), 'utf8'));
const { version, license, repository, devDependencies } = read('package.json');

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const { output } = await build({
  ...base,
  input: 'src/client/client.ts',
  external: [/^undici(\/|$)/],
  output: { ...written, format: 'esm', file: join(folder, 'client.js'), codeSplitting: false },
});
copyFileSync(path('dist/client/fetch.js'), join(folder, 'fetch.js'));
addTypes();
copyFileSync(path('LICENSE'), join(folder, 'LICENSE'));
copyFileSync(path('docs/client.md'), join(folder, 'README.md'));
writeFileSync(
  join(folder, 'THIRD-PARTY-NOTICES.txt'),
  [notices(output), notice(path('node_modules/zod'))].filter(Boolean).join('\n'),
);
const other = { bun: './fetch.js', deno: './fetch.js', node: './client.js', default: './fetch.js' };
writeFileSync(
  join(folder, 'package.json'),
  `${JSON.stringify(
    {
      name: 'car-storage-client',
      version,
      description: 'A typed client for the interface of a car storage facility.',
      type: 'module',
      license,
      repository,
      sideEffects: false,
      engines: read('node_modules/undici/package.json').engines,
      exports: {
        '.': { types: './types/client/client.d.ts', ...other },
        './package.json': './package.json',
      },
      dependencies: { undici: devDependencies.undici },
    },
    null,
    2,
  )}\n`,
);

/** The types, with those of zod that they name: the package itself is larger than the rest together, and nothing of it runs. */
function addTypes() {
  const types = join(folder, 'types');
  cpSync(path('dist/types'), types, { recursive: true });
  const needed = new Set(['index.d.ts']);
  for (const name of needed) {
    const text = readFileSync(path(`node_modules/zod/${name}`), 'utf8');
    mkdirSync(dirname(join(types, 'zod', name)), { recursive: true });
    writeFileSync(join(types, 'zod', name), text);
    for (const [, target] of text.matchAll(/(?:from |import\()["'](\.[^"']+)\.js["']/g))
      needed.add(join(dirname(name), `${target}.d.ts`).replaceAll('\\', '/'));
  }
  for (const name of readdirSync(types, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.d.ts') || name.startsWith('zod')) continue;
    const file = join(types, name);
    const zod = relative(dirname(file), join(types, 'zod')).replaceAll('\\', '/');
    const text = readFileSync(file, 'utf8').replaceAll(
      /(from |import\()(["'])zod(\/[^"']+)?\2/g,
      (_, before, quote, below = '') => `${before}${quote}${zod}${below}/index.js${quote}`,
    );
    writeFileSync(file, text);
  }
}
