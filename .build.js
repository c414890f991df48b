/**
 * Makes dist: what a terminal waits for at each start, bundled and split, so that a command loads its own part and nothing else.
 * What only the service or a photo needs is installed beside it: `dependencies`.
 */
import { readFileSync } from 'node:fs';
import { build } from 'rolldown';

const { dependencies } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));
// zod is a dependency for the sake of the types; at run time every command needs a part of it.
const installed = Object.keys(dependencies).filter((name) => name !== 'zod');

await build({
  cwd: import.meta.dirname,
  input: { 'cli/main': 'src/cli/main.ts', 'client/client': 'src/client/client.ts' },
  platform: 'node',
  external: installed.map((name) => new RegExp(`^${name}(/|$)`)),
  output: { dir: 'dist', format: 'esm', cleanDir: true, chunkFileNames: 'chunks/[name]-[hash].js' },
});
