/** One command for several records: their ids, and the result of each. */

import { CarStorageError } from '../../client/errors.ts';
import type { ResourceName } from '../../contract/contract.ts';
import type { Context } from '../context.ts';
import { isRefusal } from '../errors/codes.ts';
import { ClosedPipe } from '../errors/ended-run.ts';
import { CliError, type ExitCode, summedUp, usage } from '../errors/exit.ts';
import { exitCodeOf, reportOf } from '../errors/report.ts';
import type { Command } from '../framework/command.ts';
import { readPiped } from '../input/input.ts';
import type { PlannedRequest } from '../output/request.ts';
import type { Row, View } from '../output/view.ts';
import { pluralize } from '../terminal/text.ts';
import { type LookupRequest, resolveId } from './lookup.ts';

interface Given {
  readonly resource: ResourceName;
  /** Ids of the parents, outermost first. */
  readonly within: readonly string[];
  /** Positional arguments. */
  readonly names: readonly string[] | undefined;
  /** --ids as given. */
  readonly ids: string | undefined;
  readonly prefer?: LookupRequest['prefer'];
  readonly onFound?: LookupRequest['onFound'];
}

/**
 * The ids from arguments and --ids, without duplicates; all are resolved before the first write.
 * Exit 2 without any, but an empty stdin is an empty list.
 */
export async function idsGiven(
  context: Context,
  { resource, within, names, ids, prefer, onFound }: Given,
): Promise<string[]> {
  const text = ids === '-' ? await readPiped(context, '--ids -') : (ids ?? '');
  // Names may contain spaces and commas, so stdin has one per line.
  const more = text.split(ids === '-' ? /\r?\n/ : ',').map((name) => name.trim());
  const all = [...(names ?? []), ...more.filter(Boolean)];
  // An empty --ids must not mean "everything"; an empty stdin is an empty list.
  if (all.length === 0 && ids !== undefined && ids !== '-')
    throw usage('--ids is empty.', 'give ids separated by commas, or - to read them from stdin');
  // Most often a variable of a script without a value.
  if (all.some((one) => one.trim() === ''))
    throw usage('A name is empty.', 'give the id or the name of a record');
  const found = [];
  for (const text of all)
    found.push(await resolveId(context, { resource, text, within, prefer, onFound }));
  return [...new Set(found)];
}

/**
 * The records of a command. `single` is the id when one was given as an argument: then the result
 * is that record, not a list. Exit 2 without any record.
 */
export async function recordsGiven(
  context: Context,
  command: Command,
  given: Given,
): Promise<{ ids: string[]; single?: string }> {
  const { names = [], ids } = given;
  if (names.length === 0 && ids === undefined) {
    const argument = command.registeredArguments.at(-1)?.name();
    throw usage(
      `Missing required argument "${argument}".`,
      `give one, several, or --ids; \`${command.path} --help\` shows how`,
    );
  }
  const found = await idsGiven(context, given);
  return names.length === 1 && ids === undefined
    ? { ids: found, single: found[0] as string }
    : { ids: found };
}

/** Prints the requests of --dry-run: one as an object, several as a list. */
export async function showRequests(
  context: Context,
  requests: readonly PlannedRequest[],
  single: boolean,
): Promise<void> {
  const [first] = requests;
  await context.output.request(single && first ? first : requests);
}

/** The result for one record: the record, or its id with the error. */
type Outcome =
  | { readonly id: string; readonly record: Row }
  | { readonly id: string; readonly error: Failure };
interface Failure {
  readonly code: string;
  readonly message: string;
  readonly exitCode?: ExitCode;
}

interface RecordsTask {
  readonly view: View;
  readonly ids: readonly string[];
  /** `updated`, `deleted`. */
  readonly pastTense: string;
  readonly act: (id: string) => Promise<Row>;
  /** Print the records as a list instead of a line each. */
  readonly asList?: true;
  /** The next step for the remaining records, where the command doesn't take ids. */
  readonly retryHint?: (left: number) => string;
  /** Fields known beforehand, to describe a failed record by more than its id. */
  readonly known?: (id: string) => Row | undefined;
}

/**
 * Acts on each record in order and prints each result. A failed record doesn't stop the others.
 * Fails with exit 11 when some failed, with their own code when all failed in the same way. After
 * an interruption the finished records are printed too.
 */
