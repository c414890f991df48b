/**
 * Makes dist: what a terminal waits for at each start, bundled and split, so that a command loads its own part and nothing else.
 * What only the service or a photo needs is installed beside it: `dependencies`.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { basename, join } from 'node:path';
import { build } from 'rolldown';
import { liveTree } from './src/cli/tree/live-tree.ts';
import { storeTree } from './src/cli/tree/tree.ts';

const { dependencies } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));
// zod is a dependency for the sake of the types; at run time every command needs a part of it.
const installed = Object.keys(dependencies).filter((name) => name !== 'zod');

/** The changes below that found what they change: they are silent when a package moves its files. */
const met = new Set();

/**
 * Takes Node's own modules the short way. An `import` of one makes every name that it exports, and with them loads parts that nobody
 * asked for: `node:fs` its promises, `node:process` the streams. That is a tenth of the time of a start.
 */
const builtins = {
  name: 'builtins',
  renderChunk: (code) =>
    code.replace(/^import (?:(?:\* as )?([\w$]+))?(?:, )?(\{.*\})? from "(?:node:)?([\w/]+)";$/gm, (line, whole, names, from) => {
      if (!isBuiltin(`node:${from}`) || names?.includes('default as ')) return line;
      met.add('builtins');
      const module = `globalThis.process.getBuiltinModule("node:${from}")`;
      // Commander starts other programs, which ours never are.
      const held = from === 'child_process' ? `new Proxy({}, { get: (_, name) => ${module}[name] })` : module;
      const taken = names && `const ${names.replaceAll(' as ', ': ')} = ${module};`;
      return [whole && `const ${whole} = ${held};`, taken].filter(Boolean).join(' ');
    }),
};

/** What undici loads at its start and needs later, or never here: it waits until it is asked for. */
const waiting = [
  {
    of: 'dispatcher/client',
    now: "const connectH2 = require('./client-h2.js')",
    instead: "const connectH2 = (...given) => require('./client-h2.js')(...given)",
  },
  // Asked for the largest header, which our connections say.
  { of: 'dispatcher/client', now: "const http = require('node:http')\n", instead: '' },
  {
    of: 'dispatcher/client',
    now: /const getDefaultNodeMaxHeaderSize = http &&[^?]*\?[^:]*:[^\n]*\n/,
    instead: "const getDefaultNodeMaxHeaderSize = () => require('node:http').maxHeaderSize\n",
  },
  // Asked whether a stream that ends is a message of its own, which none of ours is.
  { of: 'core/util', now: "const { IncomingMessage } = require('node:http')\n", instead: '' },
  {
    of: 'core/util',
    now: 'Object.getPrototypeOf(stream).constructor === IncomingMessage',
    instead: "Object.getPrototypeOf(stream).constructor.name === 'IncomingMessage'",
  },
  // A parser that is an experiment, and off.
  { of: 'dispatcher/parser-h1', now: "require('../milo/simd.js')", instead: 'undefined' },
  { of: 'dispatcher/parser-h1', now: "require('../milo/no-simd.js')", instead: 'undefined' },
];

const later = {
  name: 'later',
  transform: {
    filter: { id: /undici[\\/]lib[\\/](dispatcher[\\/](client|parser-h1)|core[\\/]util)\.js$/ },
    handler(code, id) {
      const path = id.replaceAll('\\', '/');
      let changed = code;
      for (const { of, now, instead } of waiting) {
        if (!path.endsWith(`undici/lib/${of}.js`)) continue;
        const before = changed;
        changed = changed.replace(now, () => instead);
        if (changed === before) throw new Error(`undici has changed: look anew at what ${of}.js loads (${now}).`);
      }
      met.add('later');
      return changed;
    },
  },
};

/** In the order in which they come to be needed. The first is all that the version and help take; completion takes the second. */
const together = [
  'cli/(program|look)',
  'cli/completion/(completion|known-names)',
  'cli/execute',
  'cli/(resources/resource|commands/cars)',
  'cli/(connect|settings/key)',
  'client/undici-parts',
];

