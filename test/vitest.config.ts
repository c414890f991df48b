import { tmpdir } from 'node:os';
import { defineConfig } from 'vitest/config';
import { withBrowser } from './helpers/chromium.ts';
import { executable } from './helpers/executable-path.ts';
import { moveHome } from './helpers/own-home.ts';
import { withPooler } from './helpers/pooler.ts';
import { SlowFirst } from './helpers/sequencer.ts';
import { withSwift } from './helpers/swift.ts';
import { tiers } from './tiers.ts';

/** For what is too large for memory, or must belong to another user. */
const onDisk = tmpdir();
moveHome();
if (!withBrowser)
  console.warn(
    'No Chromium was found: tests in a browser are left out. Install it, or name its path in CS_CHROMIUM.',
  );

const onPostgres = {
  env: { CS_TEST_DATABASE: 'postgres' },
  globalSetup: 'test/helpers/postgres-server.ts',
};
const behindPooler = {
  env: { ...onPostgres.env, CS_TEST_POOLER: 'transaction' },
  ...(!withPooler && { include: [] }),
};

const withStore = {
  env: { ...onPostgres.env, CS_TEST_FILES: 's3' },
  globalSetup: [onPostgres.globalSetup, 'test/helpers/store-server.ts'],
  ...(!withSwift && { include: [] }),
};

export default defineConfig({
  test: {
    // Long, since it only ends hanging tests: a slow machine must not fail.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { requireAssertions: true, poll: { timeout: 60_000 } },
    globalSetup: 'test/helpers/real-home.ts',
    maxWorkers: '100%',
    // A text to compare with that isn't there fails: `--update` writes it.
    update: 'none',
    sequence: { sequencer: SlowFirst },
    // Files of a project share a process, so that it loads the sources once: loading takes longer than most files.
    isolate: false,
    projects: Object.entries(tiers).map(([name, files], groupOrder) => ({
      extends: true,
      test: {
        name,
        ...files,
        ...(name.startsWith('postgres') && onPostgres),
        ...(name.startsWith('browser') && !withBrowser && { include: [] }),
        ...(name === 'pooler' && { ...onPostgres, ...behindPooler }),
        ...(name === 'store' && withStore),
        ...(name === 'delivery' && {
          env: { CS_TEST_EXECUTABLE: executable, TMPDIR: onDisk },
          globalSetup: 'test/helpers/executable.ts',
        }),
        // One project after the other, also with shuffled files: a process belongs to one project.
        sequence: { groupOrder },
      },
    })),
  },
});
