/** Checks every row before the first request, and shows what would be sent. */
import type { SyncName } from '../../../client/client.ts';
import { ApiError } from '../../../client/errors.ts';
import { operationsOf } from '../../../contract/operations.ts';
import type { Issue } from '../../../contract/problems.ts';
import type { Context } from '../../context.ts';
import { CliError, usage } from '../../errors/exit.ts';
import { reportOf } from '../../errors/report.ts';
import { type PlannedRequest, plannedValue, requestText } from '../../output/request.ts';
import { type Row, resultView } from '../../output/view.ts';
import { planned } from '../../resources/operation.ts';
import { capitalized, grouped, pluralize } from '../../terminal/text.ts';
import { resourceOf } from '../bulk/resources.ts';
import { startsCampaign } from '../campaigns/check-start.ts';
import { inOrder } from './in-order.ts';
import type { Made, Resolve, RowRequest } from './requests.ts';
import type { FileRow, RowFile } from './rows.ts';
import { spelling, type UpsertKey } from './upsert.ts';

export interface Job {
  readonly name: SyncName;
  readonly place: RowFile['place'];
  readonly rows: readonly FileRow[];
  /** By the names of the fields: equal rows are one row that is imported again. */
  readonly content: (row: FileRow) => unknown;
  /** `now`: what times such as `1 hour ago` are counted from. */
  readonly made: (row: FileRow, now: Date) => Made;
  readonly key: UpsertKey | undefined;
  readonly resolve: Resolve;
  /** Numbers of rows to leave out: neither checked nor sent. */
  readonly skip: ReadonlySet<number>;
  /**
   * Those to import again unless they are stored: without an answer, or with a record that is gone.
   * `all`: only the latter.
   */
  readonly again: ReadonlySet<number> | 'all';
  readonly parallel: number;
  /** When it began. */
  readonly now: Date;
}

/** `17,20-25`. Exit 2 for numbers that the file doesn't have: a typed one may be wrong. */
export function numbersIn(
  text: string | undefined,
  flag: string,
  { rows, place }: RowFile,
): ReadonlySet<number> {
  const found = (text?.split(',') ?? []).flatMap((part) => {
    const [, from, to = from] = /^\s*(\d+)(?:-(\d+))?\s*$/.exec(part) ?? [];
    const numbers = rows
      .map(({ number }) => number)
      .filter((number) => Number(from) <= number && number <= Number(to));
    if (numbers.length > 0) return numbers;
    throw usage(
      from === undefined
        ? `${flag}: "${text}" isn't a list of rows.`
        : `${flag}: the file has no ${place} ${part.trim()}.`,
      `write row numbers as in the results, such as ${flag} 17 or ${flag} 17,20-25`,
    );
  });
  return new Set(found);
}

export interface Checked {
  /** Without those that are left out. */
  readonly total: number;
  /** By the number of the row. */
  readonly wrong: ReadonlyMap<number, readonly Issue[]>;
  /** Requests that may start a campaign. */
  readonly starts: readonly PlannedRequest[];
  readonly creates: boolean;
}

export const rowView = resultView('row', ['row', 'did', 'id', 'error']);

/** Rows that an error lists one by one. */
export const maxListed = 20;

/** Names are looked up too, except those of records that the import may create itself. */
export async function checkRows({ rows, skip, resolve, ...job }: Job): Promise<Checked> {
  const wrong = new Map<number, readonly Issue[]>();
  const starts: PlannedRequest[] = [];
  let creates = false;
  /** Two rows for one record would depend on their order, and both might create it. */
  const firstWith = new Map<string, number>();
  const sameAs = ({ choice, operation, ids }: RowRequest, number: number): readonly Issue[] => {
    const named = choice?.value ?? (operation.verb === 'update' ? ids.at(-1) : undefined);
    if (named === undefined) return [];
    const same = spelling(named);
    const before = firstWith.get(same);
    firstWith.set(same, before ?? number);
    const message = `is the same as in ${job.place} ${before}`;
    return before === undefined ? [] : [{ path: job.key?.field ?? 'id', rule: 'unique', message }];
  };
  const check = async (row: FileRow) => {
    const { number } = row;
    const request = job.made(row, job.now);
    const issues = 'issues' in request ? request.issues : sameAs(request, number);
    const found =
      'issues' in request || issues.length > 0
        ? issues
        : await resolve(request, true).then((): readonly Issue[] => [], nameIssue);
    if (found.length > 0) wrong.set(number, found);
    else if ('body' in request) {
      const { operation, ids, body, choice } = request;
      creates ||= choice !== undefined || operation.verb === 'create';
      if (operation.verb === 'update' && !choice)
        starts.push(...[planned(operation, ids, body)].filter(startsCampaign));
    }
  };
  const chosen = rows.filter(({ number }) => !skip.has(number));
  for await (const _ of inOrder(chosen, job.parallel, check));
  return { total: chosen.length, wrong, starts, creates };
}

