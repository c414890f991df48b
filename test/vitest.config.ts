import { defineConfig } from 'vitest/config';
import { moveHome } from './helpers/own-home.ts';
import { withPooler } from './helpers/pooler.ts';
import { tiers } from './tiers.ts';

moveHome();

const onPostgres = { env: { CS_TEST_DATABASE: 'postgres' }, globalSetup: 'test/helpers/postgres-server.ts' };
const behindPooler = { env: { ...onPostgres.env, CS_TEST_POOLER: 'transaction' }, ...(!withPooler && { include: [] }) };

export default defineConfig({
  test: {
    // Generous, since it only ends what hangs: a slow machine is no failure.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { requireAssertions: true, poll: { timeout: 30_000 } },
    maxWorkers: '100%',
    // Files of a project share a process, which loads the sources once: that takes longer than most files take.
    isolate: false,
    projects: Object.entries(tiers).map(([name, files], groupOrder) => ({
      extends: true,
      test: {
        name,
        ...files,
        ...(name.startsWith('postgres') && onPostgres),
        ...(name === 'pooler' && { ...onPostgres, ...behindPooler }),
        // One project after the other, also where files are shuffled: a process is of one project.
        sequence: { groupOrder },
      },
    })),
  },
});
