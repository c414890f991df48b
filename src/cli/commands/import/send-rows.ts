/** Sends the requests of the rows and returns the results in order. */
import { createHash } from 'node:crypto';
import type { Client, SyncName } from '../../../client/client.ts';
import { ApiError } from '../../../client/errors.ts';
import { wasReplayed } from '../../../client/replays.ts';
import type { Issue } from '../../../contract/problems.ts';
import { methodsOf } from '../../crud/methods.ts';
import { CliError, type ExitCode } from '../../errors/exit.ts';
import { exitCodeOf } from '../../errors/exit-code.ts';
import { deletedSince } from '../../framework/replayed.ts';
import type { Row } from '../../output/view.ts';
import type { RowRequest } from './row-request.ts';
import type { FileRow } from './rows.ts';
import { chooseRequest, type UpsertRow } from './upsert.ts';

/** A row with its request, or with its issues. */
export interface ReadRow {
  readonly row: FileRow;
  readonly made: RowRequest | UpsertRow | { readonly issues: readonly Issue[] };
}

export interface RowResult {
  readonly row: FileRow;
  readonly id?: string;
  /** `already_imported`: created by an earlier run. */
  readonly did: 'created' | 'updated' | 'already_imported' | 'failed';
  readonly error?: { readonly code: string; readonly message: string; readonly exitCode: ExitCode };
}

interface Sending {
  readonly client: Client;
  readonly name: SyncName;
  readonly rows: AsyncIterable<ReadRow>;
  /** Replaces names by ids. */
  readonly resolve: (request: RowRequest) => Promise<RowRequest>;
  readonly parallel: number;
  readonly continueOnError: boolean;
  /** Part of every Idempotency-Key; another salt imports the same rows again. */
  readonly salt: string;
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
}: Sending): AsyncGenerator<RowResult, void> {
  const methods = methodsOf(client, name);
  const keyOf = idempotencyKeys(name, salt);
  let stopped = false;

  async function send({ row, made, key }: ReadRow & { key: string }): Promise<RowResult | undefined> {
    if (stopped) return undefined;
    if ('issues' in made) {
      stopped ||= !continueOnError;
      return { row, did: 'failed', error: { code: 'validation_failed', message: formatIssues(made.issues), exitCode: 3 } };
    }
    try {
      const request = 'key' in made ? await chooseRequest(client, name, made) : made;
      const { operation, ids, body } = await resolve(request);
      if (operation.verb === 'update') return { row, did: 'updated', id: (await methods.update(...ids, body)).id };
      const record = await methods.create(...ids, body, { idempotencyKey: key });
      return { row, did: wasReplayed(record) ? 'already_imported' : 'created', id: record.id };
    } catch (error) {
      const exitCode = exitCodeOf(error);
      if (exitCode >= 128 || !(error instanceof Error)) throw error;
      if (codeOf(error) === deletedSince) {
        const { id } = (error as CliError).details as { id: string };
        const message = `was imported as ${id}, then deleted`;
        // The row itself is fine, so continue.
        return { row, did: 'failed', error: { code: deletedSince, message, exitCode } };
      }
      stopped ||= !continueOnError || !singleRowCodes.has(exitCode);
      return { row, did: 'failed', error: { code: codeOf(error), message: messageOf(error), exitCode } };
    }
  }

  // Keys count duplicates, so they are made in the order of the rows.
  const keyed = async function* () {
    for await (const read of rows) {
      if (stopped) return;
      yield { ...read, key: keyOf(read.row) };
    }
  };
  for await (const result of mapInOrder(keyed(), parallel, send)) if (result) yield result;
}

/**
 * A row has the same key in every run, at any position in the file. Running again, also with a corrected file, creates nothing twice.
 * Duplicate rows get different idempotencyKeys.
 */
function idempotencyKeys(name: string, salt: string): (row: FileRow) => string {
  const met = new Map<string, number>();
  const digest = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('base64url');
  return ({ value, source }) => {
    const content = digest([name, salt, value ?? source]);
    const before = met.get(content) ?? 0;
    met.set(content, before + 1);
    return `cs-import-${digest([content, before])}`;
  };
}

const codeOf = (error: Error): string => {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : 'unexpected';
};

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
  issues.map(({ path, message, rule }) => [path, message ?? rule].filter(Boolean).join(' ')).join('; ');

export const resultRow = ({ row, did, id, error }: RowResult): Row => ({
  row: row.number,
  did,
  ...(id !== undefined && { id }),
  ...(error && { error: { code: error.code, message: error.message } }),
});

/** Runs `parallel` tasks at a time and yields their results in order. Stopping early waits for running tasks. */
export async function* mapInOrder<T, R>(items: AsyncIterable<T>, parallel: number, act: (item: T) => Promise<R>): AsyncGenerator<R, void> {
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