/** A name that nothing has, or that several records have. Any other failure isn't about the row. */
function nameIssue(error: unknown): readonly Issue[] {
  const { exitCode, code } = reportOf(error);
  if (!(error instanceof Error) || (exitCode !== 6 && exitCode !== 14)) throw error;
  return [{ path: '', rule: code, message: messageOf(error) }];
}

/** Shows the requests of the valid rows. */
export async function preview(
  { output, note }: Context,
  { rows, skip, resolve, key, now, made }: Job,
  { wrong }: Checked,
): Promise<void> {
  if (key) note(`A row whose ${key.filter} a record has already updates that record instead.`);
  const valid = rows.filter(({ number }) => !skip.has(number) && !wrong.has(number));
  const requests = async function* (some: readonly FileRow[]) {
    for (const row of some) {
      const request = made(row, now);
      if ('issues' in request) continue;
      const { operation, ids, body, choice } = await resolve(request, true);
      const own = choice && operation.verb === 'update' ? ['ID'] : [];
      yield planned(operation, [...ids, ...own], body);
    }
  };
  if (!output.forPeople) {
    const records = async function* () {
      for await (const request of requests(valid)) yield plannedValue(request) as Row;
    };
    return output.list({ view: rowView, records: records(), planned: true });
  }
  const shown = await Array.fromAsync(requests(valid.slice(0, 3)), requestText);
  await output.styled([], shown.join(''));
  if (valid.length > 3) note(`and ${grouped(valid.length - 3)} more; list all with -o ndjson`);
  note(`${pluralize(valid.length, 'row is', 'rows are')} valid; nothing was sent.`);
}

/** With `rejects`, the valid rows are sent, or would be. */
export function invalidRows(
  { name, place, key }: Job,
  { wrong, total }: Checked,
  rejects: boolean,
): CliError {
  const listed = [...wrong].slice(0, maxListed).map(([number, issues]) => ({
    place: `${place} ${number}`,
    message: formatIssues(issues),
  }));
  const more = wrong.size > maxListed ? ` The first ${maxListed} are listed.` : '';
  const readOnly = new Set(
    [...wrong.values()].flat().flatMap(({ rule, path }) => (rule === 'read_only' ? path : [])),
  );
  const hints = [
    !key &&
      readOnly.delete('id') &&
      (operationsOf(resourceOf(name)).some(({ verb }) => verb === 'update')
        ? 'update the records that the ids name with --update, or remove the ids to create new records'
        : 'remove the ids to create new records'),
    readOnly.size > 0 && 'ignore read-only fields with --skip-read-only',
  ].filter(Boolean);
  return new CliError({
    code: rejects ? 'partial' : 'validation_failed',
    message: `${grouped(wrong.size)} of ${pluralize(total, 'row', 'rows')} ${wrong.size === 1 ? 'is' : 'are'} invalid; nothing was sent.${more}`,
    hint:
      hints.join('; ') ||
      (rejects || wrong.size === total
        ? 'fix them and run it again'
        : 'fix them; or add --rejects FILE, which keeps them and sends the others'),
    details: rejects
      ? {
          failed: listed.map((one) => ({
            id: one.place,
            code: 'validation_failed',
            message: one.message,
          })),
        }
      : { issues: listed.map((one) => ({ path: one.place, rule: 'row', message: one.message })) },
  });
}

/** With the server's field errors, or the candidates of an ambiguous name, which is fixed in the file. */
export function messageOf(error: Error): string {
  if (error instanceof CliError) {
    const { candidates } = (error.details ?? {}) as { candidates?: { id: string; name: string }[] };
    if (!candidates) return error.message;
    const listed = candidates.map(({ id, name }) => `${id} is ${name}`).join('; ');
    return [error.message, `${listed}.`, error.hint && `${capitalized(error.hint)}.`]
      .filter(Boolean)
      .join(' ');
  }
  const { issues } = ((error instanceof ApiError && error.details) || {}) as { issues?: Issue[] };
  if (!Array.isArray(issues) || issues.every(({ message }) => error.message.includes(message)))
    return error.message;
  return formatIssues(issues);
}

export const formatIssues = (issues: readonly Partial<Issue>[]): string =>
  issues
    .map(({ path, message, rule }) => [path, message ?? rule].filter(Boolean).join(' '))
    .join('; ');
