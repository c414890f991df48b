/** The only place that touches the process. */
import { fstatSync, readFileSync, statSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { withoutSecrets } from './config/key-argument.ts';
import { actorOf } from './framework/actor.ts';
import { ledgerOf } from './framework/ledger.ts';
import { storedTree } from './framework/tree/tree.ts';
import { run } from './program.ts';
import { Interrupted, type Io, type Pager, type StopSignal, stopSignals, UnwrittenResult } from './terminal/io.ts';
import { sanitize } from './terminal/text.ts';

const stopping = new AbortController();
const argv = process.argv.slice(2);

/** How many pagers are open. In one, Ctrl-C ends a search and not the program. */
let paging = 0;
/** Whether Ctrl-C was pressed in a pager, which some take as leaving. */
let pagerInterrupted = false;

function stop(signal: StopSignal): void {
  if (signal === 'SIGINT' && paging > 0) {
    pagerInterrupted = true;
    return;
  }
  // A second one does not wait for a clean stop. A terminal that closes sends its own twice: itself, and through the shell.
  const second = stopping.signal.aborted && (signal === 'SIGINT' || signal === 'SIGTERM');
  if (second) process.exit(signal === 'SIGINT' ? 130 : 143);
  stopping.abort(new Interrupted(signal));
}
for (const signal of stopSignals) process.on(signal, stop);

const watched = new Set<NodeJS.WriteStream>();

/** A stream, made when it is first needed: each takes milliseconds that the version and help need not pay for all three. */
function watch(stream: NodeJS.WriteStream & { fd: 1 | 2 }): NodeJS.WriteStream {
  if (!watched.has(stream)) {
    watched.add(stream);
    stream.on('error', (error: NodeJS.ErrnoException) => {
      // Whoever cannot be told what went wrong still gets the exit code.
      if (stream.fd === 2) return;
      // Writes that were asked for are carried out, whoever reads of them.
      if (error.code !== 'EPIPE') lose(error);
      else if (ledgerOf(io).begun === 0) process.exit(process.exitCode ?? 0);
    });
  }
  return stream;
}

/** Why the result could not be written, and whether the command has ended before that came out. */
let lost: UnwrittenResult | undefined;
let ended = false;

/** A command that reads is stopped, and tells why. One that writes goes on: what is on its way must not be left unknown. */
function lose(error: NodeJS.ErrnoException): void {
  if (lost) return;
  lost = new UnwrittenResult(error);
  if (ledgerOf(io).begun === 0) stopping.abort(lost);
  if (ended) void tell(lost);
}

/** As every failure is told: in the form that was asked for, with its exit code. */
async function tell(error: unknown): Promise<void> {
  const [{ reportError }, { globalOptionsIn }] = await Promise.all([import('./errors/report.ts'), import('./framework/execute.ts')]);
  process.exitCode = await reportError(error, io, { options: globalOptionsIn(argv) });
}

/** A fault of ours, of which nobody knows what it left behind. */
function crash(error: unknown): void {
  tell(error)
    .catch(() => process.stderr.write(`error: ${withoutSecrets(sanitize(error instanceof Error ? error.message : String(error)))}\n`))
    .finally(() => process.exit(process.exitCode || 1));
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

/**
 * Whether it is a terminal. What is a file, a pipe or /dev/null is none; the module that is asked about the rest takes a tenth of the
 * time of a start to load.
 */
function isTerminal(fd: 0 | 1 | 2): boolean {
  try {
    const found = fstatSync(fd);
    if (!found.isCharacterDevice() || found.rdev === statSync('/dev/null').rdev) return false;
  } catch {
    // Closed, or a system that has no such file.
  }
  return process.getBuiltinModule('node:tty').isatty(fd);
}

async function openPager(command: string): Promise<Pager> {
  const { spawn } = await import('node:child_process');
  const env = { LESS: 'FRX', LV: '-c', ...process.env };
  const child = spawn(command, { shell: true, stdio: ['pipe', 'inherit', 'inherit'], env });
  paging += 1;
  const ended = new Promise<number>((resolve) => {
    child.on('error', () => resolve(127));
    // Ended by a signal, it has no code.
    child.on('close', (code) => resolve(pagerInterrupted ? 0 : (code ?? 1)));
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
  // It may be gone, which is told to those alone that need it.
  get cwd() {
    return process.cwd();
  },
  get home() {
    return home();
  },
  platform: process.platform,
  node: process.versions.node,
  stdinIsTerminal: isTerminal(0),
  stdoutIsTerminal: isTerminal(1),
  stderrIsTerminal: isTerminal(2),
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
ended = true;
// A command that had written everything when that came out has not told of it.
if (lost && process.exitCode !== lost.exitCode && process.exitCode !== 15) await tell(lost);
