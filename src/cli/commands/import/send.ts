/** Sends the rows and tells what became of each, in the order of the file. */
import { createHash, randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Client } from '../../../client/client.ts';
import { wasReplayed } from '../../../client/replays.ts';
import { isRefusal } from '../../errors/codes.ts';
import { CliError, type ExitCode, summedUp } from '../../errors/exit.ts';
import { isUncertain } from '../../errors/final.ts';
import { isFieldMissing, isMissing } from '../../errors/missing-path.ts';
import { exitCodeOf, reportOf } from '../../errors/report.ts';
import { isObject } from '../../input/plain-object.ts';
import type { Row } from '../../output/view.ts';
import { gather, idsAtOnce, methodsOf } from '../../resources/methods.ts';
import { requireParents } from '../../resources/require-parents.ts';
import type { ImportedRow, ImportedRows } from '../../state/imports.ts';
import { pluralize } from '../../terminal/text.ts';
import { resourceOf } from '../bulk/resources.ts';
import { type Checked, formatIssues, type Job, maxListed, messageOf } from './check.ts';
import { inOrder } from './in-order.ts';
import type { RowRequest } from './requests.ts';
import type { FileRow } from './rows.ts';
import { chooseRequest } from './upsert.ts';

export interface RowResult {
  /** Its number. */
  readonly row: number;
  /** `already_imported`: created by an earlier run. `unchanged`: the record has these values. */
  readonly did: 'created' | 'updated' | 'unchanged' | 'already_imported' | 'skipped' | 'failed';
  readonly key: string;
  readonly id?: string | undefined;
  readonly error?: RowError;
}

interface RowError {
  readonly code: string;
  readonly message: string;
  readonly exitCode: ExitCode;
  readonly hint?: string | null;
  /** Of a row that a person has to decide about: it may be stored, or its record is gone. */
  readonly open?: 'unsure' | 'gone' | undefined;
}

export interface Sending {
  readonly client: Client;
  readonly journal: ImportedRows;
  readonly checked: Checked;
  /** The team, or the server and the key: the same row is another one there. */
  readonly facility: string;
  /** Of the API key: a server keeps idempotency keys for each. */
  readonly owner: string;
  /** Whether the server announces that it recognises a repeated request. */
  readonly announces: boolean;
  readonly note: (text: string) => void;
  /** After a failure of a single row. */
  readonly goesOn: boolean;
}

/** Failures of a single row. Any other failure would repeat for the next row. */
const isOfRow = (code: ExitCode): boolean => isRefusal(code) || code === 14;

/** It was refused: fixed, it can be imported. */
export const isRejected = ({ error }: RowResult): boolean =>
  error !== undefined && !error.open && isOfRow(error.exitCode);

/** Servers keep an idempotency key for a day. */
const youngMs = 23 * 3_600_000;

/** Rows that are noted as sent together, before their requests, on a server that recognises a repeat. Elsewhere a person looks at each of them after a kill. */
const notedAtOnce = 100;

interface Keyed {
  readonly row: FileRow;
  /** A row has the same in every run, at any place in the file; equal rows are counted. */
  readonly content: string;
  /** What an earlier run noted. */
  readonly earlier: ImportedRow | undefined;
  /** Whether it created a record for the row: a row with an id names its record, and --upsert-by looks it up. */
  readonly wasCreated: boolean;
}

interface Planned extends Keyed {
  /** `stored`, `gone`: created by an earlier run. `unsure`: sent by one, and a person has to look. */
  readonly step: 'send' | 'unsure' | 'stored' | 'gone' | 'skip';
  /** As it is noted before its request. */
  readonly sent: ImportedRow;
  /** That the row names by its id, as the server has it; undefined where it can't be read. */
  readonly existing: Row | undefined;
}

