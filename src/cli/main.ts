/** The only place that touches the process. */
import { homedir } from 'node:os';
import { Interrupted, type Io } from './io.ts';
import { run } from './program.ts';

const stopping = new AbortController();
const argv = process.argv.slice(2);

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  const code = signal === 'SIGINT' ? 130 : 143;
  process.on(signal, () => {
    // The first asks to stop cleanly, a second one does not wait for that.
    if (stopping.signal.aborted) process.exit(code);
    stopping.abort(new Interrupted(signal));
  });
}

for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(process.exitCode ?? 0);
    throw error;
  });
}

function crash(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  const verbose = argv.some((word) => word === '-v' || word === '--verbose');
  process.stderr.write(
    `error: ${message}\n${verbose && error instanceof Error ? `${error.stack}\n` : 'hint: run it again with -v to see where it happened\n'}`,
  );
  process.exit(1);
}
process.on('uncaughtException', crash);
process.on('unhandledRejection', crash);

const io: Io = {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  cwd: process.cwd(),
  home: homedir(),
  platform: process.platform,
  stdinIsTerminal: process.stdin.isTTY === true,
  stdoutIsTerminal: process.stdout.isTTY === true,
  stderrIsTerminal: process.stderr.isTTY === true,
  columns: process.stdout.columns,
  signal: stopping.signal,
  now: () => new Date(),
};

process.exitCode = await run(argv, io);
