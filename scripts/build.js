/**
 * Builds dist: the command and the client as bundles, split so that each command loads only its own part.
 * Packages that only the service or a photo needs aren't bundled: they are `dependencies`.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { build } from 'rolldown';
import { liveTree } from '../src/cli/commands/catalogue.ts';
import { manPages } from '../src/cli/framework/reference/man.ts';
import { storeTree } from '../src/cli/framework/tree/tree.ts';
import { docsPage, homePage } from '../src/openapi/docs.ts';
import { openApiDocument, openApiFile } from '../src/openapi/document.ts';
import { base, codeSplitting, isOwn, notices, root, written } from './bundle.js';

const { dependencies } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));
// zod is a dependency because of the types. Every command needs a part of it at run time, so it is bundled.
const installed = Object.keys(dependencies).filter((name) => name !== 'zod');

const shared = {
  cwd: base.cwd,
  external: installed.map((name) => new RegExp(`^${name}(/|$)`)),
};

const { output } = await build({
  ...shared,
  input: {
    'cli/main': 'src/cli/main.ts',
    'client/client': 'src/client/client.ts',
    // A file that a thread loads by its name, beside the chunk of thread.ts.
    'chunks/thread-worker': 'src/service/database/sqlite/thread-worker.ts',
  },
  platform: 'node',
  output: {
    ...written,
    format: 'esm',
    dir: 'dist',
    cleanDir: true,
    // Read for the stack of a bug alone: the files don't name theirs, so that a start doesn't cost more.
    sourcemap: 'hidden',
    sourcemapExcludeSources: true,
    chunkFileNames: 'chunks/[name]-[hash].js',
    codeSplitting,
  },
});

for (const chunk of output)
  if (chunk.type === 'chunk' && !isOwn(chunk))
    rmSync(new URL(`dist/${chunk.fileName}.map`, root), { force: true });

// The client for places without Node, in one file.
const { output: elsewhere } = await build({
  ...shared,
  input: { 'client/fetch': 'src/client/client.ts' },
  platform: 'browser',
  plugins: [
    {
      name: 'platform',
      resolveId: (source, importer) =>
        source === './platform.ts' ? join(dirname(importer), 'platform-fetch.ts') : null,
    },
  ],
  output: { ...written, format: 'esm', dir: 'dist', codeSplitting: false },
});

// The page that a phone opens, in one file: a script and a style whose hashes its answer names.
const { output: onPhone } = await build({
  cwd: base.cwd,
  input: 'src/phone/page.ts',
  platform: 'browser',
  output: { format: 'iife', minify: true, codeSplitting: false },
  write: false,
});
const source = (name) => readFileSync(new URL(`src/${name}`, root), 'utf8');
// A line may end between two selectors, so its end stays.
const smaller = (styles) => styles.replace(/\/\*.*?\*\//gs, '').replace(/\s*\n\s*/g, '\n');
const tokens = source('tokens.css');
// Phones may be older than light-dark().
const tokensIn = (scheme) =>
  tokens.replace(/light-dark\((.*?), (.*?)\)/g, scheme === 'light' ? '$1' : '$2');
const styles = smaller(
  `${tokensIn('light')}@media (prefers-color-scheme:dark){${tokensIn('dark')}}${source('phone/page.css')}`,
);
const script = onPhone[0].code.trim().replaceAll('</script', '<\\/script');
writeFolder('dist/phone/', {
  'page.html': source('phone/page.html')
    .replace('<style></style>', () => `<style>${styles}</style>`)
    .replace('<script></script>', () => `<script>${script}</script>`),
});

// The dashboard: files that never change under their name, each with what a browser that takes it smaller gets.
const { output: inDashboard } = await build({
  cwd: base.cwd,
  input: { main: 'src/dashboard/main.tsx' },
  platform: 'browser',
  output: {
    format: 'esm',
    minify: true,
    entryFileNames: '[name]-[hash].js',
    chunkFileNames: '[name]-[hash].js',
  },
  write: false,
});
const hashed = (name, ending, text) =>
  `${name}-${createHash('sha256').update(text).digest('base64url').slice(0, 8)}.${ending}`;
const plotStyles = readFileSync(new URL(import.meta.resolve('uplot/dist/uPlot.min.css')), 'utf8');
const theme = smaller(tokens + source('dashboard/theme.css')) + plotStyles;
const icon = source('dashboard/icon.svg');
const names = {
  style: hashed('theme', 'css', theme),
  icon: hashed('icon', 'svg', icon),
  script: inDashboard[0].fileName,
};
const dashboard = {
  ...Object.fromEntries(inDashboard.map(({ fileName, code }) => [fileName, code])),
  [names.style]: theme,
  [names.icon]: icon,
  'page.html': source('dashboard/page.html').replace(
    /\{(style|icon|script)\}/g,
    (_, name) => names[name],
  ),
};
const compressed = Object.entries(dashboard).flatMap(([name, text]) => [
  [`${name}.br`, brotliCompressSync(text)],
  [`${name}.gz`, gzipSync(text, { level: 9 })],
]);
writeFolder('dist/dashboard/', { ...dashboard, ...Object.fromEntries(compressed) });

// Licences of bundled code must ship with it.
writeFileSync(
  new URL('dist/THIRD-PARTY-NOTICES.txt', root),
  notices([...output, ...elsewhere, ...onPhone, ...inDashboard]),
);

// Help and completion read these files instead of loading the commands.
const tree = Object.entries(await storeTree(liveTree)).map(([name, text]) => [
  `${name}.json`,
  text,
]);
writeFolder('dist/tree/', Object.fromEntries(tree));
// The manual, and the interface description for use without a service.
writeFolder('dist/man/', await manPages(liveTree));
writeFileSync(new URL('dist/openapi.json', root), openApiFile());

// The first page of a service, and the documentation of its interface: an example of the command for each operation.
const commands = { 'me.get': 'cs api GET /me', 'openapi.get': 'cs api GET /openapi.json' };
const addExamples = ({ operations, examples, commands: below = [] }) => {
  for (const id of operations ?? [])
    commands[id] ??= examples.find((line) => line.startsWith('cs '));
  below.forEach(addExamples);
};
for (const [, text] of tree) addExamples(JSON.parse(text));
const docsStyle = smaller(tokens + source('openapi/docs.css'));
const docs = docsPage({ document: openApiDocument(), commands, style: docsStyle });
writeFolder('dist/docs/', {
  'home.html': homePage(docsStyle),
  'docs.html': docs,
  'docs.html.br': brotliCompressSync(docs),
  'docs.html.gz': gzipSync(docs, { level: 9 }),
});

function writeFolder(folder, files) {
  const place = new URL(folder, root);
  mkdirSync(place);
  for (const [name, text] of Object.entries(files)) writeFileSync(new URL(name, place), text);
}
