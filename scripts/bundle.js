/** How the command is bundled, for dist and for the executable. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = new URL('../', import.meta.url);
const folder = fileURLToPath(root);

/** In order of use: --version loads the first group, completion also the second. */
const chunkGroups = [
  'cli/(program|terminal/run)',
  'cli/framework/completion/(completion|cached-names)',
  'cli/(framework/execute|commands/catalogue)',
  'cli/(resources/resource|commands/cars/cars)',
  'cli/(framework/connect|config/key)',
];

export const base = { cwd: folder, platform: 'node' };

/** Smaller files start faster. Names are kept for readable stack traces. */
export const written = {
  minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
};

/** Each file costs start-up time, so modules that are always loaded together share a file, with the imports that no earlier group has. */
export const codeSplitting = {
  groups: chunkGroups.map((module, at) => ({
    name: /[\w-]+(?=[|)]|$)/.exec(module)?.[0],
    test: new RegExp(`/${module}\\.[jt]s$`.replaceAll('/', '[\\\\/]')),
    priority: chunkGroups.length - at,
  })),
};

/** The folder of a module's package; undefined for our own modules. */
export function packageFolder(id) {
  const path = id.replaceAll('\\', '/').replaceAll('\0', '');
  return /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0];
}

/** Whether it has a module of ours, so that its map is kept. */
export const isOwn = ({ moduleIds = [] }) => moduleIds.some((id) => !packageFolder(id));

/** The licences of the packages whose code is in these files. */
export function notices(output) {
  const folders = new Set(
    output.flatMap(({ moduleIds = [] }) => moduleIds.map(packageFolder)).filter(Boolean),
  );
  return [...folders].sort().map(notice).join('\n');
}

/** The licence of a package. */
export function notice(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file ? readFileSync(join(folder, file), 'utf8').trim() : '';
  return `${name} ${version} (${license})\n\n${text}\n\n${'-'.repeat(72)}\n`;
}
