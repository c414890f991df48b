import { readFileSync, rmSync } from 'node:fs';
import { defineConfig } from 'rolldown';

const { dependencies } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));

rmSync(new URL('dist', import.meta.url), { recursive: true, force: true });

/**
 * What a terminal waits for at each start is bundled and split, so that a command loads its own part and nothing else.
 * What only the service or a photo needs is installed beside it: `dependencies`.
 */
export default defineConfig({
  input: { 'cli/main': 'src/cli/main.ts', 'client/client': 'src/client/client.ts' },
  platform: 'node',
  external: Object.keys(dependencies).filter((name) => name !== 'zod').map((name) => new RegExp(`^${name}(/|$)`)),
  output: {
    dir: 'dist',
    format: 'esm',
    cleanDir: true,
    chunkFileNames: 'chunks/[name]-[hash].js',
  },
});
