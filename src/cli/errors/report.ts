/**
 * What went wrong: code, message, details, hint and exit code of any error. The one way from an
 * error to what is told of it.
 */
import { ApiError, CarStorageError, ProtocolError } from '../../client/errors.ts';
import { codesOfClient, exitCodeOfAnswer, exitCodesOf } from './codes.ts';
import { Interrupted, UnprintedResult, UnwrittenResult } from './ended-run.ts';
import { CliError, type ExitCode, type Names, sameCode } from './exit.ts';
import { hintFor } from './hints.ts';

export interface ErrorReport {
  readonly code: string;
  readonly message: string;
  readonly status: number | null;
  readonly details: unknown;
  readonly requestId: string | null;
  readonly hint: string | null;
  readonly exitCode: ExitCode;
}

export interface ErrorContext {
  /** The address of the server, when it is known. */
  readonly baseUrl?: string | undefined;
}

export const exitCodeOf = (error: unknown): ExitCode => reportOf(error).exitCode;

/** The whole report when the person stopped a command before it did anything. */
const stopped = 'Stopped.';
const stoppedAtQuestion = 'Stopped. Nothing was changed.';
/** Whether the person ended the command without harm, so that its report isn't an error. */
export const isLeft = ({ exitCode, message }: ErrorReport): boolean =>
  exitCode === 13 || message === stopped || message === stoppedAtQuestion;

export function reportOf(error: unknown, context: ErrorContext = {}): ErrorReport {
  const base = { status: null, details: null, requestId: null, hint: null };
  if (error instanceof CliError) {
    const { code, message, details, hint = null, exitCode, cause } = error;
    // Of the answer that it sums up.
    const { status, requestId } =
      cause instanceof CarStorageError || cause instanceof CliError ? reportOf(cause) : base;
    return { code, message, status, details, requestId, hint, exitCode };
  }
  if (error instanceof CarStorageError) return ofClient(error, context);
  // Where something was stored, `report-error.ts` makes it exit 15.
  if (error instanceof UnprintedResult) return reportOf(error.cause, context);
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof UnwrittenResult) {
    const hint = 'free some disk space or write somewhere else, and run the command again';
    return { ...base, code: 'file_unusable', message, hint, exitCode: error.exitCode };
  }
  // Ctrl-C in a prompt: inquirer reads the key itself, so there is no signal.
  if (
    error instanceof Interrupted ||
    (error instanceof Error && error.name === 'ExitPromptError')
  ) {
    const { signal = 'SIGINT', atQuestion = false } = error instanceof Interrupted ? error : {};
    return {
      ...base,
      code: 'interrupted',
      message: atQuestion ? stoppedAtQuestion : stopped,
      exitCode: signal === 'SIGINT' ? 130 : 143,
    };
  }
  const hint =
    'this may be a bug in cs: run it again with -v, and report what it prints: `npm bugs car-storage` shows where';
  return { ...base, code: 'unexpected', message, hint, exitCode: 1 };
}

function ofClient(error: CarStorageError, { baseUrl }: ErrorContext): ErrorReport {
  const answer = error instanceof ApiError || error instanceof ProtocolError ? error : undefined;
  const fromGateway = error instanceof ProtocolError && isFailure(error);
  const common = {
    status: answer?.status ?? null,
    details: error instanceof ApiError ? error.details : null,
    requestId: answer?.requestId ?? null,
    hint: hintFor(error, { baseUrl, fromGateway }) ?? null,
  };
  if (error instanceof ApiError) {
    const { code, message, status } = error;
    // A page may be missing as well; the code says that it is no record.
    const exitCode =
      code === 'operation_missing' ? exitCodesOf(code)[0] : exitCodeOfAnswer(status, code);
    return { code, message, ...common, exitCode };
  }
  if (fromGateway) {
    const { status, contentType } = error;
    const what = contentType?.split(';', 1)[0] ?? 'no content type';
    // JSON comes from the server, and says why.
    const message = /json/i.test(what)
      ? sentence(error.message)
      : `The server, or a gateway in front of it, answered ${status} with ${what}.`;
    return { code: `http_${status}`, message, ...common, exitCode: exitCodeOfAnswer(status) };
  }
  const code = codesOfClient[error.code] ?? error.code;
  return { code, message: sentence(error.message), ...common, exitCode: exitCodesOf(code)[0] };
}

/**
 * Servers of other interfaces answer unknown paths with these, so most likely the address is wrong.
 */
const unknownPath: ReadonlySet<number> = new Set([404, 405, 410]);
/**
 * Whether an answer outside of this interface still tells that the server, or a gateway in front of
 * it, refused the request or failed.
 */
const isFailure = ({ status, code }: ProtocolError): boolean =>
  code === 'unexpected_answer' && status >= 400 && !unknownPath.has(status);

/**
 * With a capital and a full stop, which messages of the client lack. A leading address stays as it
 * is.
 */
export function sentence(message: string): string {
  const capitalized = /^[a-z]+:\/\//.test(message)
    ? message
    : `${message.charAt(0).toUpperCase()}${message.slice(1)}`;
  return capitalized.replace(/\.?$/, '.');
}

export const reasonOf = (error: unknown, stopped?: boolean): string =>
  stopped ? 'Stopped while sending.' : sentence(reportOf(error).message);

interface Words {
  readonly message: string;
  readonly hint: string;
  readonly names?: Names | undefined;
  /** (default: those of the cause) */
  readonly details?: unknown;
}

/** The same code, status and exit code with another message and hint. */
export function wrapFailure(cause: unknown, words: Words): CliError {
  const { code, details, exitCode } = reportOf(cause);
  return new CliError({ code: sameCode(code), details, ...words, exitCode, cause });
}
