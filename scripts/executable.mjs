/**
 * Builds the executable: Node with the bundle inside. `node scripts/executable.mjs [--platform linux] [--arch arm64] [--output FILE] [--emulator WORDS] [--quick]`
 *
 * The Node of the same version that runs this, for the platform, comes from npm; the emulator (`qemu-aarch64-static -L FOLDER`) runs
 * one of another processor, since only the same Node can write what its V8 compiled;
 * --quick records `cs --version` alone, for tests. `npm run build` comes first.
 */
import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { inject } from 'postject';
import { build } from 'rolldown';
import sharp from 'sharp';
import { base, codeSplitting, isOwn, notices, root, written } from './bundle.js';

const execute = promisify(execFile);
const { values } = parseArgs({
  options: {
    platform: { type: 'string', default: process.platform },
    arch: { type: 'string', default: process.arch },
    output: { type: 'string' },
    emulator: { type: 'string', default: '' },
    quick: { type: 'boolean', default: false },
  },
});
const { platform, arch } = values;
const isWindows = platform === 'win32';
const isHost = platform === process.platform && arch === process.arch;
const output = values.output ?? join('release', `cs-${platform}-${arch}${isWindows ? '.exe' : ''}`);
const emulator = values.emulator.split(' ').filter(Boolean);

const work = mkdtempSync(join(tmpdir(), 'cs-executable-'));
const parts = join(work, 'parts');
try {
  const { node, modules, licence } = await forTarget();
  await bundle(licence);
  addNative(modules);
  copyFileSync(new URL('executable/loader.cjs', import.meta.url), join(parts, 'loader.cjs'));
  writeNames();
  await record(node);
  const blob = await makeBlob(node);
  await assemble(node, blob);
  copyFileSync(join(parts, 'THIRD-PARTY-NOTICES.txt'), `${output}.licences.txt`);
  console.log(output);
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** Node, its licence, and the packages for the platform; those of the checkout where it is this one. */
async function forTarget() {
  const install = async (folder, ...line) => {
    mkdirSync(folder, { recursive: true });
    const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
    await execute('npm', [...line, ...quiet], { cwd: folder, shell: process.platform === 'win32' });
  };
  const name = `node-${isWindows ? 'win' : platform}-${arch}`;
  const nodeFolder = join(work, 'node');
  await install(
    nodeFolder,
    'install',
    '--force',
    '--prefix',
    '.',
    `${name}@${process.versions.node}`,
  );
  const found = join(nodeFolder, 'node_modules', name);
  const target = {
    node: join(found, 'bin', isWindows ? 'node.exe' : 'node'),
    licence: readFileSync(join(found, 'LICENSE'), 'utf8'),
  };
  if (isHost) return { ...target, modules: fileURLToPath(new URL('node_modules', root)) };
  const folder = join(work, 'target');
  mkdirSync(folder);
  for (const file of ['package.json', 'package-lock.json', '.npmrc'])
    copyFileSync(new URL(file, root), join(folder, file));
  await install(folder, 'ci', '--omit=dev', `--os=${platform}`, `--cpu=${arch}`, '--libc=glibc');
  return { ...target, modules: join(folder, 'node_modules') };
}

/** Everything but the image library in CommonJS, since the loader runs no other, and the files of dist that the command reads. */
async function bundle(licence) {
  const inExecutable = {
    name: 'parts',
    resolveId: (source, importer) =>
      /(^|\/)parts\.ts$/.test(source) &&
      importer &&
      join(dirname(importer), source) === join(base.cwd, 'src/parts.ts')
        ? join(base.cwd, 'src/parts-executable.ts')
        : null,
  };
  const options = {
    ...base,
    external: ['cs:parts', 'pg-native'],
    plugins: [inExecutable],
  };
  const { output: chunks } = await build({
    ...options,
    input: { 'cli/main': 'src/cli/main.ts' },
    output: {
      ...written,
      format: 'cjs',
      dir: parts,
      dynamicImportInCjs: false,
      chunkFileNames: 'chunks/[name]-[hash].js',
      codeSplitting,
      sourcemap: 'hidden',
      sourcemapExcludeSources: true,
      // Not where the build found them.
      sourcemapPathTransform: (source) => source.replace(/^.*?\/(?=(src|node_modules)\/)/, ''),
    },
  });
  for (const chunk of chunks)
    if (chunk.type === 'chunk' && !isOwn(chunk))
      rmSync(join(parts, `${chunk.fileName}.map`), { force: true });
  const single = (input, file) =>
    build({
      ...options,
      input,
      output: { ...written, format: 'cjs', file: join(parts, file), codeSplitting: false },
    });
  await single('src/service/database/sqlite/thread-worker.ts', 'thread-worker.cjs');
  await single('jq-wasm/inline', 'jq.cjs');
  for (const folder of ['tree', 'phone', 'dashboard', 'docs', 'man'])
    cpSync(new URL(`dist/${folder}`, root), join(parts, folder), { recursive: true });
  writeFileSync(
    `${parts}/THIRD-PARTY-NOTICES.txt`,
    `${readFileSync(new URL('dist/THIRD-PARTY-NOTICES.txt', root), 'utf8')}\n${notices(chunks)}\nNode.js ${process.versions.node}\n\n${licence}`,
  );
}

/** The image library with its packages, as files: the system loads libraries from files alone. */
function addNative(modules) {
  const hashes = {};
  const add = (name) => {
    const folder = join(modules, name);
    const { dependencies = {}, optionalDependencies = {} } = JSON.parse(
      readFileSync(join(folder, 'package.json'), 'utf8'),
    );
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      const inside = `node_modules/${name}/${path.slice(folder.length + 1).replaceAll('\\', '/')}`;
      if (
        !entry.isFile() ||
        inside in hashes ||
        !/\.(c?js|json|node|so[\d.]*|dylib|dll)$|LICENSE/.test(inside)
      )
        continue;
      const bytes = readFileSync(path);
      hashes[inside] = createHash('sha256').update(bytes).digest('hex');
      mkdirSync(dirname(join(parts, 'native', inside)), { recursive: true });
      writeFileSync(join(parts, 'native', inside), bytes);
    }
    for (const below of Object.keys({ ...dependencies, ...optionalDependencies }))
      if (existsSync(join(modules, below))) add(below);
  };
  add('sharp');
  writeFileSync(join(parts, 'native.json'), JSON.stringify(hashes));
}

