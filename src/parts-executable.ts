/** The parts inside the executable. The build puts this file in the place of parts.ts. */
import { names, read } from 'cs:parts';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { cacheFolder } from './cli/config/platform-folders.ts';
import { CliError } from './cli/errors/exit.ts';

type Sharp = typeof import('sharp').default;

export const isBuilt = true;
export const delivery = (): 'executable' | 'npm' | 'checkout' => 'executable';
export const readPart = (name: string): Buffer => read(name);
export const partsIn = (folder: string): string[] =>
  names()
    .filter((name) => name.startsWith(`${folder}/`))
    .map((name) => name.slice(folder.length + 1));
export const self = (): readonly string[] => [process.execPath];
export const threadProgram = (): { readonly program: string | URL; readonly eval: boolean } => ({
  program: read('thread-worker.cjs').toString(),
  eval: true,
});
export const jqExpression = (): string =>
  `(() => { const module = { exports: {} }, { exports } = module; ${read('jq.cjs')}\nreturn module.exports; })()`;

let sharp: Sharp | undefined;

/** The system loads libraries from files alone, so the first photo unpacks them into the cache. */
export async function loadSharp(): Promise<Sharp> {
  if (sharp) return sharp;
  const folder = unpacked();
  try {
    sharp = createRequire(join(folder, 'load.cjs'))('sharp') as Sharp;
  } catch (error) {
    // sharp tells how to install it with npm; the line with the reason of the system is enough.
    const text = error instanceof Error ? error.message : String(error);
    throw unusable(folder, /^ERR_DLOPEN_FAILED: .*: (.+)$/m.exec(text)?.[1] ?? text);
  }
  return sharp;
}

/** The unpacked libraries, checked file by file. */
function unpacked(): string {
  const hashes: Record<string, string> = JSON.parse(read('native.json').toString());
  const name = createHash('sha256').update(read('native.json')).digest('hex');
  const { env, platform } = process;
  const folder = join(cacheFolder({ env, platform, home: homedir() }), 'native', name);
  try {
    requireOwn(dirname(folder));
    if (!isWhole(folder, hashes)) unpack(folder, hashes);
    return folder;
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw unusable(folder, error instanceof Error ? error.message : String(error));
  }
}

/** Throws where somebody else could exchange what is in it. */
function requireOwn(folder: string): void {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (!found) return;
  const others = process.getuid && (found.uid !== process.getuid() || (found.mode & 0o22) !== 0);
  if (!found.isDirectory() || others)
    throw unusable(folder, 'somebody else can write to it, so its libraries are not loaded');
}

function isWhole(folder: string, hashes: Record<string, string>): boolean {
  requireOwn(folder);
  return Object.entries(hashes).every(([path, hash]) => {
    try {
      return (
        createHash('sha256')
          .update(readFileSync(join(folder, path)))
          .digest('hex') === hash
      );
    } catch {
      return false;
    }
  });
}

/** Whole or not at all: written beside it, then renamed. */
function unpack(folder: string, hashes: Record<string, string>): void {
  const parent = dirname(folder);
  mkdirSync(parent, { recursive: true, mode: 0o700 });
  const written = mkdtempSync(`${folder}.`);
  try {
    chmodSync(written, 0o700);
    for (const path of Object.keys(hashes)) {
      mkdirSync(dirname(join(written, path)), { recursive: true, mode: 0o700 });
      writeFileSync(join(written, path), read(`native/${path}`), { mode: 0o600 });
    }
    rmSync(folder, { recursive: true, force: true });
    renameSync(written, folder);
  } catch (error) {
    rmSync(written, { recursive: true, force: true });
    // Another cs may have unpacked it at the same time.
    if (!isWhole(folder, hashes)) throw error;
  }
}

const unusable = (folder: string, reason: string): CliError =>
  new CliError({
    code: 'file_unusable',
    message: `The libraries for photos can't be used in ${folder}: ${reason}. CS_CACHE_DIR names another folder: yours alone, writable, and not mounted with noexec.`,
  });
