#!/usr/bin/env node
// Plain statements only: this file must also be read by a Node that is too old, in order to say so.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

const needed = [24, 15];
const root = fileURLToPath(new URL('..', import.meta.url));
const found = process.versions.node.split('.').map(Number);

if (found[0] > needed[0] || (found[0] === needed[0] && found[1] >= needed[1])) {
  start();
} else {
  restart();
}

function start() {
  if (nodeModule.enableCompileCache) nodeModule.enableCompileCache();
  const built = `${root}dist/cli/main.js`;
  // A checkout that was not built runs its sources.
  import(pathToFileURL(existsSync(built) ? built : `${root}src/cli/main.ts`).href);
}

/** Runs the Node that the checkout brings along, in place of the one that was found. */
function restart() {
  const candidates = ['node_modules/node/bin/node', 'node_modules/.bin/node', 'node_modules/node/bin/node.exe'];
  const own = candidates.map((path) => root + path).filter(existsSync)[0];
  if (!own || process.env.CS_RESTARTED === '1') {
    console.error(`error: cs needs Node.js ${needed.join('.')} or newer; this is ${process.versions.node}.`);
    process.exit(1);
  }
  const child = spawn(own, [fileURLToPath(import.meta.url)].concat(process.argv.slice(2)), {
    stdio: 'inherit',
    env: Object.assign({}, process.env, { CS_RESTARTED: '1' }),
  });
  ['SIGINT', 'SIGTERM', 'SIGHUP'].forEach((signal) => {
    process.on(signal, () => {
      // From the keyboard the child has it already; a second one would tell it not to finish its work.
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
