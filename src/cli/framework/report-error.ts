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
import { echoInput } from '../terminal/run.ts';
import { stylesFor } from '../terminal/style.ts';
import { pluralize } from '../terminal/text.ts';
import { errorJson, errorText } from './error-text.ts';
import { connectionFlags } from './next-command.ts';

interface Failed {
  /** The global flags that were given, as far as the command line could be understood. */
  readonly options: GlobalOptions;
  /** The flag of the command that gives a field. */
  readonly flagOf?: (field: string) => string | undefined;
  readonly findHint?: FindHint;
  /** Of the command: `cars.list`. */
  readonly operations?: readonly string[] | undefined;
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
  /** The operations of the command. */
  readonly operations: readonly string[];
  /** Global flags that the next command needs too. */
  readonly flags: readonly string[];
}

export async function reportError(
  error: unknown,
  io: Io,
  { options, flagOf, findHint, operations = [] }: Failed,
): Promise<ExitCode> {
  // A stopped command may throw anything; the signal is the cause.
  const failure = io.signal.aborted && exitCodeOf(error) < 128 ? io.signal.reason : error;
  const why = failure instanceof UnprintedResult ? failure.cause : failure;
  const cause = afterWrites(io, failure, why);
  const settings = settingsOf(io, options);
  const report = reportOf(cause, { baseUrl: settings?.connection().baseUrl.value });
  const hint =
    cause instanceof CarStorageError
      ? await findHint?.(cause, report, {
          nameOf: (id) => echoInput(io, id),
          operations,
          flags: settings ? connectionFlags({ settings }) : [],
        })
      : undefined;
  const withHint = hint === undefined ? report : { ...report, hint };
  const context = {
    flagOf,
    width: io.stderrIsTerminal ? (io.columns ?? 80) : undefined,
    names: cause instanceof CliError ? cause.names : {},
    verbose: options.verbose,
    isOurs: cause instanceof CliError,
  };
  try {
    const text = isJsonFormat(outputFormat(io, options))
      ? errorJson(withHint, context)
      : errorText(withHint, await stylesFor(io, 'stderr', colorChoice(io, options)), context);
    const stack =
      options.verbose && why instanceof Error
        ? (await import('./stack.ts')).stackText(why, io.runtime)
        : '';
    await write(io.stderr, redactSecrets(text + stack));
  } catch {
    // Nobody reads stderr any more; the exit code still tells.
  }
  return report.exitCode;
}

/**
 * Changes stay stored when the command is stopped or its result can't be printed. The report lists
 * them and never advises to run it again.
 */
function afterWrites(io: Io, error: unknown, why: unknown): unknown {
  const { code, message, exitCode } = reportOf(why);
  const stopped = exitCode >= 128;
  // Some commands report their changes with an error of their own.
  const isReported = stopped
    ? why instanceof CliError
    : !(error instanceof UnprintedResult || error instanceof UnwrittenResult);
  const { stored, failed, unknown } = io.run.ledger;
  if (isReported || stored.length + unknown.length === 0) return why;
  const same = { code: sameCode(code), exitCode, cause: why };
  const [first] = stored;
  if (!first)
    return new CliError({
      ...same,
      message: stopped ? 'Stopped before the answer came.' : message,
      hint: checkFirst,
      details: { unknown },
    });
  const see =
    first.id === undefined
      ? "it is done: don't run it again"
      : `don't run it again; see it with \`cs api ${first.did.split(' ').at(-1)}/${first.id}\``;
  return new CliError({
    ...(stopped ? same : { code: 'stored_not_printed', cause: why }),
    message: stopped
      ? `Stopped after ${pluralize(stored.length, 'change was', 'changes were')} stored.`
      : `Stored, but not printed. ${message}`,
    hint: first.hint ?? see,
    details: {
      stored,
      ...(failed.length > 0 && { failed }),
      ...(unknown.length > 0 && { unknown }),
    },
  });
}

/** None when a setting is invalid, which some commands tolerate. */
function settingsOf(io: Io, options: GlobalOptions): Settings | undefined {
  try {
    const settings = resolveSettings(io, options);
    settings.connection();
    return settings;
  } catch {
    return undefined;
  }
}