/** Stops after a failure, with `goesOn` only after one that isn't specific to a row. */
export async function* sendRows(job: Job, sending: Sending): AsyncGenerator<RowResult, void> {
  const { name, place, resolve, parallel, skip, again, key: upsertKey } = job;
  const { client, journal, checked, announces, goesOn, owner, note } = sending;
  const methods = methodsOf(client, name);
  const resource = resourceOf(name);
  let stopped = false;
  /** Noted as sent, and not begun. */
  const waiting = new Set<Planned>();

  async function* planned(): AsyncGenerator<Planned, void> {
    const together = announces ? notedAtOnce : parallel;
    for (const rows of keyed(job, sending)) {
      const records = await recordsOf(rows);
      const plans = rows.map((row) => plan(row, records.get(row)));
      while (plans.length > 0) {
        if (stopped) return;
        const group = plans.splice(0, together);
        for (const one of group)
          if (['send', 'unsure'].includes(one.step) && !checked.wrong.has(one.row.number))
            waiting.add(one);
        if (waiting.size > 0)
          journal.write(
            Array.from(waiting, ({ sent }) => sent),
            true,
          );
        yield* group;
      }
    }
  }

  /** What the server has of the records that an earlier run created, and of those that rows name by their ids. */
  async function recordsOf(rows: readonly Keyed[]): Promise<ReadonlyMap<Keyed, Row>> {
    const wanted: { one: Keyed; id: string; parents: readonly string[] }[] = [];
    for (const one of rows) {
      if (!one.wasCreated && checked.wrong.has(one.row.number)) continue;
      const request = job.made(one.row, job.now);
      if ('issues' in request || request.choice) continue;
      const isUpdate = request.operation.verb === 'update';
      const id = one.wasCreated ? one.earlier?.id : isUpdate && request.ids.at(-1);
      const parents = id ? await parentsOf(request) : undefined;
      if (id && parents) wanted.push({ one, id, parents });
    }
    const records = new Map<Keyed, Row>();
    for (const list of Map.groupBy(wanted, ({ parents }) => parents.join()).values()) {
      const ids = list.map(({ id }) => id);
      const earlier = list.filter(({ one }) => one.wasCreated).map(({ id }) => id);
      const found = await read(list[0]?.parents ?? [], ids, earlier);
      for (const { one, id } of list) {
        const record = found.get(id);
        if (record) records.set(one, record);
      }
    }
    return records;
  }

  /** By their ids. Where the key may not read them, those of an earlier run count as stored. */
  async function read(
    parents: readonly string[],
    ids: readonly string[],
    earlier: readonly string[],
  ): Promise<ReadonlyMap<string, Row>> {
    const found = await gather(methods.all(...parents, { ids })).catch((error: unknown) => {
      if (isMissing(error) && resource.parent) return [];
      if (!isMissing(error) && !isFieldMissing(error) && exitCodeOf(error) !== 5) throw error;
      if (earlier.length > 0)
        note(
          `Couldn't check that rows of an earlier run are still stored: ${messageOf(error as Error)}`,
        );
      return earlier.map((id) => ({ id }));
    });
    return new Map(found.map((record) => [record.id, record]));
  }

  /** Undefined where they are gone. */
  async function parentsOf(request: RowRequest): Promise<readonly string[] | undefined> {
    if (!resource.parent) return [];
    try {
      const { ids, operation } = await resolve({ ...request, body: {} });
      return operation.verb === 'update' ? ids.slice(0, -1) : ids;
    } catch (error) {
      if (exitCodeOf(error) === 6) return undefined;
      throw error;
    }
  }

  function plan(one: Keyed, existing: Row | undefined): Planned {
    const { earlier, content, wasCreated } = one;
    const { number } = one.row;
    const isStored = wasCreated && existing !== undefined;
    const isNamed = again !== 'all' && again.has(number);
    if (isStored && isNamed) note(`The record of ${place} ${number} is stored as ${earlier?.id}.`);
    // An invalid row may not name what its record was looked up by.
    const isGone = wasCreated && !isStored && !checked.wrong.has(number);
    /** Whether the server repeats its answer for the key. */
    const isKnown =
      announces &&
      earlier?.did === 'sent' &&
      job.now.getTime() - Date.parse(earlier.at) < youngMs &&
      earlier.key.startsWith(`${content}-${owner}`);
    const isAnew = !isStored && !isKnown && (isNamed || (isGone && again === 'all'));
    const step = () => {
      if (isStored) return 'stored';
      if (skip.has(number) || (earlier?.did === 'skipped' && !isAnew)) return 'skip';
      if (isGone && !isAnew) return 'gone';
      return earlier?.did === 'sent' && !isKnown && !isAnew ? 'unsure' : 'send';
    };
    // With --upsert-by the look-up tells what is stored: a key of an earlier record would bring its answer back.
    const isNew = isAnew || (upsertKey !== undefined && earlier?.did !== 'sent');
    const fresh = `${content}-${owner}${isNew ? `-${randomUUID().slice(0, 8)}` : ''}`;
    const key = isNew || !earlier ? fresh : earlier.key;
    // A repeat is the same request: its times are counted from the same moment.
    const at = earlier?.did === 'sent' && !isAnew ? earlier.at : job.now.toISOString();
    return { ...one, existing, step: step(), sent: { row: number, key, did: 'sent', at } };
  }

  async function act(one: Planned): Promise<RowResult | undefined> {
    if (stopped) return undefined;
    const { earlier, sent, step } = one;
    const { number: row } = one.row;
    waiting.delete(one);
    const resultFor = (did: RowResult['did'], more: Partial<RowResult> = {}): RowResult => {
      return { row, did, key: sent.key, ...more };
    };
    const noted = (did: 'created' | 'updated' | 'skipped' | 'failed', id?: string) =>
      journal.write([{ ...sent, did, id }], false);
    const failed = (error: RowError) => {
      stopped ||= !error.open && !goesOn;
      return resultFor('failed', { error });
    };
    if (step === 'stored') return resultFor('already_imported', { id: earlier?.id });
    if (step === 'skip') {
      // A decision about a row that may be stored, or whose record is gone, stays.
      if (earlier?.did === 'sent' || one.wasCreated) noted('skipped', earlier?.id);
      return resultFor('skipped');
    }
    const failedAsDeleted = (id: string | undefined) => {
      const message = `An earlier run imported ${place} ${row} as ${id}, which the server doesn't have any more.`;
      return failed({ code: 'not_found', message, exitCode: 6, open: 'gone' });
    };
    if (step === 'gone') return failedAsDeleted(earlier?.id);
    const made = job.made(one.row, new Date(sent.at));
    const issues = checked.wrong.get(row) ?? ('issues' in made ? made.issues : []);
    if (issues.length > 0 || 'issues' in made) {
      const message = formatIssues(issues);
      return failed({ code: 'validation_failed', message, exitCode: 3 });
    }
    try {
      const { request, record: existing } = upsertKey
        ? await chooseRequest(client, { name, key: upsertKey, resolve }, made)
        : { request: made, record: one.existing };
      const { operation, ids, body } = await resolve(request);
      if (operation.verb === 'create') {
        if (step === 'unsure') {
          const message = `An earlier run sent ${place} ${row} and got no answer: it may be stored.`;
          return failed({ code: 'outcome_unknown', message, exitCode: 7, open: 'unsure' });
        }
        const record = await methods.create(...ids, body, { idempotencyKey: sent.key });
        noted('created', record.id);
        if (!wasReplayed(record)) return resultFor('created', { id: record.id });
        // The answer of an earlier run, such as that of another machine.
        const here = await read(ids, [record.id], [record.id]);
        return here.has(record.id)
          ? resultFor('already_imported', { id: record.id })
          : failedAsDeleted(record.id);
      }
      const isSame = ([field, value]: [string, unknown]) =>
        existing !== undefined && isDeepStrictEqual(existing[field], value);
      if (Object.entries(body).every(isSame)) {
        noted('updated', ids.at(-1));
        return resultFor('unchanged', { id: ids.at(-1) as string });
      }
      if (!existing)
        await requireParents(methods, resource, { parents: ids.slice(0, -1), ids: ids.slice(-1) });
      const record = await methods.update(...ids, body);
      noted('updated', record.id);
      const did = isDeepStrictEqual(record, existing) ? 'unchanged' : 'updated';
      return resultFor(did, { id: record.id });
    } catch (error) {
      const { code, exitCode, hint } = reportOf(error);
      if (exitCode >= 128 || !(error instanceof Error)) throw error;
      stopped ||= !isOfRow(exitCode);
      const isLost = isUncertain(error);
      if (!isLost) noted('failed');
      const open = isLost && !announces ? 'unsure' : undefined;
      const message = messageOf(error);
      return failed({ code, message, exitCode, open, hint: isLost ? null : hint });
    }
  }

  try {
    for await (const result of inOrder(planned(), parallel, act)) if (result) yield result;
  } finally {
    const left = Array.from(
      waiting,
      ({ earlier, sent }): ImportedRow => earlier ?? { ...sent, did: 'failed', error: 'Not sent.' },
    );
    journal.write(left, true);
  }
}

