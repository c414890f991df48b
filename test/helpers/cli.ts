/** Runs `cs` in this process, as on a terminal or in a pipe. */
import { Readable, Writable } from 'node:stream';
import type { ExitCode } from '../../src/cli/exit.ts';
import type { Io } from '../../src/cli/io.ts';
import { run } from '../../src/cli/program.ts';

export interface CliOptions {
  /** `terminal`: everything is one, 80 cells wide unless `columns` says otherwise. `pipe` (as in a script): nothing is. */
  readonly as?: 'terminal' | 'pipe';
  readonly columns?: number;
  readonly stdin?: string;
  readonly env?: Record<string, string>;
  readonly cwd?: string;
  readonly home?: string;
  readonly signal?: AbortSignal;
  readonly now?: Date;
}

export interface CliResult {
  readonly code: ExitCode;
  readonly stdout: string;
  readonly stderr: string;
  /** stdout as JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: what it holds is what the tests are about
  readonly json: any;
  /** The error object on stderr. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly error: any;
}

/** Runs a command line; `argv` without `cs`. Questions are never asked: stdin of a terminal needs a real one. */
export async function cs(argv: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  const terminal = options.as === 'terminal';
  const [stdout, stderr] = [collector(), collector()];
  const io: Io = {
    stdin: Readable.from(options.stdin === undefined ? [] : [Buffer.from(options.stdin)]),
    stdout: stdout.stream,
    stderr: stderr.stream,
    env: { ...(terminal ? { NO_COLOR: '1', TERM: 'dumb' } : {}), ...options.env },
    cwd: options.cwd ?? '/',
    home: options.home ?? '/nowhere',
    platform: 'linux',
    stdinIsTerminal: false,
    stdoutIsTerminal: terminal,
    stderrIsTerminal: terminal,
    columns: terminal ? (options.columns ?? 80) : undefined,
    signal: options.signal ?? new AbortController().signal,
    interrupt: () => {},
    user: () => 'test',
    now: () => options.now ?? new Date(),
  };
  const code = await run(argv, io);
  return {
    code,
    stdout: stdout.text(),
    stderr: stderr.text(),
    get json() {
      return JSON.parse(stdout.text());
    },
    get error() {
      return JSON.parse(stderr.text()).error;
    },
  };
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
