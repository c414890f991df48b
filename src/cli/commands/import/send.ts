/** Sends the rows and tells what became of each, in the order of the file. */
import { createHash, randomUUID } from 'node:crypto';
import type { Client } from '../../../client/client.ts';
import { wasReplayed } from '../../../client/replays.ts';
import { isRefusal } from '../../errors/codes.ts';
import { CliError, type ExitCode } from '../../errors/exit.ts';
import { isUncertain } from '../../errors/final.ts';
import { reportOf } from '../../errors/report.ts';
import { gather, methodsOf } from '../../resources/methods.ts';
import { requireParents } from '../../resources/require-parents.ts';
import type { ImportedRow } from '../../state/imports.ts';
import { pluralize } from '../../terminal/text.ts';
import { resourceOf } from '../bulk/resources.ts';
import {
  type Checked,
  formatIssues,
  type Job,
  maxListed,
  messageOf,
  type ReadRow,
} from './check.ts';
import { inOrder } from './in-order.ts';
import type { Results } from './results.ts';
import type { FileRow } from './rows.ts';
import { chooseRequest } from './upsert.ts';

export interface RowResult {
  readonly row: FileRow;
  readonly id?: string | undefined;
  /** `already_imported`: created by an earlier run. */
  readonly did: 'created' | 'updated' | 'already_imported' | 'skipped' | 'failed';
  readonly error?: RowError;
}

interface RowError {
  readonly code: string;
  readonly message: string;
  readonly exitCode: ExitCode;
  /** Of a failure that this command found. */
  readonly hint?: string | undefined;
  /** It may be stored, and a person has to look. */
  readonly isUncertain: boolean;
}

export interface Sending {
  readonly client: Client;
  readonly results: Results;
  readonly checked: Checked;
  /** The team, or the server and the key: the same row is another one there. */
  readonly facility: string;
  /** Of the API key: a server keeps idempotency keys for each. */
  readonly owner: string;
  /** Whether the server announces that it recognises a repeated request. */
  readonly announces: boolean;
  /** Rows to import again unless they are stored. */
  readonly again: 'all' | ((row: number) => boolean);
  readonly note: (text: string) => void;
  /** After a failure of a single row. */
  readonly goesOn: boolean;
}

/** Failures of a single row. Any other failure would repeat for the next row. */
const isOfRow = (code: ExitCode): boolean => isRefusal(code) || code === 14;

/** It was refused: fixed, it can be imported. */
export const isRejected = ({ error }: RowResult): boolean =>
  error !== undefined && !error.isUncertain && isOfRow(error.exitCode);

/** Servers keep an idempotency key for a day. */
const youngMs = 23 * 3_600_000;

/** Rows that are noted as sent together, before their requests, on a server that recognises a repeat. Elsewhere a person looks at each of them after a kill. */
const notedAtOnce = 100;

interface Planned extends Keyed {
  readonly earlier: ImportedRow | undefined;
  /** As it is noted before its request. */
  readonly sent: ImportedRow;
}

