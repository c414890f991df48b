/** A home folder for the tests and their processes, so that they neither read nor write files of the person who runs them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';

/** The home folder of the person who runs the tests; real-home.ts checks that it stays as it is. */
export const realHomeVariable = 'CS_TEST_REAL_HOME';

/** Variables of the tests themselves; all other variables of `cs` belong to the person. */
const ofTests = /^CS_(SEED|LONG|TEST_\w+)$/;

/** Gives this process a new, empty home folder until it ends. Called once, before the first use of a home folder. */
export function moveHome(): void {
  const home = mkdtempSync(join(tmpdir(), 'car-storage-home-'));
  process.once('exit', () => rmSync(home, { recursive: true, force: true, maxRetries: 3 }));
  process.env[realHomeVariable] = homedir();
  for (const name of Object.keys(process.env))
    if (name.startsWith('XDG_') || (name.startsWith('CS_') && !ofTests.test(name)))
      delete process.env[name];
  Object.assign(process.env, { HOME: home, USERPROFILE: home });
}

/** The variables that every process needs, for processes without the rest of the environment. */
export const ownEnvironment = () => ({ PATH: process.env.PATH, HOME: process.env.HOME });
