/** Sends the requests of the rows and returns the results in order. */
import { createHash } from 'node:crypto';
import type { Client, SyncName } from '../../../client/client.ts';
import { ApiError, CarStorageError, ProtocolError } from '../../../client/errors.ts';
import { IdSet } from '../../../client/ids.ts';
import { wasReplayed } from '../../../client/replays.ts';
import type { Issue } from '../../../contract/problems.ts';
import { CliError, type ExitCode } from '../../errors/exit.ts';
import { mayStillRun } from '../../errors/final.ts';
import { reportOf } from '../../errors/report.ts';
import { isObject } from '../../input/plain-object.ts';
import { localTime } from '../../input/when.ts';
import type { Row } from '../../output/view.ts';
import { methodsOf } from '../../resources/methods.ts';
import { requireParents } from '../../resources/require-parents.ts';
import { resourceOf } from '../bulk/resources.ts';
import { findStored } from './find-stored.ts';
import type { RowRequest } from './row-request.ts';
import type { FileRow } from './rows.ts';
import type { SentRows } from './sent-rows.ts';
import { chooseRequest, type UpsertRow } from './upsert.ts';

/** A row with its request, or with its issues. */
export interface ReadRow {
  readonly row: FileRow;
  /** What the row says, by field: the same is not imported twice. Undefined for a row that can't be read. */
  readonly content?: Row;
  readonly made: RowRequest | UpsertRow | { readonly issues: readonly Issue[] };
  /** For a row with times such as `1 hour ago`. */
  readonly relative?: RelativeRow;
}

interface RelativeRow {
  /** What its times were counted from, ISO 8601. */
  readonly moment: string;
  readonly madeAt: (moment: string) => ReadRow['made'];
}

export interface RowResult {
  readonly row: FileRow;
  readonly id?: string;
  /** `already_imported`: created by an earlier run. */
  readonly did: 'created' | 'updated' | 'already_imported' | 'failed';
  readonly error?: RowError;
}

interface RowError {
  readonly code: string;
  readonly message: string;
  readonly exitCode: ExitCode;
  /** The server may still be at it: the same command again looks it up. */
  readonly mayStillRun?: boolean;
}

interface Sending {
  readonly client: Client;
  /** What earlier runs sent; undefined where it isn't needed. */
  readonly sent: SentRows | undefined;
  /** Whether the server recognises a repeated request. */
  readonly recognised: boolean;
  readonly name: SyncName;
  readonly rows: AsyncIterable<ReadRow>;
  /** Replaces names by ids. */
  readonly resolve: (request: RowRequest) => Promise<RowRequest>;
  readonly parallel: number;
  readonly continueOnError: boolean;
  /** Part of every Idempotency-Key; another salt imports the same rows again. */
  readonly salt: string;
}

interface RowKey {
  readonly key: string;
  /** What its relative times are counted from. */
  readonly moment: string | undefined;
}

/** Failures of a single row. Any other failure would repeat for the next row. */
const singleRowCodes: ReadonlySet<ExitCode> = new Set<ExitCode>([3, 6, 7, 14]);

/** In the order of the rows. Stops after a failure; with `continueOnError` only after one that isn't specific to a row. */
export async function* sendRows({
  client,
  name,
  rows,
  resolve,
  parallel,
  continueOnError,
  salt,
  sent,
  recognised,
}: Sending): AsyncGenerator<RowResult, void> {
  const methods = methodsOf(client, name);
  const keyOf = idempotencyKeys(name, salt);
  let stopped = false;
  /** Records of rows, so that two equal rows aren't taken for one. */
  const taken = new IdSet(sent?.ids() ?? []);

  async function create(
    { ids, body }: RowRequest,
    { key, moment }: RowKey,
  ): Promise<Pick<RowResult, 'did' | 'id'>> {
    const send = () => methods.create(...ids, body, { idempotencyKey: key });
    const before = sent?.get(key);
    if (!sent || recognised) {
      if (moment !== undefined && before?.moment === undefined) await sent?.begin(key, moment);
      const record = await send();
      return { did: wasReplayed(record) ? 'already_imported' : 'created', id: record.id };
    }
    if (before?.id !== undefined) return { did: 'already_imported', id: before.id };
    const find = (since: string) => findStored(client, { name, parents: ids, body, since, taken });
    const adopt = (record: Row): string => {
      taken.add(record.id);
      sent.done(key, record.id);
      return record.id;
    };
    if (before) {
      const found = await find(before.serverTime);
      if (found === 'unknown') throw possiblyImported();
      if (found !== 'nothing') return { did: 'already_imported', id: adopt(found.record) };
      const until = sent.runsUntil(key);
      if (until !== undefined) throw possiblyRunning(until);
    }
    await sent.begin(key, moment);
    const since = sent.get(key)?.serverTime as string;
    try {
      return { did: 'created', id: adopt(await send()) };
    } catch (error) {
      const isUncertain =
        error instanceof CarStorageError ? error.unknownOutcome : !(error instanceof CliError);
      if (!isUncertain) sent.refused(key);
      else sent.left(key, mayStillRun(error));
      // An answer with another record: one that looks like what was sent proves nothing.
      if (error instanceof ProtocolError && error.contradicts) throw error;
      const found =
        error instanceof CarStorageError && isUncertain
          ? await find(since).catch(() => 'unknown' as const)
          : 'nothing';
      if (typeof found === 'string') throw error;
      return { did: 'created', id: adopt(found.record) };
    }
  }

  async function send({
    row,
    made: madeNow,
    relative,
    key,
  }: ReadRow & { key: string }): Promise<RowResult | undefined> {
    if (stopped) return undefined;
    // A repeat is the same request: its times are counted from the same moment.
    const moment = relative && (sent?.get(key)?.moment ?? relative.moment);
    const made =
      relative && moment !== undefined && moment !== relative.moment
        ? relative.madeAt(moment)
        : madeNow;
    if ('issues' in made) {
      stopped ||= !continueOnError;
      return {
        row,
        did: 'failed',
        error: { code: 'validation_failed', message: formatIssues(made.issues), exitCode: 3 },
      };
    }
    try {
      const request = 'key' in made ? await chooseRequest(client, name, made, resolve) : made;
      const resolved = await resolve(request);
      const { operation, ids, body } = resolved;
      if (operation.verb === 'update') {
        // One that was looked up is of its list.
        if (!('key' in made))
          await requireParents(methods, resourceOf(name), {
            parents: ids.slice(0, -1),
            ids: ids.slice(-1),
          });
        return { row, did: 'updated', id: (await methods.update(...ids, body)).id };
      }
      return { row, ...(await create(resolved, { key, moment })) };
    } catch (error) {
      const { code, exitCode } = reportOf(error);
      if (exitCode >= 128 || !(error instanceof Error)) throw error;
      // Only a person can tell, and the rows after it can be sent.
      if (code === possibly) {
        const isRunning = isObject((error as CliError).details);
        return {
          row,
          did: 'failed',
          error: { code: possibly, message: messageOf(error), exitCode, mayStillRun: isRunning },
        };
      }
      stopped ||= !continueOnError || !singleRowCodes.has(exitCode);
      return {
        row,
        did: 'failed',
        error: {
          code,
          message: messageOf(error),
          exitCode,
          mayStillRun: mayStillRun(error),
        },
      };
    }
  }

  // Keys count duplicates, so they are made in the order of the rows.
  const keyed = async function* () {
    for await (const read of rows) {
      if (stopped) return;
      yield { ...read, key: keyOf(read) };
    }
  };
  for await (const result of mapInOrder(keyed(), parallel, send)) if (result) yield result;
}

