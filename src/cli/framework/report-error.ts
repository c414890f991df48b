/** Writes the error report to stderr, for a person or a script. */
import { ApiError, NetworkError, ProtocolError } from '../../client/errors.ts';
import { redactSecrets } from '../config/secrets.ts';
import type { GlobalOptions } from '../config/setting-list.ts';
import { colorChoice, outputFormat, resolveSettings, type Settings } from '../config/settings.ts';
import { isServiceCode } from '../errors/codes.ts';
import { UnprintedResult, UnwrittenResult } from '../errors/ended-run.ts';
import { CliError, type ExitCode, sameCode } from '../errors/exit.ts';
import { exitCodeOf } from '../errors/exit-code.ts';
import { isMissing } from '../errors/missing-path.ts';
import { checkFirst, type ErrorReport, reportOf } from '../errors/report.ts';
import { isJsonFormat } from '../output/formats.ts';
import { echoInput } from '../resources/typed.ts';
import { type Io, write } from '../terminal/io.ts';
import { stylesFor } from '../terminal/style.ts';
import { pluralize } from '../terminal/text.ts';
import { errorJson, errorText } from './error-text.ts';
import { connectionFlags } from './next-command.ts';
import type { Ledger, Stored } from './run.ts';
import { version } from './version.ts';

interface Failed {
  /** The global flags that were given, as far as the command line could be understood. */
  readonly options: GlobalOptions;
  /** The flag of the command that gives a field. */
  readonly flagOf?: (field: string) => string | undefined;
}

export async function reportError(
  error: unknown,
  io: Io,
  { options, flagOf = () => undefined }: Failed,
): Promise<ExitCode> {
  // A stopped command may throw anything; the signal is the cause.
  const failure = io.signal.aborted && exitCodeOf(error) < 128 ? io.signal.reason : error;
  const why = failure instanceof UnprintedResult ? failure.cause : failure;
  const cause = afterWrites(io, failure, why);
  const format = outputFormat(io, options);
  const errorContext = {
    baseUrl: addressOf(io, options),
    flagOf,
    width: io.stderrIsTerminal ? (io.columns ?? 80) : undefined,
    names: cause instanceof CliError ? cause.names : {},
    verbose: options.verbose,
    isOurs: cause instanceof CliError,
  };
  const report = await withHint(reportOf(cause, errorContext), cause, { io, options });
  const styles = stylesFor(io, 'stderr', colorChoice(io, options));
  try {
    const text = isJsonFormat(format)
      ? errorJson(report, errorContext)
      : errorText(report, styles, errorContext);
    const stack =
      options.verbose && why instanceof Error ? (await import('./stack.ts')).stackText(why) : '';
    await write(io.stderr, redactSecrets(text + stack));
  } catch {
    // Nobody reads stderr any more; the exit code still tells.
  }
  return report.exitCode;
}

/** Changes stay stored when the command is stopped or its result can't be printed. The report lists them and never advises to run it again. */
function afterWrites(io: Io, error: unknown, why: unknown): unknown {
  const stopped = exitCodeOf(why) >= 128;
  // Some commands report their changes with an error of their own.
  const isReported = stopped
    ? why instanceof CliError
    : !(error instanceof UnprintedResult || error instanceof UnwrittenResult);
  const ledger = io.run.ledger;
  if (isReported || ledger.stored.length + ledger.unknown.length === 0) return why;
  return ledger.stored.length > 0
    ? storedNotPrinted(why, ledger, stopped)
    : possiblyStored(why, ledger, stopped);
}

function storedNotPrinted(
  why: unknown,
  { stored, failed, unknown }: Ledger,
  stopped: boolean,
): CliError {
  const { code, message, exitCode } = reportOf(why);
  const [first] = stored;
  return new CliError({
    ...(stopped
      ? {
          code: sameCode(code),
          exitCode,
          message: `Stopped after ${pluralize(stored.length, 'change was', 'changes were')} stored.`,
        }
      : { code: 'stored_not_printed', message: `Stored, but not printed. ${message}` }),
    hint:
      first?.hint ??
      (first?.id === undefined
        ? "it is done: don't run it again"
        : `don't run it again; see it with \`cs api ${placeOf(first)}\``),
    details: {
      stored,
      ...(failed.length > 0 && { failed }),
      ...(unknown.length > 0 && { unknown }),
    },
    cause: why,
  });
}

function possiblyStored(why: unknown, { unknown }: Ledger, stopped: boolean): CliError {
  const { code, message, exitCode } = reportOf(why);
  return new CliError({
    code: sameCode(code),
    message: stopped ? 'Stopped before the answer came.' : message,
    hint: checkFirst,
    details: { unknown },
    exitCode,
    cause: why,
  });
}

const placeOf = ({ did, id }: Stored): string => `${did.split(' ').at(-1)}/${id}`;

/** The contract knows better hints for two codes, and for a path that only our service is sure to have. It is loaded only for these. */
async function withHint(
  report: ErrorReport,
  cause: unknown,
  { io, options }: { io: Io; options: GlobalOptions },
): Promise<ErrorReport> {
  if (report.code === 'unexpected' && !(cause instanceof CliError))
    return {
      ...report,
      hint: `this may be a bug in cs ${version} (Node.js ${io.node}): ${options.verbose ? 'report it with the lines below' : 'run it again with -v, and report what it prints'}, see \`npm bugs car-storage\``,
    };
  if (isMissing(cause) && !isServiceCode(cause.code)) {
    const { missingPathHint, missingRecordHint } = await import('./hint-from-contract.ts');
    return {
      ...report,
      hint:
        missingPathHint(cause) ?? missingRecordHint(cause, runOf({ io, options })) ?? report.hint,
    };
  }
  if (report.hint === checkFirst && isAboutRequest(cause)) {
    const { whereToCheck } = await import('./hint-from-contract.ts');
    const list = whereToCheck(cause, runOf({ io, options }));
    return list ? { ...report, hint: `${report.hint}; ${list}` } : report;
  }
  if (
    !(cause instanceof ApiError) ||
    cause.unknownOutcome ||
    !['not_found', 'validation_failed'].includes(cause.code)
  )
    return report;
  const { hintFromContract } = await import('./hint-from-contract.ts');
  return { ...report, hint: hintFromContract(cause, runOf({ io, options })) ?? report.hint };
}

const isAboutRequest = (error: unknown): error is ApiError | NetworkError | ProtocolError =>
  error instanceof ApiError || error instanceof NetworkError || error instanceof ProtocolError;

function runOf({ io, options }: { io: Io; options: GlobalOptions }) {
  const settings = settingsOf(io, options);
  return {
    nameOf: (id: string) => echoInput(io, id),
    flags: settings ? connectionFlags({ settings }) : [],
  };
}

/** None when a setting is invalid, which some commands tolerate. */
function settingsOf(io: Io, options: GlobalOptions): Settings | undefined {
  try {
    return resolveSettings(io, options);
  } catch {
    return undefined;
  }
}

function addressOf(io: Io, options: GlobalOptions): string | undefined {
  try {
    return resolveSettings(io, options).connection().baseUrl.value;
  } catch {
    return undefined;
  }
}
