/** The only place that touches the process. */
import { homedir, userInfo } from 'node:os';
import { actorOf } from './actor.ts';
import { Interrupted, type Io } from './io.ts';
import { run } from './program.ts';

const stopping = new AbortController();
const argv = process.argv.slice(2);

function stop(signal: 'SIGINT' | 'SIGTERM'): void {
  // The first asks to stop cleanly, a second one does not wait for that.
  if (stopping.signal.aborted) process.exit(signal === 'SIGINT' ? 130 : 143);
  stopping.abort(new Interrupted(signal));
}
process.on('SIGINT', stop);
process.on('SIGTERM', stop);

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

function home(): string {
  try {
    return homedir();
  } catch {
    // Neither HOME nor an entry of the user says it.
    return '/';
  }
}

const io: Io = {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  cwd: process.cwd(),
  home: home(),
  platform: process.platform,
  stdinIsTerminal: process.stdin.isTTY === true,
  stdoutIsTerminal: process.stdout.isTTY === true,
  stderrIsTerminal: process.stderr.isTTY === true,
  columns: process.stdout.columns,
  signal: stopping.signal,
  interrupt: () => stop('SIGINT'),
  user: () => actorOf(userInfo, process.getuid?.()),
  now: () => new Date(),
};

process.exitCode = await run(argv, io);