/** Stops after a failure, with `goesOn` only after one that isn't specific to a row, and where the results can't be written. */
export async function* sendRows(job: Job, sending: Sending): AsyncGenerator<RowResult, void> {
  const { name, resolve, parallel, skip } = job;
  const { client, results, checked, announces, goesOn, owner } = sending;
  const methods = methodsOf(client, name);
  let stopped = false;
  const isOver = () => stopped || results.trouble() !== undefined;
  /** Noted as sent, and not begun. */
  const waiting = new Set<Planned>();

  /** Whether the server knows the key of a row without an answer. */
  const isKnown = ({ key, at }: ImportedRow, content: string) =>
    announces &&
    job.now.getTime() - Date.parse(at) < youngMs &&
    key.startsWith(`${content}-${owner}`);

  /** Whether a row of `--again` is sent as a new one: nothing is doubled that is stored. */
  async function isNew(earlier: ImportedRow, { row, content, made }: Keyed): Promise<boolean> {
    const { again } = sending;
    const isNamed = again !== 'all' && again(row.number);
    if ((!isNamed && again !== 'all') || skip(row.number)) return false;
    if (earlier.did !== 'created')
      return isNamed && (earlier.did === 'sent' ? !isKnown(earlier, content) : true);
    const request = made(job.now);
    if (!('operation' in request) || request.operation.verb !== 'create') return false;
    const { ids } = await resolve({ ...request, body: {} });
    const found = await gather(methods.all(...ids, { ids: [earlier.id] }));
    if (found.length > 0 && isNamed)
      sending.note(`The record of ${job.place} ${row.number} is stored as ${earlier.id}.`);
    return found.length === 0;
  }

  async function plan(read: Keyed): Promise<Planned> {
    const before = results.get(read.content);
    const isAnew = before !== undefined && (await isNew(before, read));
    const earlier = isAnew ? undefined : before;
    const suffix = isAnew ? `-${randomUUID().slice(0, 8)}` : '';
    const key = earlier?.key ?? `${read.content}-${owner}${suffix}`;
    const at = earlier?.did === 'sent' ? earlier.at : job.now.toISOString();
    return { ...read, earlier, sent: { row: read.row.number, key, did: 'sent', at } };
  }
  // A row that is looked up updates its record again.
  const isDone = ({ earlier }: Planned) =>
    earlier?.did === 'skipped' || (earlier?.did === 'created' && !job.key);

  function* begin(group: readonly Planned[]): Generator<Planned, void> {
    for (const one of group)
      if (!isDone(one) && !skip(one.row.number) && !checked.wrong.has(one.row.number))
        waiting.add(one);
    if (
      waiting.size > 0 &&
      !results.note(
        [...waiting].map(({ sent }) => sent),
        true,
      )
    )
      return;
    yield* group;
  }

  async function* planned(): AsyncGenerator<Planned, void> {
    const group: Planned[] = [];
    for await (const one of inOrder(keyed(job, sending), parallel, plan)) {
      if (isOver()) return;
      if (group.push(one) === (announces ? notedAtOnce : parallel)) yield* begin(group.splice(0));
    }
    yield* begin(group);
  }

  async function act(one: Planned): Promise<RowResult | undefined> {
    if (isOver()) return undefined;
    const { row, earlier, sent } = one;
    const note = (did: ImportedRow['did'], more: Partial<ImportedRow> = {}) =>
      results.note([{ ...sent, did, ...more }]);
    waiting.delete(one);
    if (earlier && isDone(one)) {
      results.complete({ ...earlier, row: row.number });
      const did = earlier.did === 'created' ? 'already_imported' : 'skipped';
      return { row, did, id: earlier.id };
    }
    if (skip(row.number)) {
      note('skipped');
      return { row, did: 'skipped' };
    }
    const refused = (error: Omit<RowError, 'isUncertain'>): RowResult => {
      note('failed', { error: error.message });
      return { row, did: 'failed', error: { ...error, isUncertain: false } };
    };
    try {
      // A repeat is the same request: its times are counted from the same moment.
      const made = one.made(new Date(sent.at));
      const issues = checked.wrong.get(row.number) ?? ('issues' in made ? made.issues : undefined);
      if (issues || 'issues' in made) {
        stopped ||= !goesOn;
        const message = formatIssues(issues ?? []);
        return refused({ code: 'validation_failed', message, exitCode: 3 });
      }
      const request = 'key' in made ? await chooseRequest(client, name, made, resolve) : made;
      const { operation, ids, body } = await resolve(request);
      if (operation.verb !== 'create') {
        // One that was looked up is of its list.
        if (!('key' in made))
          await requireParents(methods, resourceOf(name), {
            parents: ids.slice(0, -1),
            ids: ids.slice(-1),
          });
        const { id } = await methods.update(...ids, body);
        note('updated', { id });
        return { row, did: 'updated', id };
      }
      if (earlier?.did === 'sent' && !isKnown(earlier, one.content))
        throw maybeStored(job.place, row);
      const record = await methods.create(...ids, body, { idempotencyKey: sent.key });
      note('created', { id: record.id });
      return { row, did: wasReplayed(record) ? 'already_imported' : 'created', id: record.id };
    } catch (error) {
      const { code, exitCode } = reportOf(error);
      if (exitCode >= 128 || !(error instanceof Error)) throw error;
      const message = messageOf(error);
      if (code === possibly)
        return { row, did: 'failed', error: { code, message, exitCode, isUncertain: true } };
      stopped ||= !goesOn || !isOfRow(exitCode);
      const hint = error instanceof CliError ? error.hint : undefined;
      if (!isUncertain(error)) return refused({ code, message, exitCode, hint });
      return { row, did: 'failed', error: { code, message, exitCode, isUncertain: !announces } };
    }
  }

  try {
    for await (const result of inOrder(planned(), parallel, act)) if (result) yield result;
  } finally {
    const left = [...waiting].map(
      ({ earlier, sent }): ImportedRow => earlier ?? { ...sent, did: 'failed', error: 'Not sent.' },
    );
    results.note(left, true);
  }
}

