/** The installed command: `bin/cs.js` in a separate process. */
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { execa, type Options } from 'execa';
import { ownEnvironment } from './own-home.ts';

export const bin = fileURLToPath(new URL('../../bin/cs.js', import.meta.url));

/** The words that start `cs`: the build, or in the project `delivery` the executable (executable.ts). */
export const builtWords: readonly string[] = process.env.CS_TEST_EXECUTABLE
  ? [process.env.CS_TEST_EXECUTABLE]
  : [process.execPath, bin];
const [file = '', ...first] = builtWords;
/** For a shell. */
export const builtInShell = builtWords.map((word) => `'${word}'`).join(' ');

/** Runs `cs` to its end, in a pipe; never throws for an exit code. The environment has only `env`, PATH and the tests' home. */
export function builtCs(
  argv: readonly string[],
  { env = {}, ...options }: Options & { env?: Record<string, string> } = {},
) {
  return execa(file, [...first, ...argv], {
    reject: false,
    extendEnv: false,
    env: { ...ownEnvironment(), ...env },
    ...options,
  });
}

export interface ServedProcess {
  readonly url: string;
  readonly data: string;
  /** The stderr output so far. */
  log(): string;
  /** Sends a signal and resolves with the result of the process. */
  stop(signal: NodeJS.Signals): Promise<{ exitCode?: number; stdout: string }>;
}

/** Starts `cs serve` on a free port and waits for its line on stdout. */
export async function builtServe(
  data: string,
  argv: readonly string[] = [],
): Promise<ServedProcess> {
  const child = execa(file, [...first, 'serve', '--port', '0', '--data', data, ...argv], {
    reject: false,
    extendEnv: false,
    env: ownEnvironment(),
  });
  let log = '';
  child.stderr.on('data', (chunk) => {
    log += chunk;
  });
  // The first line, or the end of a process without one.
  const [line] = (await Promise.race([
    once(createInterface(child.stdout), 'line'),
    child.then(() => []),
  ])) as [string?];
  if (line === undefined) throw new Error(`cs serve ended without a line: ${log}`);
  return {
    ...(JSON.parse(line) as { url: string; data: string }),
    log: () => log,
    async stop(signal) {
      child.kill(signal);
      const { exitCode, stdout } = await child;
      return { exitCode, stdout };
    },
  };
}
