/** The only file that uses `process`. */
import { fstatSync, readFileSync, statSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { isBuilt, readPart, self } from '../parts.ts';
import { redactSecrets } from './config/secrets.ts';
import { Interrupted, type StopSignal, stopSignals, UnwrittenResult } from './errors/ended-run.ts';
import { storedTree } from './framework/tree/tree.ts';
import { run } from './program.ts';
import type { Io, Pager } from './terminal/io.ts';
import { createRun } from './terminal/run.ts';
import { sanitize } from './terminal/text.ts';

const stopping = new AbortController();
const argv = process.argv.slice(2);

/**
 * The number of programs that this one has handed the terminal to. Ctrl-C is theirs: in a pager, it
 * ends a search.
 */
let programsInFront = 0;
/** Whether Ctrl-C was pressed in one of them. Some pagers exit then. */
let interruptedInFront = false;

let stoppedAt = 0;

function stop(signal: StopSignal): void {
  if (signal === 'SIGINT' && programsInFront > 0) {
    interruptedInFront = true;
    return;
  }
  if (!stopping.signal.aborted) {
    stoppedAt = performance.now();
    stopping.abort(new Interrupted(signal));
    return;
  }
  // A second signal doesn't wait for a clean stop. Within an instant it is the same one: the writer
  // of conf sends each signal again, and a closing terminal sends SIGHUP directly and through the
  // shell.
  const isSecond = performance.now() - stoppedAt > 100 && signal !== 'SIGHUP';
  if (isSecond) process.exit(signal === 'SIGINT' ? 130 : 143);
}
for (const signal of stopSignals) process.on(signal, stop);

/**
 * Ctrl-Z in a prompt stops this process alone. One that waits for it on the same terminal must stop
 * too, or the shell never comes back.
 */
function suspend(): void {
  const wasAsking = isTerminal(0) && !process.stdin.isPaused();
  process.once('SIGCONT', () => {
    process.once('SIGTSTP', suspend);
    // readline stops reading, and the prompt would end.
    if (wasAsking) process.stdin.resume();
  });
  process.kill(0, 'SIGTSTP');
}
process.once('SIGTSTP', suspend);

const openStreams = new Set<NodeJS.WriteStream>();

/** Opens a stream when it is first used, because each takes milliseconds. */
function openStream(stream: NodeJS.WriteStream & { fd: 1 | 2 }): NodeJS.WriteStream {
  if (!openStreams.has(stream)) {
    openStreams.add(stream);
    stream.on('error', (error: NodeJS.ErrnoException) => {
      // An error on stderr can't be reported. The exit code still tells.
      if (stream.fd === 2) return;
      // With a closed pipe, commands that write continue; others stop.
      if (error.code !== 'EPIPE') onWriteFailure(error);
      else if (io.run.ledger.begun === 0) process.exit(process.exitCode ?? 0);
    });
  }
  return stream;
}

/** Why stdout couldn't be written. The failure may arrive after the command has finished. */
let writeFailure: UnwrittenResult | undefined;
let finished = false;

/**
 * Stops a command that only reads. One that writes continues, so that the outcome of its requests
 * is known.
 */
function onWriteFailure(error: NodeJS.ErrnoException): void {
  if (writeFailure) return;
  writeFailure = new UnwrittenResult(error);
  if (io.run.ledger.begun === 0) stopping.abort(writeFailure);
  if (finished) void report(writeFailure);
}

/** Reports an error in the requested format, and sets the exit code. */
async function report(error: unknown): Promise<void> {
  const [{ reportError }, { scanGlobalOptions }] = await Promise.all([
    import('./framework/report-error.ts'),
    import('./framework/execute.ts'),
  ]);
  process.exitCode = await reportError(error, io, { options: scanGlobalOptions(argv) });
}

/** A bug. The state of the program is unknown, so it exits. */
function crash(error: unknown): void {
  report(error)
    .catch(() =>
      process.stderr.write(
        `error: ${redactSecrets(sanitize(error instanceof Error ? error.message : String(error)))}\n`,
      ),
    )
    .finally(() => process.exit(process.exitCode || 1));
}
process.on('uncaughtException', crash);
process.on('unhandledRejection', crash);

function home(): string {
  try {
    return homedir();
  } catch {
    // HOME isn't set and the user has no entry in the system.
    return '/';
  }
}

/** The account, for the audit log; its uid where it has no name, as in many containers. */
function user(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.()}`;
  }
}

function runtime(): string {
  const { deno, bun, node } = process.versions;
  if (deno) return `Deno ${deno}`;
  return bun ? `Bun ${bun}` : `Node.js ${node}`;
}

/**
 * Whether it is a terminal. Files, pipes and /dev/null are recognised without node:tty, which takes
 * a tenth of the start-up time to load.
 */
function isTerminal(fd: 0 | 1 | 2): boolean {
  try {
    const found = fstatSync(fd);
    if (!found.isCharacterDevice() || found.rdev === statSync('/dev/null').rdev) return false;
  } catch {
    // Closed, or a system without /dev/null.
  }
  return process.getBuiltinModule('node:tty').isatty(fd);
}

/** Known through /proc; elsewhere a job counts as foreground. */
function isInBackground(): boolean {
  try {
    const afterName = readFileSync('/proc/self/stat', 'utf8').replace(/^.*\) /s, '');
    const [, , group, , , inFront] = afterName.split(' ');
    return group !== inFront;
  } catch {
    return false;
  }
}

/** In the language of less: one text at the end, another one before. */
const lessPrompt = '?e(END) q to leave:Space for more, q to leave.';

async function openPager(command: string): Promise<Pager> {
  const { spawn } = await import('node:child_process');
  // A person's own settings of less stay as they are. Otherwise its prompt is a colon alone.
  const env = { LESS: `FRX -Ps${lessPrompt}$`, LV: '-c', ...process.env };
  const child = spawn(command, { shell: true, stdio: ['pipe', 'inherit', 'inherit'], env });
  programsInFront += 1;
  const ended = new Promise<number>((resolve) => {
    child.on('error', () => resolve(127));
    // The code is null after a signal.
    child.on('close', (code) => resolve(interruptedInFront ? 0 : (code ?? 1)));
  }).finally(() => {
    programsInFront -= 1;
  });
  // The pager may close its stdin early. `write` handles that.
  child.stdin.on('error', () => {});
  return { stdin: child.stdin, ended };
}

function background(words: readonly string[]): Promise<void> {
  const { spawn } = process.getBuiltinModule('node:child_process');
  return new Promise((resolve) => {
    const [file = '', ...first] = self();
    const child = spawn(file, [...first, ...words], {
      detached: true,
      stdio: 'ignore',
      windowsHide: true,
    });
    child.on('error', () => resolve());
    child.on('exit', () => resolve());
    child.unref();
  });
}

async function foreground(
  words: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<number> {
  const { spawn } = process.getBuiltinModule('node:child_process');
  programsInFront += 1;
  try {
    const [file = '', ...first] = self();
    const child = spawn(file, [...first, ...words], {
      stdio: 'inherit',
      env: { ...process.env, ...env },
      signal: stopping.signal,
    });
    return await new Promise<number>((resolve) => {
      // The code is null after a signal; an error that isn't the stop is one of the start.
      child.on('error', () => {});
      child.on('close', (exitCode) => resolve(exitCode ?? 1));
    });
  } finally {
    programsInFront -= 1;
  }
}

const io: Io = {
  get stdin() {
    return process.stdin;
  },
  get stdout() {
    return openStream(process.stdout);
  },
  get stderr() {
    return openStream(process.stderr);
  },
  env: process.env,
  // A getter, because it throws if the folder was deleted.
  get cwd() {
    return process.cwd();
  },
  get home() {
    return home();
  },
  platform: process.platform,
  runtime: runtime(),
  stdinIsTerminal: isTerminal(0),
  stdoutIsTerminal: isTerminal(1),
  stderrIsTerminal: isTerminal(2),
  get columns() {
    // A terminal that doesn't tell its width has 0 columns.
    return process.stdout.columns || (isTerminal(2) && process.stderr.columns) || undefined;
  },
  get rows() {
    return process.stdout.rows || (isTerminal(2) && process.stderr.rows) || undefined;
  },
  signal: stopping.signal,
  run: createRun(),
  interrupt: () => stop('SIGINT'),
  suspend() {
    // Without a listener it stops at once.
    process.off('SIGTSTP', suspend);
    suspend();
  },
  isInBackground,
  user,
  now: () => new Date(),
  pause: (ms, signal) => delay(ms, undefined, { signal }),
  openPager,
  background,
  foreground,
};

// The build stores the description of the commands. The sources describe them when needed.
const stored = isBuilt ? storedTree((name) => readPart(`tree/${name}.json`).toString()) : undefined;

async function main(): Promise<void> {
  process.exitCode = await run(argv, io, stored);
  finished = true;
  // The failure of a final write may not have been reported by the command.
  if (writeFailure && process.exitCode !== writeFailure.exitCode && process.exitCode !== 15)
    await report(writeFailure);
}

// Not awaited: the executable loads CommonJS. Without an end of the command there is no success.
process.once('exit', () => {
  if (process.exitCode === undefined) process.exitCode = 13;
});
void main();
