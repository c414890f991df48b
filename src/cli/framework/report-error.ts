/** Writes the error report to stderr, for a person or a script. */
import { CarStorageError } from '../../client/errors.ts';
import { redactSecrets } from '../config/secrets.ts';
import type { GlobalOptions } from '../config/setting-list.ts';
import { colorChoice, outputFormat, resolveSettings, type Settings } from '../config/settings.ts';
import { UnprintedResult, UnwrittenResult } from '../errors/ended-run.ts';
import { CliError, type ExitCode, sameCode } from '../errors/exit.ts';
import { checkFirst } from '../errors/hints.ts';
import { type ErrorReport, exitCodeOf, reportOf } from '../errors/report.ts';
import { isJsonFormat } from '../output/formats.ts';
import { type Io, write } from '../terminal/io.ts';
import { echoInput, type Ledger, type Stored } from '../terminal/run.ts';
import { stylesFor } from '../terminal/style.ts';
import { pluralize } from '../terminal/text.ts';
import { errorJson, errorText } from './error-text.ts';
import { connectionFlags } from './next-command.ts';
import { version } from './version.ts';

interface Failed {
  /** The global flags that were given, as far as the command line could be understood. */
  readonly options: GlobalOptions;
  /** The flag of the command that gives a field. */
  readonly flagOf?: (field: string) => string | undefined;
  readonly findHint?: FindHint;
}

/** A better hint than that of the report, for an error of the server. */
export type FindHint = (
  error: unknown,
  report: ErrorReport,
  words: HintWords,
) => Promise<string | undefined>;

export interface HintWords {
  /** The name that the person typed for the record with this id. */
  readonly nameOf: (id: string) => string;
  /** Global flags that the next command needs too. */
  readonly flags: readonly string[];
}

export async function reportError(
  error: unknown,
  io: Io,
  { options, flagOf = () => undefined, findHint }: Failed,
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
  const report = await withHint(reportOf(cause, errorContext), cause, { io, options, findHint });
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

/** With the next step that the contract knows, in the words that were typed. */
async function withHint(
  report: ErrorReport,
  cause: unknown,
  { io, options, findHint }: { io: Io; options: GlobalOptions; findHint: FindHint | undefined },
): Promise<ErrorReport> {
  if (report.code === 'unexpected' && !(cause instanceof CliError))
    return {
      ...report,
      hint: `this may be a bug in cs ${version} (Node.js ${io.node}): ${options.verbose ? 'report it with the lines below' : 'run it again with -v, and report what it prints'}, see \`npm bugs car-storage\``,
    };
  if (!findHint || !(cause instanceof CarStorageError)) return report;
  const settings = settingsOf(io, options);
  const hint = await findHint(cause, report, {
    nameOf: (id) => echoInput(io, id),
    flags: settings ? connectionFlags({ settings }) : [],
  });
  return hint === undefined ? report : { ...report, hint };
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
