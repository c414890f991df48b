/** A failure that a command found itself, with the exit code of its error code. */
import { type ErrorCode, type ExitCode, exitCodesOf } from './codes.ts';

export type { ErrorCode, ExitCode } from './codes.ts';

export type Names = Readonly<Record<string, string>>;

interface Failure {
  readonly code: ErrorCode;
  readonly message: string;
  /** What to do next. */
  readonly hint?: string | undefined;
  readonly details?: unknown;
  /** What people call the ids in message and hint: a plate. Text shows it in their place. */
  readonly names?: Names | undefined;
  readonly cause?: unknown;
  /** (default: the first exit code of `code`) */
  readonly exitCode?: ExitCode | undefined;
}

export class CliError extends Error {
  override readonly name: string = 'CliError';
  readonly code: ErrorCode;
  readonly exitCode: ExitCode;
  readonly hint: string | undefined;
  readonly details: unknown;
  readonly names: Names;

  constructor({ code, message, hint, details = null, names = {}, cause, exitCode }: Failure) {
    super(message, { cause });
    this.code = code;
    this.exitCode = exitCode ?? exitCodesOf(code)[0];
    this.hint = hint;
    this.details = details;
    this.names = names;
  }
}

/**
 * The code of another error that this one sums up. A server may have chosen it, so give `exitCode`
 * as well.
 */
export const sameCode = (code: string): ErrorCode => code as ErrorCode;

interface Failed {
  readonly code: string;
  readonly exitCode: ExitCode;
}

/**
 * Code and exit code of an error that sums up the failures of several items: those of what stopped
 * the run (`stop`), such as a lost connection; else their own, where nothing was done and all failed
 * in the same way; else exit 11.
 */
export function summedUp(
  failures: readonly Failed[],
  { done, stop }: { readonly done: number; readonly stop?: Failed | undefined },
): { readonly code: ErrorCode; readonly exitCode: ExitCode } {
  const [first] = failures;
  const isSame = done === 0 && failures.every(({ exitCode }) => exitCode === first?.exitCode);
  const partial: Failed = { code: 'partial', exitCode: 11 };
  const { code, exitCode } = stop ?? ((isSame && first) || partial);
  return { code: sameCode(code), exitCode };
}

/** The command line is invalid, or lacks a value that only a person could be asked for. Exit 2. */
export const usage = (message: string, hint: string): CliError =>
  new CliError({ code: 'usage', message, hint });

/** The person answered no. Exit 13. */
export const declined = (message = 'Nothing was changed.'): CliError =>
  new CliError({ code: 'declined', message });