interface Keyed extends Omit<ReadRow, 'content'> {
  /** A row has the same in every run, at any place in the file; equal rows are counted. */
  readonly content: string;
}

async function* keyed(
  job: Job,
  { facility }: Pick<Sending, 'facility'>,
): AsyncGenerator<Keyed, void> {
  const met = new Map<string, number>();
  const digest = (value: unknown) =>
    createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 32);
  for await (const { content, ...read } of job.rows()) {
    const same = digest([facility, job.name, content]);
    const before = met.get(same) ?? 0;
    met.set(same, before + 1);
    yield { ...read, content: `cs-import-${before === 0 ? same : digest([same, before])}` };
  }
}

const possibly = 'outcome_unknown';

const maybeStored = (place: string, { number }: FileRow): CliError =>
  new CliError({
    code: possibly,
    exitCode: 7,
    message: `An earlier run sent ${place} ${number} and got no answer: it may be stored.`,
  });

/** What a run did, row by row. */
export interface Outcome {
  readonly failed: readonly RowResult[];
  /** Rows that did not fail. */
  readonly done: number;
  readonly left: number;
  readonly rejects: string | undefined;
}

export function failure(place: string, { failed, done, left, rejects }: Outcome): CliError {
  const uncertain = failed.filter(({ error }) => error?.isUncertain);
  const codes = new Set(failed.map(({ error }) => error?.exitCode));
  const [exitCode] = codes;
  const isSame = done === 0 && codes.size === 1 && exitCode !== undefined;
  const counts = [
    [failed.length - uncertain.length, 'failed'],
    [uncertain.length, 'may be stored'],
  ] as const;
  const told = counts.flatMap(([count, did]) =>
    count > 0 ? `${pluralize(count, 'row', 'rows')} ${did}` : [],
  );
  if (left > 0) told.push(`${pluralize(left, 'row was', 'rows were')} not tried`);
  return new CliError({
    code: isSame ? (failed[0]?.error?.code as 'partial') : 'partial',
    message: `${told.join(', ')}.`,
    hint: hintAfter(failed, uncertain, rejects),
    details: {
      failed: failed.slice(0, maxListed).map(({ row, error }) => ({
        id: `${place} ${row.number}`,
        code: error?.code,
        message: error?.message,
      })),
    },
    exitCode: isSame ? exitCode : 11,
  });
}

/** A limit, no connection, an error of the server: it refused nothing about the row. */
const unanswered: readonly unknown[] = [8, 9, 10];

function hintAfter(
  failed: readonly RowResult[],
  uncertain: readonly RowResult[],
  rejects: string | undefined,
): string {
  const refused = failed.filter(
    (one) => !one.error?.isUncertain && !unanswered.includes(one.error?.exitCode),
  );
  const [only] = failed;
  if (failed.length === 1 && !rejects && only?.error?.hint) return only.error.hint;
  const numbers = uncertain.map(({ row }) => row.number).join(',');
  const looking =
    uncertain.length === 1
      ? `look whether it is stored; then run it again with \`--skip ${numbers}\` if it is, with \`--again ${numbers}\` if not`
      : `look which of them are stored (${numbers}); then run it again with --skip for those, and --again for the others`;
  return [
    ...(uncertain.length > 0 ? [looking] : []),
    ...(refused.length > 0 && rejects ? [`fix the rows in ${rejects} and import that file`] : []),
    ...(refused.length > 0 && !rejects
      ? ['fix them and run it again; imported rows are skipped']
      : []),
    ...(failed.length > refused.length + uncertain.length
      ? ['run it again; imported rows are skipped']
      : []),
  ].join('; ');
}