function writeNames() {
  writeFileSync(join(parts, 'names.json'), JSON.stringify(filesOf(parts)));
}

function filesOf(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    );
}

/** Runs what people run most, so that V8 keeps what it compiled of each chunk. */
async function record(node) {
  const home = join(work, 'home');
  mkdirSync(home);
  const env = { PATH: process.env.PATH, HOME: home, CS_CACHE_DIR: join(home, 'cache') };
  const words = [...emulator, node, join(parts, 'loader.cjs')];
  const cs = (...line) => execute(words[0], [...words.slice(1), ...line], { env, cwd: work });
  await cs('--version');
  if (values.quick) return;
  await cs('--help');
  await cs('cars', 'list', '--help');
  await cs('__complete', 'cars', '');
  const data = ['--data', join(work, 'data')];
  const service = spawn(words[0], [...words.slice(1), 'serve', '--port', '0', ...data], {
    env,
    cwd: work,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = new Promise((resolve) => service.once('exit', resolve));
  try {
    const [line] = await Promise.race([
      createInterface({ input: service.stdout })
        [Symbol.asyncIterator]()
        .next()
        .then(({ value }) => [value]),
      ended.then((code) => {
        throw new Error(`serve ended with ${code}`);
      }),
    ]);
    const { url } = JSON.parse(line);
    await cs('admin', 'team', 'create', 'Garage', ...data);
    const { stdout } = await cs(
      'admin',
      'key',
      'create',
      '--team',
      'garage',
      '--name',
      'counter',
      '--all-scopes',
      '-o',
      'json',
      ...data,
    );
    Object.assign(env, { CS_BASE_URL: url, CS_API_KEY: JSON.parse(stdout).key });
    await sharp({ create: { width: 800, height: 600, channels: 3, background: 'gray' } })
      .jpeg()
      .toFile(join(work, 'photo.jpg'));
    const model = ['--year', '1961', '--make', 'Jaguar', '--model', 'E-Type'];
    await cs('cars', 'create', '--license-plate', 'HH-E 61H', ...model);
    await cs('locations', 'create', '--name', 'Main');
    await cs('parking', 'zones', 'create', '--location', 'Main', '--name', 'Hall');
    const photo = ['--zone', 'Hall', '--photo', 'photo.jpg', '--yes', '-o', 'json'];
    await cs('dropoff', 'HH-E 61H', '--type', 'drop_off', ...photo);
    for (const format of ['json', 'table', 'csv', 'yaml']) await cs('cars', 'list', '-o', format);
    await cs('today', '-o', 'json');
    await fetch(`${url}/dashboard/`).then((answer) => answer.text());
  } finally {
    service.kill('SIGTERM');
    await ended;
  }
}

async function makeBlob(node) {
  const assets = Object.fromEntries(
    filesOf(parts)
      .filter((name) => name !== 'loader.cjs')
      .map((name) => [name, join(parts, name)]),
  );
  // A chunk that no run loaded has nothing compiled.
  for (const name of Object.keys(assets).filter((one) => /^(cli|chunks)\/.*\.js$/.test(one)))
    if (!assets[`${name}.compiled`]) {
      const empty = join(work, 'empty');
      writeFileSync(empty, '');
      assets[`${name}.compiled`] = empty;
    }
  const config = join(work, 'sea.json');
  const blob = join(work, 'blob');
  writeFileSync(
    config,
    JSON.stringify({
      main: join(parts, 'loader.cjs'),
      output: blob,
      disableExperimentalSEAWarning: true,
      // NODE_OPTIONS is for other programs of the person.
      execArgvExtension: 'none',
      // V8 would let 130 MB of garbage stand before it clears it away.
      execArgv: ['--max-semi-space-size=16'],
      assets,
    }),
  );
  const words = [...emulator, node, '--experimental-sea-config', config];
  await execute(words[0], words.slice(1));
  return readFileSync(blob);
}

async function assemble(node, blob) {
  mkdirSync(dirname(output), { recursive: true });
  rmSync(output, { force: true });
  copyFileSync(node, output);
  chmodSync(output, 0o755);
  if (platform === 'linux') {
    const strip =
      arch === process.arch ? 'strip' : `${arch === 'arm64' ? 'aarch64' : arch}-linux-gnu-strip`;
    // Without binutils it works as well, with a fifth more.
    await execute(strip, [output]).catch(() => {});
  }
  if (platform === 'darwin') await execute('codesign', ['--remove-signature', output]);
  await inject(output, 'NODE_SEA_BLOB', blob, {
    sentinelFuse: 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2',
    machoSegmentName: 'NODE_SEA',
  });
  // macOS runs nothing that isn't signed; the release signs it again.
  if (platform === 'darwin') await execute('codesign', ['--sign', '-', output]);
}
