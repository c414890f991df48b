/** Global setup: builds the executable of this machine, as `npm run executable` does. */
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { executable } from './executable-path.ts';

const script = fileURLToPath(new URL('../../scripts/executable.mjs', import.meta.url));

export default async function setup(): Promise<void> {
  const started = performance.now();
  await execa(process.execPath, [script, '--output', executable]);
  console.log(`The executable was built in ${Math.round((performance.now() - started) / 1000)} s.`);
}