const { output } = await build({
  cwd: import.meta.dirname,
  input: { 'cli/main': 'src/cli/main.ts', 'client/client': 'src/client/client.ts' },
  platform: 'node',
  external: installed.map((name) => new RegExp(`^${name}(/|$)`)),
  plugins: [builtins, later],
  output: {
    dir: 'dist',
    format: 'esm',
    cleanDir: true,
    // It is read whole at each start. Names stay, so that a stack trace tells something.
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
    chunkFileNames: 'chunks/[name]-[hash].js',
    // Each file takes its time: what is always loaded together is one, with all that it imports and nobody before it has.
    codeSplitting: {
      groups: together.map((module, at) => ({
        name: /[\w-]+(?=[|)]|$)/.exec(module)?.[0],
        test: new RegExp(`/${module}\\.[jt]s$`.replaceAll('/', '[\\\\/]')),
        priority: together.length - at,
      })),
    },
  },
});

for (const change of ['builtins', 'later'])
  if (!met.has(change)) throw new Error(`Nothing was changed by "${change}": look anew at what it looks for.`);

loadDirectly(output.map(({ fileName }) => fileName).filter((name) => name.endsWith('.js')));

// Their licences ask to be told wherever their code goes.
const bundled = new Set(output.flatMap(({ moduleIds = [] }) => moduleIds.map(packageFolder)).filter(Boolean));
writeFileSync(new URL('dist/THIRD-PARTY-NOTICES.txt', import.meta.url), [...bundled].sort().map(notice).join('\n'));

/**
 * What is loaded when it is needed, and lies in a file with others, rolldown gives a file of its own that hands its exports on. That is
 * one more to find, read and link, so its importers get them from where they are, as they are once it has been loaded.
 */
function loadDirectly(names) {
  const pathOf = (name) => join(import.meta.dirname, 'dist', name);
  const files = new Map(names.map((name) => [name, readFileSync(pathOf(name), 'utf8')]));
  const handingOn = new Map();
  for (const [name, code] of files) {
    const found = name.startsWith('chunks/') && /^import\{([\w$, ]+)\}from"\.\/([^"]+)";export\{([\w$, ]+)\};\s*$/.exec(code);
    if (!found) continue;
    const [, taken, from, exported] = found;
    const named = new Map(taken.split(',').map((one) => one.split(' as ').toReversed()));
    const made = exported.split(',').map((one) => {
      const [local, as = local] = one.split(' as ');
      return `${as}:m.${named.get(local) ?? local}`;
    });
    handingOn.set(basename(name), { from, made: `.then(m=>({${made}}))` });
  }
  // What a request needs is one of them; that it was found shows that the others were.
  if (![...handingOn.keys()].some((name) => name.startsWith('undici-parts-')))
    throw new Error('What hands exports on was not found: look anew at what rolldown makes of it.');
  const direct = (code) =>
    code.replace(/import\([`"]([./\w-]*\/)([\w-]+\.js)[`"]\)/g, (whole, folder, name) => {
      const to = handingOn.get(name);
      return to ? `import("${folder}${to.from}")${to.made}` : whole;
    });
  for (const [name, code] of files) {
    if (handingOn.has(basename(name))) {
      rmSync(pathOf(name));
      continue;
    }
    const directed = direct(code);
    const left = [...handingOn.keys()].find((gone) => directed.includes(gone));
    if (left) throw new Error(`${name} still loads ${left}: look anew at how files import each other.`);
    writeFileSync(pathOf(name), directed);
  }
}

/** The folder of the package that a module is of; nothing for our own. */
function packageFolder(id) {
  const path = id.replaceAll('\\', '/').replaceAll('\0', '');
  return /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0];
}

function notice(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file ? readFileSync(join(folder, file), 'utf8').trim() : '';
  return `${name} ${version} (${license})\n\n${text}\n\n${'-'.repeat(72)}\n`;
}

// Help and completion are answered from this, without the commands.
mkdirSync(new URL('dist/tree/', import.meta.url));
for (const [name, text] of Object.entries(await storeTree(liveTree)))
  writeFileSync(new URL(`dist/tree/${name}.json`, import.meta.url), text);
