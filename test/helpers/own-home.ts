/** A home folder for the tests and their processes, so that they neither read nor write files of the person who runs them. */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';

/** The home folder of the person who runs the tests; real-home.ts checks that it stays as it is. */
export const realHomeVariable = 'CS_TEST_REAL_HOME';

/** Variables of the tests themselves; all other variables of `cs` belong to the person. */
const ofTests = /^CS_(SEED|ORDER|LONG|CHROMIUM|TEST_\w+)$/;

/** Memory, where this system has enough of it: on a disk each of many thousand writes waits until it is there. */
function roomiest(): string {
  const memory = '/dev/shm';
  if (!existsSync(memory)) return tmpdir();
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize > 4e9 ? memory : tmpdir();
}

/**
 * Gives this process a new, empty home folder and a temporary folder until it ends. Called once, before the first use of one. Their paths are
 * short: screens of 80 columns show them.
 * Its processes share a cache of compiled code: without it, each that runs sources compiles all of them again.
 */
export function moveHome(): void {
  const folder = mkdtempSync(join(roomiest(), 'cs-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  // Some servers run as another user.
  chmodSync(folder, 0o711);
  const home = join(folder, 'home');
  mkdirSync(home, { mode: 0o700 });
  const temporary = join(folder, 'tmp');
  mkdirSync(temporary, { mode: 0o711 });
  process.env[realHomeVariable] = homedir();
  for (const name of Object.keys(process.env))
    if (name.startsWith('XDG_') || (name.startsWith('CS_') && !ofTests.test(name)))
      delete process.env[name];
  Object.assign(process.env, {
    ...{ HOME: home, USERPROFILE: home, TMPDIR: temporary },
    NODE_COMPILE_CACHE: join(folder, 'compiled'),
  });
}

/** The variables that every process needs, for processes without the rest of the environment. */
export const ownEnvironment = (): Record<string, string> =>
  Object.fromEntries(
    ['PATH', 'HOME', 'NODE_COMPILE_CACHE'].flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
