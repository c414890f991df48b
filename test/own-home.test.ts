/** The tests don't change the home folder of the person who runs them. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { makeFolder, removeFolder } from './helpers/folder.ts';

/** They start processes, also through a shell, with a small and with the whole environment. */
const files = ['framework/completion/complete.test.ts', 'main.test.ts'];

test('the tests neither read nor write files there', async () => {
  const home = await makeFolder();
  const folder = join(home, '.config/car-storage');
  await mkdir(folder, { recursive: true });
  const config = JSON.stringify({
    currentProfile: 'own',
    profiles: { own: { baseUrl: 'http://nowhere.invalid', key: 'csk_own.secret' } },
  });
  await writeFile(join(folder, 'config.json'), config);
  const { exitCode, all } = await execa(
    'vitest',
    [
      'run',
      '--config',
      'test/vitest.config.ts',
      '--project',
      'sqlite',
      ...files.map((file) => `test/cli/${file}`),
    ],
    {
      cwd: join(import.meta.dirname, '..'),
      preferLocal: true,
      env: { NO_COLOR: '1', HOME: home, CS_PROFILE: 'own', XDG_DATA_HOME: join(home, 'data') },
      all: true,
      reject: false,
    },
  );
  expect(exitCode, all).toBe(0);
  expect(all).toMatch(new RegExp(`Test Files +${files.length} passed`));
  expect(await readdir(home, { recursive: true })).toEqual([
    '.config',
    '.config/car-storage',
    '.config/car-storage/config.json',
  ]);
  expect(await readFile(join(folder, 'config.json'), 'utf8')).toBe(config);
  await removeFolder(home);
});
