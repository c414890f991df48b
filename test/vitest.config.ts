import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Generous, since it only ends what hangs: a slow machine is no failure.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