export async function forEachRecord(
  context: Context,
  { view, ids, pastTense, act, asList, retryHint, known }: RecordsTask,
): Promise<void> {
  const outcomes: Outcome[] = [];
  const { output } = context;
  const { signal } = context.io;
  const lines = output.forPeople && !asList;
  let interruption: unknown;
  /** After an interruption the list is still printed to its end. */
  async function attemptUnlessStopped(id: string): Promise<Outcome> {
    if (signal.aborted) {
      interruption = signal.reason;
      return { id, error: notTried };
    }
    return attempt(id, { act, pastTense }).catch((error) => {
      interruption = error;
      return {
        id,
        error: {
          code: 'interrupted',
          message: `Stopped before the answer arrived; it may be ${pastTense}.`,
        },
      };
    });
  }
  async function* records(): AsyncGenerator<Row> {
    let stopped = false;
    for (const id of ids) {
      const outcome: Outcome = stopped ? { id, error: notTried } : await attemptUnlessStopped(id);
      outcomes.push(outcome);
      if ('record' in outcome) yield outcome.record;
      else {
        // Any other failure would hit the next record too.
        stopped ||= !isRefusal(outcome.error.exitCode ?? 1);
        if (!lines && !output.forPeople && output.format !== 'id')
          yield {
            ...known?.(id),
            id,
            error: { code: outcome.error.code, message: outcome.error.message },
          };
      }
    }
  }
  let unprinted: unknown;
  if (lines) {
    // An unprintable result doesn't stop the others.
    for await (const record of records())
      if (unprinted === undefined)
        await output.written(view, record, pastTense).catch((error) => {
          unprinted = error;
        });
  } else await output.list({ view, records: records(), failures: true });
  if (unprinted !== undefined && !(unprinted instanceof ClosedPipe)) throw unprinted;
  const failure = failureOf(outcomes, { view, pastTense, retryHint, known, interruption });
  if (failure) throw failure;
}

/** Writes the records of a command, and prints one record as itself, several as a result each. */
export async function writeRecords(
  context: Context,
  { single, ...work }: Omit<RecordsTask, 'asList'> & { readonly single?: string },
): Promise<void> {
  if (single === undefined) return forEachRecord(context, work);
  await context.output.written(work.view, await work.act(single), work.pastTense);
}

/** Behind a failure that would hit it, too. */
export const notTried: Failure = { code: 'not_tried', message: 'Not tried.' };

async function attempt(
  id: string,
  { act, pastTense }: Pick<RecordsTask, 'act' | 'pastTense'>,
): Promise<Outcome> {
  try {
    return { id, record: await act(id) };
  } catch (error) {
    const { code, exitCode } = reportOf(error);
    // Stopped by the person.
    if (exitCode >= 128 || !(error instanceof Error)) throw error;
    const uncertain =
      error instanceof CarStorageError && error.unknownOutcome
        ? `; it may still be ${pastTense}`
        : '';
    return {
      id,
      error: {
        code,
        message: `${error.message}${uncertain}`,
        exitCode,
      },
    };
  }
}

interface EndedTask extends Pick<RecordsTask, 'view' | 'pastTense' | 'retryHint' | 'known'> {
  /** What stopped the command. */
  readonly interruption: unknown;
}

function failureOf(
  outcomes: readonly Outcome[],
  { view, pastTense, retryHint, known, interruption }: EndedTask,
): CliError | undefined {
  const failed = outcomes.flatMap((outcome) => ('error' in outcome ? [outcome] : []));
  if (failed.length === 0 && interruption === undefined) return undefined;
  const details = {
    failed: failed.map(({ id, error }) => ({
      id,
      name: known?.(id)?.name,
      code: error.code,
      message: error.message,
    })),
  };
  const hint =
    retryHint?.(failed.length) ??
    'fix what the errors name, then run it again with the remaining ids';
  if (interruption !== undefined) {
    const left = failed.filter(({ error }) => error.code === notTried.code).length;
    const uncertain = failed.filter(({ error }) => error.code === 'interrupted').length;
    const done = `${outcomes.length - failed.length} of ${pluralize(outcomes.length, view.one, view.many)} ${pastTense}`;
    const message = `Stopped: ${done}, ${uncertain} uncertain, ${left} left.`;
    return new CliError({
      code: 'interrupted',
      message,
      hint,
      details,
      exitCode: exitCodeOf(interruption),
      cause: interruption,
    });
  }
  const tried = failed.flatMap(({ error }) =>
    error.exitCode === undefined ? [] : [{ ...error, exitCode: error.exitCode }],
  );
  return new CliError({
    ...summedUp(tried, { done: outcomes.length - failed.length }),
    message: `${pluralize(failed.length, `${view.one} was`, `${view.many} were`)} not ${pastTense}.`,
    hint,
    details,
  });
}
