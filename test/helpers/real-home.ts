/** Global setup: a run fails if its tests left something in the home folder of the person who runs them. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { realHomeVariable } from './own-home.ts';

/** Folders that `cs`, the shells of tests and the test runner would create there. */
const folders = [
  '.config/car-storage',
  '.cache/car-storage',
  '.local/share/car-storage',
  '.config/fish',
  '.local/share/fish',
  '.local/share/vitest',
];

/** Names and the configuration only: the person may be using `cs` and fish during the run. */
async function contents(home: string): Promise<Record<string, unknown>> {
  const found = folders.map(async (folder) => [
    folder,
    (await readdir(join(home, folder)).catch(() => undefined))?.sort(),
  ]);
  const config = await readFile(join(home, '.config/car-storage/config.json'), 'utf8').catch(
    () => undefined,
  );
  return { ...Object.fromEntries(await Promise.all(found)), config };
}

export default async function setup(): Promise<() => Promise<void>> {
  const home = process.env[realHomeVariable] as string;
  const before = await contents(home);
  return async () => {
    const after = await contents(home);
    const changed = Object.keys(after).filter(
      (name) => JSON.stringify(after[name]) !== JSON.stringify(before[name]),
    );
    if (changed.length > 0)
      throw new Error(`The tests changed the home folder ${home}: ${changed.join(', ')}`);
  };
}
