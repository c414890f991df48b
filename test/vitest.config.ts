import { defineConfig } from 'vitest/config';
import { moveHome } from './helpers/own-home.ts';
import { withPooler } from './helpers/pooler.ts';

moveHome();

/** Tests of what only PostgreSQL has, and of what only a data folder with an SQLite file has. */
const postgresOnly = 'test/service/postgres*.test.ts';
const folderOnly = [
  'test/service/{busy,durability,private-files,start}.test.ts',
  'test/service/database/rebuild.test.ts',
  'test/service/files/**',
  'test/service/backup/**',
  'test/service/outbox/{smtp*,bell,timing,delivery}.test.ts',
];

export default defineConfig({
  test: {
    // Generous, since it only ends what hangs: a slow machine is no failure.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { requireAssertions: true, poll: { timeout: 30_000 } },
    projects: [
      { extends: true, test: { name: 'sqlite', include: ['test/**/*.test.ts'], exclude: [postgresOnly] } },
      {
        extends: true,
        test: {
          name: 'postgres',
          include: ['test/service/**/*.test.ts'],
          exclude: folderOnly,
          env: { CS_TEST_DATABASE: 'postgres' },
          globalSetup: 'test/helpers/postgres-server.ts',
        },
      },
      {
        extends: true,
        test: {
          name: 'pooler',
          include: withPooler ? ['test/service/{concurrency,lists,receipts}.test.ts', 'test/service/rules/parking.test.ts'] : [],
          env: { CS_TEST_DATABASE: 'postgres', CS_TEST_POOLER: 'transaction' },
          globalSetup: 'test/helpers/postgres-server.ts',
        },
      },
    ],
  },
});
