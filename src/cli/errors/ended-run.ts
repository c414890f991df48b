/** Why a run ends early: a signal, or output that couldn't be printed. */
import { describeFsError } from './file-system.ts';

/**
 * Signals that stop a command: Ctrl-C, a service manager, and a closing terminal or console (on
 * Windows SIGBREAK).
 */
export const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK'] as const;
export type StopSignal = (typeof stopSignals)[number];

/** The reason with which `Io.signal` is aborted. */
export class Interrupted extends Error {
  readonly signal: StopSignal;
  /** Whether the person left a question, rather than the work that follows the answers. */
  readonly atQuestion: boolean;

  constructor(signal: StopSignal, { atQuestion = false } = {}) {
    super(`Stopped by ${signal}.`);
    this.name = 'Interrupted';
    this.signal = signal;
    this.atQuestion = atQuestion;
  }
}

/** The reader closed the pipe, like `head`. Not an error. */
export class ClosedPipe extends Error {}

/** The result couldn't be formatted, such as by a failing jq program. */
export class UnprintedResult extends Error {
  constructor(cause: unknown) {
    super(undefined, { cause });
  }
}

/** The result couldn't be written, such as to a full disk. */
export class UnwrittenResult extends Error {
  readonly exitCode = 1;

  constructor(cause: NodeJS.ErrnoException) {
    super(`Couldn't write the result: ${describeFsError(cause)}.`, { cause });
  }
}
