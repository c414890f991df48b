/** Sends what the rows of a file ask for, and tells what became of each. */
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

/** A row with what it asks for, or with what is wrong with it. */
export interface ReadRow {
  readonly row: FileRow;
  readonly made: RowRequest | { readonly issues: readonly Issue[] };
}

export interface RowResult {
  readonly row: FileRow;
  readonly id?: string;
  /** `already_imported`: by an earlier run, and still there. */
  readonly did: 'created' | 'updated' | 'already_imported' | 'failed';
  readonly error?: { readonly code: string; readonly message: string; readonly exitCode: ExitCode };
}

interface Sending {
  readonly client: Client;
  readonly name: SyncName;
  readonly rows: AsyncIterable<ReadRow>;
  /** Puts ids in the place of names. */
  readonly resolve: (request: RowRequest) => Promise<RowRequest>;
  readonly parallel: number;
  readonly continueOnError: boolean;
  /** Part of every Idempotency-Key: another one makes the same rows once more. */
  readonly salt: string;
}

/** Failures that belong to one row. Any other would meet the next one too. */
const ofOneRow: ReadonlySet<ExitCode> = new Set<ExitCode>([3, 6, 7, 14]);

/** In the order of the rows. Ends after a failure, unless it belongs to one row and the others are to go on; what follows was not tried. */
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
  const keyOf = keys(name, salt);
  let stopped = false;

  async function send({ row, made, key }: ReadRow & { key: string }): Promise<RowResult | undefined> {
    // A row that failed meanwhile may end it all.
    if (stopped) return undefined;
    if ('issues' in made) {
      stopped ||= !continueOnError;
      return { row, did: 'failed', error: { code: 'validation_failed', message: issuesText(made.issues), exitCode: 3 } };
    }
    try {
      const { operation, ids, body } = await resolve(made);
      if (operation.verb === 'update') return { row, did: 'updated', id: (await methods.update(...ids, body)).id };
      const record = await methods.create(...ids, body, { idempotencyKey: key });
      return { row, did: wasReplayed(record) ? 'already_imported' : 'created', id: record.id };
    } catch (error) {
      const exitCode = exitCodeOf(error);
      if (exitCode >= 128 || !(error instanceof Error)) throw error;
      if (codeOf(error) === deletedSince) {
        const { id } = (error as CliError).details as { id: string };
        const message = `was imported as ${id}, then deleted`;
        // Nothing is wrong with the row, so the others go on.
        return { row, did: 'failed', error: { code: deletedSince, message, exitCode } };
      }
      stopped ||= !continueOnError || !ofOneRow.has(exitCode);
      return { row, did: 'failed', error: { code: codeOf(error), message: messageOf(error), exitCode } };
    }
  }

  // Keys count repeats, so they are made in the order of the rows.
  const keyed = async function* () {
    for await (const read of rows) {
      if (stopped) return;
      yield { ...read, key: keyOf(read.row) };
    }
  };
  for await (const result of inOrder(keyed(), parallel, send)) if (result) yield result;
}

/**
 * The same row has the same key in every run, wherever it stands in the file, so that a run that is repeated, also with a file that was
 * mended meanwhile, makes nothing twice. A row that stands in the file twice has two keys.
 */
function keys(name: string, salt: string): (row: FileRow) => string {
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

/** With the fields that the server names, or with the records that a name may mean. */
function messageOf(error: Error): string {
  if (error instanceof CliError) return [error.message, ...candidatesIn(error)].join(' ');
  const { issues } = ((error instanceof ApiError && error.details) || {}) as { issues?: Issue[] };
  if (!Array.isArray(issues) || issues.length === 0) return error.message;
  const text = issuesText(issues);
  return issues.every(({ message }) => error.message.includes(message)) ? error.message : text;
}

/** A name that is not enough is mended in the file, so what it may mean and what helps stand with the row. */
function candidatesIn({ details, hint }: CliError): string[] {
  const { candidates } = (details ?? {}) as { candidates?: { id: string; name: string }[] };
  if (!candidates) return [];
  return [
    `${candidates.map(({ id, name }) => `${id} is ${name}`).join('; ')}.`,
    ...(hint ? [`${hint.charAt(0).toUpperCase()}${hint.slice(1)}.`] : []),
  ];
}

export const issuesText = (issues: readonly Partial<Issue>[]): string =>
  issues.map(({ path, message, rule }) => [path, message ?? rule].filter(Boolean).join(' ')).join('; ');

export const resultRow = ({ row, did, id, error }: RowResult): Row => ({
  row: row.number,
  did,
  ...(id !== undefined && { id }),
  ...(error && { error: { code: error.code, message: error.message } }),
});

/** Several at a time, and what became of them in the order in which they were given. */

/** At most `parallel` are under way. Whoever stops reading waits for those, so that nothing goes on behind their back. */
export async function* inOrder<T, R>(items: AsyncIterable<T>, parallel: number, act: (item: T) => Promise<R>): AsyncGenerator<R, void> {
  const underway: Promise<R>[] = [];
  const next = async (): Promise<R> => (await underway.shift()) as R;
  try {
    for await (const item of items) {
      const started = act(item);
      // It is awaited in its turn; until then a failure is no unhandled one.
      started.catch(() => {});
      underway.push(started);
      if (underway.length >= parallel) yield await next();
    }
    while (underway.length > 0) yield await next();
  } finally {
    await Promise.allSettled(underway);
  }
}