/** The code of the error below. */
export const possibly = 'outcome_unknown';

const possiblyRunning = (until: string): CliError =>
  new CliError({
    code: possibly,
    exitCode: 7,
    message: `An earlier run sent it and did not wait for its answer: the server has no such record yet, and may still be at it until ${localTime(until)}.`,
    hint: `run it again after ${localTime(until)}`,
    details: { until },
  });

const possiblyImported = (): CliError =>
  new CliError({
    code: possibly,
    exitCode: 7,
    message:
      "An earlier run sent it and got no answer, and this server doesn't tell whether it was stored.",
    hint: 'check the records, then import it with --again',
  });

/**
 * A row has the same key in every run, at any position in the file and whatever its columns are called. Running again, also with a corrected file, creates nothing twice.
 * Duplicate rows get different idempotencyKeys.
 */
function idempotencyKeys(name: string, salt: string): (read: ReadRow) => string {
  const met = new Map<string, number>();
  const digest = (value: unknown) =>
    createHash('sha256').update(JSON.stringify(value)).digest('base64url');
  return ({ row, content = row.source }) => {
    const same = digest([name, salt, content]);
    const before = met.get(same) ?? 0;
    met.set(same, before + 1);
    return `cs-import-${digest([same, before])}`;
  };
}

/** With the server's field errors, or the candidates of an ambiguous name. */
function messageOf(error: Error): string {
  if (error instanceof CliError) return [error.message, ...candidatesIn(error)].join(' ');
  const { issues } = ((error instanceof ApiError && error.details) || {}) as { issues?: Issue[] };
  if (!Array.isArray(issues) || issues.length === 0) return error.message;
  const text = formatIssues(issues);
  return issues.every(({ message }) => error.message.includes(message)) ? error.message : text;
}

/** An ambiguous name is fixed in the file, so its candidates belong to the row's message. */
function candidatesIn({ details, hint }: CliError): string[] {
  const { candidates } = (details ?? {}) as { candidates?: { id: string; name: string }[] };
  if (!candidates) return [];
  return [
    `${candidates.map(({ id, name }) => `${id} is ${name}`).join('; ')}.`,
    ...(hint ? [`${hint.charAt(0).toUpperCase()}${hint.slice(1)}.`] : []),
  ];
}

export const formatIssues = (issues: readonly Partial<Issue>[]): string =>
  issues
    .map(({ path, message, rule }) => [path, message ?? rule].filter(Boolean).join(' '))
    .join('; ');

export const resultRow = ({ row, did, id, error }: RowResult): Row => ({
  row: row.number,
  did,
  ...(id !== undefined && { id }),
  ...(error && { error: { code: error.code, message: error.message } }),
});

/** Runs `parallel` tasks at a time and yields their results in order. Stopping early waits for running tasks. */
export async function* mapInOrder<T, R>(
  items: AsyncIterable<T>,
  parallel: number,
  act: (item: T) => Promise<R>,
): AsyncGenerator<R, void> {
  const running: Promise<R>[] = [];
  const next = async (): Promise<R> => (await running.shift()) as R;
  try {
    for await (const item of items) {
      const started = act(item);
      // Awaited later; until then a rejection must not count as unhandled.
      started.catch(() => {});
      running.push(started);
      if (running.length >= parallel) yield await next();
    }
    while (running.length > 0) yield await next();
  } finally {
    await Promise.allSettled(running);
  }
}
