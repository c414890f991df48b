/** The process as a command sees it. Passed in, so that a test can be a terminal or a pipe. */
import type { Readable, Writable } from 'node:stream';
import type { TransportOptions } from '../../client/options.ts';
import { ClosedPipe, UnwrittenResult } from '../errors/ended-run.ts';
import type { Run } from './run.ts';

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
  /** What runs `cs`, such as `Node.js 24.15.0`. */
  readonly runtime: string;
  readonly stdinIsTerminal: boolean;
  readonly stdoutIsTerminal: boolean;
  readonly stderrIsTerminal: boolean;
  /**
   * Width in cells of the terminal that shows the result, otherwise of the one that shows
   * questions; `undefined` where none tells its width.
   */
  readonly columns: number | undefined;
  /** Height of the terminal in lines. */
  readonly rows?: number | undefined;
  /** Aborted with an `Interrupted` on each of `stopSignals`. */
  readonly signal: AbortSignal;
  /** The state of this run: its writes, keys and typed names. */
  readonly run: Run;
  /** The effect of Ctrl-C, where it arrives as a key. */
  interrupt(): void;
  /** The effect of Ctrl-Z: returns once the shell goes on with it. */
  suspend(): void;
  /** Whether it is a background job, which the system stops when it uses the terminal. */
  isInBackground(): boolean;
  /** The account of the operating system that runs this. */
  user(): string;
  now(): Date;
  /** Waits, and rejects when the signal is aborted. Tests make it short. */
  pause(ms: number, signal: AbortSignal): Promise<void>;
  /** How requests wait, in place of a real wait; for tests. */
  readonly waiting?: Pick<TransportOptions, 'sleep' | 'startLimit'>;
  /** Starts a pager with a shell command. */
  openPager?(command: string): Promise<Pager>;
  /**
   * Starts another `cs` without output, and resolves when it ends. It may outlive the one that
   * started it.
   */
  background?(words: readonly string[]): Promise<void>;
  /**
   * Runs another `cs` on this terminal, in this environment, and returns its exit code. Ctrl-C is
   * its own until it ends; other signals end it too.
   */
  foreground?(words: readonly string[], env: Readonly<Record<string, string>>): Promise<number>;
}

/**
 * Set for a `cs` that another one runs in the foreground: Esc at the first question leaves it, back
 * to where the person came from.
 */
export const leavesOnEscape = 'CS_LEAVES_ON_ESCAPE';

export interface Pager {
  /** Closed when the person leaves the program. */
  readonly stdin: Writable;
  /**
   * Its exit code, once it has ended; 127 when it couldn't be started, 0 when Ctrl-C ended it.
   * Ctrl-C is its own until then.
   */
  readonly ended: Promise<number>;
}

/** Writes with backpressure, so that a long result doesn't fill the memory. */
export async function write(stream: Writable, text: string | Uint8Array): Promise<void> {
  if (stream.destroyed || stream.writableEnded) throw new ClosedPipe();
  if (stream.write(text)) return;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const onReady = () => resolve();
  stream.once('drain', onReady).once('close', onReady).once('error', reject);
  try {
    await promise;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EPIPE') throw new ClosedPipe();
    throw new UnwrittenResult(error as NodeJS.ErrnoException);
  } finally {
    // Removes the listeners: a long result waits thousands of times.
    stream.off('drain', onReady).off('close', onReady).off('error', reject);
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
