/** The only place that touches the process. */
import { readFileSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { isatty } from 'node:tty';
import { actorOf } from './actor.ts';
import { Interrupted, type Io, type Pager } from './io.ts';
import { run } from './program.ts';
import { storedTree } from './tree/tree.ts';

const stopping = new AbortController();
const argv = process.argv.slice(2);

/** How many pagers are open. In one, Ctrl-C ends a search and not the program. */
let paging = 0;

function stop(signal: 'SIGINT' | 'SIGTERM'): void {
  if (signal === 'SIGINT' && paging > 0) return;
  // The first asks to stop cleanly, a second one does not wait for that.
  if (stopping.signal.aborted) process.exit(signal === 'SIGINT' ? 130 : 143);
  stopping.abort(new Interrupted(signal));
}
process.on('SIGINT', stop);
process.on('SIGTERM', stop);

const watched = new Set<NodeJS.WriteStream>();

/** A stream, made when it is first needed: each takes milliseconds that the version and help need not pay for all three. */
function watch(stream: NodeJS.WriteStream & { fd: 1 | 2 }): NodeJS.WriteStream {
  if (!watched.has(stream)) {
    watched.add(stream);
    stream.on('error', (error: NodeJS.ErrnoException) => {
      // Whoever cannot be told what went wrong still gets the exit code.
      if (stream.fd === 2) return;
      if (error.code === 'EPIPE') process.exit(process.exitCode ?? 0);
      throw error;
    });
  }
  return stream;
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

async function openPager(command: string): Promise<Pager> {
  const { spawn } = await import('node:child_process');
  const env = { LESS: 'FRX', LV: '-c', ...process.env };
  const child = spawn(command, { shell: true, stdio: ['pipe', 'inherit', 'inherit'], env });
  paging += 1;
  const ended = new Promise<number>((resolve) => {
    child.on('error', () => resolve(127));
    child.on('close', (code) => resolve(code ?? 0));
  }).finally(() => {
    paging -= 1;
  });
  // It may be left before it has read everything, which `write` tells.
  child.stdin.on('error', () => {});
  return { stdin: child.stdin, ended };
}

function background(words: readonly string[]): Promise<void> {
  const { spawn } = process.getBuiltinModule('node:child_process');
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [process.argv[1] as string, ...words], { detached: true, stdio: 'ignore', windowsHide: true });
    child.on('error', () => resolve());
    child.on('exit', () => resolve());
    child.unref();
  });
}

const io: Io = {
  get stdin() {
    return process.stdin;
  },
  get stdout() {
    return watch(process.stdout);
  },
  get stderr() {
    return watch(process.stderr);
  },
  env: process.env,
  cwd: process.cwd(),
  get home() {
    return home();
  },
  platform: process.platform,
  node: process.versions.node,
  stdinIsTerminal: isatty(0),
  stdoutIsTerminal: isatty(1),
  stderrIsTerminal: isatty(2),
  get columns() {
    return process.stdout.columns;
  },
  get rows() {
    return process.stdout.rows;
  },
  signal: stopping.signal,
  interrupt: () => stop('SIGINT'),
  user: () => actorOf(userInfo, process.getuid?.()),
  now: () => new Date(),
  openPager,
  background,
};

// What a build wrote down of the commands lies beside it; from the sources they are described as they are.
const stored = import.meta.filename.endsWith('.js')
  ? storedTree((name) => readFileSync(new URL(`../tree/${name}.json`, import.meta.url), 'utf8'))
  : undefined;

process.exitCode = await run(argv, io, stored);
