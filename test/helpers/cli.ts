/** Runs `cs` in this process, as if on a terminal or in a pipe. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { ExitCode } from '../../src/cli/errors/exit.ts';
import type { Tree } from '../../src/cli/framework/tree/tree.ts';
import { run } from '../../src/cli/program.ts';
import type { Io } from '../../src/cli/terminal/io.ts';
import { createRun } from '../../src/cli/terminal/run.ts';

export interface CliOptions {
  /** `terminal`: stdout and stderr are terminals, `columns` wide (default: 80). `pipe` (as in a script): none is. */
  readonly as?: 'terminal' | 'pipe';
  readonly columns?: number;
  /** Its content; `open` for a silent stdin that never ends, like that of some jobs. */
  readonly stdin?: string | Uint8Array | Readable | { readonly open: true };
  readonly env?: Record<string, string>;
  readonly cwd?: string;
  readonly home?: string;
  readonly signal?: AbortSignal;
  /** Default: Linux. */
  readonly platform?: Io['platform'];
  readonly now?: Date;
  /** Default: no wait between the attempts of a request. */
  readonly waiting?: Io['waiting'];
  /** The command tree that the build wrote (default: the live tree). */
  readonly tree?: Tree;
  /** Starts other runs in the background, in this process (default: none, so that a test ends with its command). */
  readonly background?: boolean;
  /** Replaces the collector of the result, for example with a pipe without a reader. */
  readonly stdout?: Writable;
  /** Replaces the collector of stderr. */
  readonly stderr?: Writable;
}

export interface CliResult {
  readonly code: ExitCode;
  readonly stdout: string;
  readonly stderr: string;
  /** stdout as JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: its content is what the tests check
  readonly json: any;
  /** The error object on stderr. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly error: any;
}

/** Runs a command line; `argv` without `cs`. Never prompts: prompts need the stdin of a real terminal. */
export async function cs(argv: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  const terminal = options.as === 'terminal';
  const [stdout, stderr] = [collector(), collector()];
  const io = ioOf({
    stdin: stdinOf(options.stdin),
    stdout: options.stdout ?? stdout.stream,
    stderr: options.stderr ?? stderr.stream,
    env: { ...(terminal ? { NO_COLOR: '1', TERM: 'dumb' } : {}), ...options.env },
    cwd: options.cwd ?? '/',
    home: options.home ?? '/nowhere',
    stdoutIsTerminal: terminal,
    stderrIsTerminal: terminal,
    columns: terminal ? (options.columns ?? 80) : undefined,
    ...(options.signal && { signal: options.signal }),
    ...(options.platform && { platform: options.platform }),
    now: () => options.now ?? new Date(),
    waiting: options.waiting ?? { sleep: async () => {} },
    ...(options.background && { background: async (words) => void (await cs(words, options)) }),
  });
  const code = await run(argv, io, options.tree);
  // Without the notes of retries, which a busy machine causes.
  const told = stderr.text().replace(/^Waiting \d+ s to retry\b.*\n/gm, '');
  return {
    code,
    stdout: stdout.text(),
    stderr: told,
    get json() {
      return JSON.parse(stdout.text());
    },
    get error() {
      // Before it stands what an earlier run of the same file left unfinished.
      return JSON.parse(told.replace(/^Unfinished\b.*\n/gm, '')).error;
    },
  };
}

/** A process of `cs`: in a pipe, unless `given` says otherwise. */
export const ioOf = (
  given: Pick<Io, 'stdin' | 'stdout' | 'stderr' | 'env' | 'cwd' | 'home'> & Partial<Io>,
): Io => ({
  platform: 'linux',
  runtime: 'Node.js 24.0.0',
  stdinIsTerminal: false,
  stdoutIsTerminal: false,
  stderrIsTerminal: false,
  columns: undefined,
  signal: new AbortController().signal,
  run: createRun(),
  interrupt: () => {},
  suspend: () => {},
  isInBackground: () => false,
  user: () => 'test',
  now: () => new Date(),
  pause: (ms, signal) => delay(ms, undefined, { signal }),
  ...given,
  // The home of the tests: a run without a home of its own would share one with the person.
  env: { XDG_STATE_HOME: join(homedir(), '.local', 'state'), ...given.env },
});

function stdinOf(given: CliOptions['stdin']): Readable {
  if (given instanceof Readable) return given;
  if (typeof given === 'object' && 'open' in given) return new Readable({ read() {} });
  return Readable.from(given === undefined ? [] : [Buffer.from(given)]);
}

function collector() {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(Buffer.from(chunk));
      done();
    },
  });
  return { stream, text: () => Buffer.concat(chunks).toString('utf8') };
}
