/** The process as a command sees it. Passed in, so that a test can be a terminal or a pipe. */
import type { Readable, Writable } from 'node:stream';
import type { TransportOptions } from '../../client/options.ts';
import { describeFsError } from '../errors/file-system.ts';
import type { Run } from '../framework/run.ts';

export interface Io {
  readonly stdin: Readable;
  /** The result, and nothing else. */
  readonly stdout: Writable;
  /** Progress, notes, questions and errors. */
  readonly stderr: Writable;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly home: string;
  readonly platform: NodeJS.Platform;
  /** The version of Node.js, such as `24.15.0`. */
  readonly node: string;
  readonly stdinIsTerminal: boolean;
  readonly stdoutIsTerminal: boolean;
  readonly stderrIsTerminal: boolean;
  /** Width of the terminal in cells; `undefined` without a terminal. */
  readonly columns: number | undefined;
  /** Height of the terminal in lines. */
  readonly rows?: number | undefined;
  /** Aborted with an `Interrupted` on each of `stopSignals`. */
  readonly signal: AbortSignal;
  /** The state of this run: its writes, keys and typed names. */
  readonly run: Run;
  /** The effect of Ctrl-C, where it arrives as a key. */
  interrupt(): void;
  /** Who runs this, for the audit log. */
  user(): string;
  now(): Date;
  /** How requests wait, in place of a real wait; for tests. */
  readonly waiting?: Pick<TransportOptions, 'sleep' | 'startLimit'>;
  /** Starts a pager with a shell command. */
  openPager?(command: string): Promise<Pager>;
  /** Starts another `cs` without output, and resolves when it ends. It may outlive the one that started it. */
  background?(words: readonly string[]): Promise<void>;
}

export interface Pager {
  /** Closed when the person leaves the program. */
  readonly stdin: Writable;
  /** Its exit code, once it has ended; 127 when it couldn't be started, 0 when Ctrl-C ended it. Ctrl-C is its own until then. */
  readonly ended: Promise<number>;
}

/** Signals that stop a command: Ctrl-C, a service manager, and a closing terminal or console (on Windows SIGBREAK). */
export const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK'] as const;
export type StopSignal = (typeof stopSignals)[number];

/** The reason with which `Io.signal` is aborted. */
export class Interrupted extends Error {
  readonly signal: StopSignal;

  constructor(signal: StopSignal) {
    super(`Stopped by ${signal}.`);
    this.name = 'Interrupted';
    this.signal = signal;
  }
}

/** The reader closed the pipe, like `head`. Not an error. */
export class ClosedPipe extends Error {
  constructor() {
    super('The reader of the output has gone.');
    this.name = 'ClosedPipe';
  }
}

/** The result couldn't be formatted, such as by a failing jq program. */
export class UnprintedResult extends Error {
  constructor(cause: unknown) {
    super('The result could not be printed.', { cause });
    this.name = 'UnprintedResult';
  }
}

/** The result couldn't be written, such as to a full disk. */
export class UnwrittenResult extends Error {
  readonly exitCode = 1;

  constructor(cause: NodeJS.ErrnoException) {
    super(`Couldn't write the result: ${describeFsError(cause)}.`, { cause });
    this.name = 'UnwrittenResult';
  }
}

/** Writes with backpressure, so that a long result doesn't fill the memory. */
export async function write(stream: Writable, text: string | Uint8Array): Promise<void> {
  if (stream.destroyed || stream.writableEnded) throw new ClosedPipe();
  if (stream.write(text)) return;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const goOn = () => resolve();
  stream.once('drain', goOn).once('close', goOn).once('error', reject);
  try {
    await promise;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EPIPE') throw new ClosedPipe();
    throw new UnwrittenResult(error as NodeJS.ErrnoException);
  } finally {
    // Removes the listeners: a long result waits thousands of times.
    stream.off('drain', goOn).off('close', goOn).off('error', reject);
  }
  if (stream.destroyed) throw new ClosedPipe();
}

/** Everything on stdin. */
export async function readStdin(io: Io): Promise<Buffer> {
  io.signal.throwIfAborted();
  const stop = () => io.stdin.destroy(io.signal.reason);
  io.signal.addEventListener('abort', stop, { once: true });
  const chunks: Buffer[] = [];
  for await (const chunk of io.stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}