/** In groups for one list request. */
function* keyed(
  { name, rows, key, content: contentIn }: Job,
  { facility, journal }: Pick<Sending, 'facility' | 'journal'>,
): Generator<Keyed[], void> {
  const met = new Map<string, number>();
  const digest = (value: unknown) =>
    createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 32);
  /** The same in any order of the columns. */
  const inAnyOrder = (value: unknown) =>
    isObject(value)
      ? Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
      : value;
  for (let at = 0; at < rows.length; at += idsAtOnce)
    yield rows.slice(at, at + idsAtOnce).map((row) => {
      const values = contentIn(row);
      const same = digest([facility, name, inAnyOrder(values)]);
      const before = met.get(same) ?? 0;
      met.set(same, before + 1);
      const content = `cs-import-${before === 0 ? same : digest([same, before])}`;
      const earlier = journal.get(content);
      const namesOne = key !== undefined || (isObject(values) && Boolean(values.id));
      return { row, content, earlier, wasCreated: earlier?.did === 'created' && !namesOne };
    });
}

/** What a run did, row by row. */
interface Outcome {
  readonly failed: readonly RowResult[];
  /** Rows that did not fail. */
  readonly done: number;
  readonly left: number;
  readonly rejects: string | undefined;
}

export function failure(place: string, { failed, done, left, rejects }: Outcome): CliError {
  const errors = failed.flatMap(({ error }) => error ?? []);
  const stop = errors.find(({ exitCode }) => !isOfRow(exitCode));
  const numbersOf = (open: RowError['open']) =>
    failed.flatMap(({ row, error }) => (error?.open === open ? row : []));
  const [unsure, gone, others] = [numbersOf('unsure'), numbersOf('gone'), numbersOf(undefined)];
  const refused = failed.filter(isRejected);
  const rows = (count: number) => pluralize(count, 'row', 'rows');
  const parts = [
    others.length > 0 && `${rows(others.length)} failed`,
    unsure.length > 0 && `${rows(unsure.length)} may be stored`,
    gone.length > 0 && `the records of ${rows(gone.length)} are gone`,
    left > 0 && `${pluralize(left, 'row was', 'rows were')} not tried`,
  ];
  const list = unsure.join(',');
  const again = 'run it again; imported rows are skipped';
  const hints = [
    unsure.length === 1 &&
      `look whether it is stored; then run it again with \`--skip ${list}\` if it is, with \`--again ${list}\` if not`,
    unsure.length > 1 &&
      `look which of them are stored (${list}); then run it again with --skip for those, and --again for the others`,
    gone.length > 0 &&
      'add `--again all` to import them again, or `--skip` with their numbers to leave them out',
    refused.length > 0 && rejects && `fix the rows in ${rejects} and import that file`,
    refused.length > 0 &&
      !rejects &&
      ((failed.length === 1 && errors[0]?.hint) || `fix them and ${again}`),
    stop && !stop.open && [stop.hint, again].filter(Boolean).join('; then '),
  ];
  return new CliError({
    ...summedUp(errors, { done, stop }),
    message: `${parts.filter(Boolean).join(', ')}.`,
    hint: hints.filter(Boolean).join('; '),
    details: {
      failed: failed.slice(0, maxListed).map(({ row, error }) => ({
        id: `${place} ${row}`,
        code: error?.code,
        message: error?.message,
      })),
    },
  });
}
