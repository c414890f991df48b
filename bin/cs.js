#!/usr/bin/env node
// Old syntax only: an outdated Node must be able to parse this file and print the error.
// No imports: importing Node's modules takes a tenth of the start-up time.
const needed = [24, 15];
const found = process.versions.node.split('.').map(Number);

if (found[0] > needed[0] || (found[0] === needed[0] && found[1] >= needed[1])) {
  start().catch(fail);
} else {
  restart();
}

async function start() {
  // A child process may run `cs` again, and must be free to restart.
  delete process.env.CS_RESTARTED;
  const folder = cacheFolder();
  const { enableCompileCache } = process.getBuiltinModule('module');
  // Deno has none.
  if (folder && enableCompileCache) enableCompileCache(folder);
  const built = new URL('../dist/cli/main.js', import.meta.url);
  // A checkout without a build runs its sources.
  const main = process.getBuiltinModule('fs').existsSync(built)
    ? built
    : new URL('../src/cli/main.ts', import.meta.url);
  await import(main.href);
}

/** A damaged installation, or a runtime that isn't Node.js. Without this, the line of the error would be printed: a whole built file. */
function fail(error) {
  // main.ts reports its own errors.
  if (process.listenerCount('uncaughtException') > 0) throw error;
  console.error(`error: cs couldn't start: ${String(error.message).slice(0, 1000)}`);
  if (process.versions.deno)
    console.error('hint: run it with Node.js, or with all permissions: `deno run --allow-all`');
  else {
    const { version } = JSON.parse(
      process.getBuiltinModule('fs').readFileSync(new URL('../package.json', import.meta.url)),
    );
    console.error(
      `hint: install cs ${version} again (this is Node.js ${process.versions.node}); if that doesn't help, report the output with -v, see \`npm bugs car-storage\``,
    );
  }
  if (process.argv.includes('-v') || process.argv.includes('--verbose'))
    console.error((String(error.stack).match(/^ {4}at .*$/gm) || []).join('\n'));
  process.exit(1);
}

/**
 * The folder of the compile cache, in the user's own cache folder (platform-folders.ts).
 * Others could write to a shared folder, so without an own folder there is no cache.
 */
function cacheFolder() {
  const { CS_CACHE_DIR, XDG_CACHE_HOME, LOCALAPPDATA, HOME, USERPROFILE } = process.env;
  if (CS_CACHE_DIR) return `${CS_CACHE_DIR}/compiled`;
  const { isAbsolute } = process.getBuiltinModule('path');
  if (XDG_CACHE_HOME && isAbsolute(XDG_CACHE_HOME)) return `${XDG_CACHE_HOME}/car-storage/compiled`;
  if (process.platform === 'win32') {
    const local = LOCALAPPDATA || (USERPROFILE && `${USERPROFILE}/AppData/Local`);
    return local && `${local}/car-storage/Cache/compiled`;
  }
  return (
    HOME &&
    `${HOME}/${process.platform === 'darwin' ? 'Library/Caches' : '.cache'}/car-storage/compiled`
  );
}

/** Runs `cs` again with the Node that is installed in the checkout. */
async function restart() {
  const { spawn } = await import('node:child_process');
  const { existsSync } = await import('node:fs');
  const { fileURLToPath } = await import('node:url');
  const root = fileURLToPath(new URL('..', import.meta.url));
  const candidates = [
    'node_modules/node/bin/node',
    'node_modules/.bin/node',
    'node_modules/node/bin/node.exe',
  ];
  const own = candidates.map((path) => root + path).filter(existsSync)[0];
  if (!own || process.env.CS_RESTARTED === '1') {
    console.error(
      `error: cs needs Node.js ${needed.join('.')} or newer; this is ${process.versions.node}.`,
    );
    console.error('hint: install a newer Node.js, or run it once with `npx --package node@24 cs`');
    process.exit(1);
  }
  const child = spawn(own, [fileURLToPath(import.meta.url)].concat(process.argv.slice(2)), {
    stdio: 'inherit',
    env: Object.assign({}, process.env, { CS_RESTARTED: '1' }),
  });
  ['SIGINT', 'SIGTERM', 'SIGHUP'].forEach((signal) => {
    process.on(signal, () => {
      // The terminal sends Ctrl-C to the child too. A second one would abort its clean-up.
      if (signal === 'SIGINT' && process.stdin.isTTY) return;
      child.kill(signal);
    });
  });
  child.on('error', (error) => {
    console.error(`error: ${own} could not be started: ${error.message}`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => {
    if (signal) {
      process.removeAllListeners(signal);
      process.kill(process.pid, signal);
    } else {
      process.exit(code);
    }
  });
}
