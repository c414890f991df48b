/** A home for the tests and every process that they start, so that nothing of the person who runs them is read or written. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What the tests themselves read; every other variable of `cs` is the person's own. */
const ofTests = /^CS_(SEED|LONG|TEST_\w+)$/;

/** Gives this process a new, empty home until it ends. Called once, before anything looks for one. */
export function moveHome(): void {
  const home = mkdtempSync(join(tmpdir(), 'car-storage-home-'));
  process.once('exit', () => rmSync(home, { recursive: true, force: true, maxRetries: 3 }));
  for (const name of Object.keys(process.env))
    if (name.startsWith('XDG_') || (name.startsWith('CS_') && !ofTests.test(name))) delete process.env[name];
  Object.assign(process.env, { HOME: home, USERPROFILE: home });
}

/** What a process needs that gets no more of the environment than it is given. */
export const ownEnvironment = () => ({ PATH: process.env.PATH, HOME: process.env.HOME });
