/** Checks every row before the first request, and shows what would be sent. */
import type { SyncName } from '../../../client/client.ts';
import { ApiError } from '../../../client/errors.ts';
import type { Issue } from '../../../contract/problems.ts';
import type { Context } from '../../context.ts';
import { CliError } from '../../errors/exit.ts';
import { reportOf } from '../../errors/report.ts';
import { type PlannedRequest, plannedValue, requestText } from '../../output/request.ts';
import { type Row, resultView } from '../../output/view.ts';
import { planned } from '../../resources/operation.ts';
import { grouped, pluralize } from '../../terminal/text.ts';
import { startsCampaign } from '../campaigns/check-start.ts';
import { inOrder } from './in-order.ts';
import type { Made, Resolve, RowRequest } from './requests.ts';
import type { FileRow, RowFile } from './rows.ts';
import { spelling, type UpsertKey, type UpsertRow } from './upsert.ts';

/** A row of the file, and what becomes of it. */
export interface ReadRow {
  readonly row: FileRow;
  /** By the names of the fields: equal rows are one row that is imported again. */
  readonly content: unknown;
  /** `now`: what times such as `1 hour ago` are counted from. */
  readonly made: (now: Date) => Made | UpsertRow;
}

export interface Job {
  readonly name: SyncName;
  readonly file: RowFile;
  readonly key: UpsertKey | undefined;
  readonly resolve: Resolve;
  readonly rows: () => AsyncGenerator<ReadRow, void>;
  /** Left out, by number: neither checked nor sent. */
  readonly skip: (row: number) => boolean;
  /** `line` of text, `record` of a JSON array, `row` of a sheet. */
  readonly place: string;
  readonly parallel: number;
  /** When it began. */
  readonly now: Date;
}

async function* chosen({ rows, skip }: Job): AsyncGenerator<ReadRow, void> {
  for await (const one of rows()) if (!skip(one.row.number)) yield one;
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
export async function checkRows(job: Job): Promise<Checked> {
  const { resolve, place, parallel, now } = job;
  const wrong = new Map<number, readonly Issue[]>();
  const starts: PlannedRequest[] = [];
  let [total, creates] = [0, false];
  const isRepeated = repeats(place);
  const read = async function* () {
    for await (const { row, made } of chosen(job)) {
      const found = made(now);
      yield { row, made: ('key' in found && isRepeated(found, row)) || found };
    }
  };
  const check = async ({ row, made }: { row: FileRow; made: Made | UpsertRow }) => {
    total += 1;
    const request = 'key' in made ? requestOf(made) : made;
    const issues =
      'issues' in request ? request.issues : await resolve(request, true).then(noIssues, nameIssue);
    if (issues.length > 0) wrong.set(row.number, issues);
    else if ('body' in request) {
      creates ||= 'key' in made || request.operation.verb === 'create';
      const { operation, ids, body } = request;
      if (operation.verb === 'update' && !('key' in made))
        starts.push(...[planned(operation, ids, body)].filter(startsCampaign));
    }
  };
  for await (const _ of inOrder(read(), parallel, check));
  return { total, wrong, starts, creates };
}

const noIssues = (): readonly Issue[] => [];

/** A name that nothing has, or that several records have. Any other failure isn't about the row. */
function nameIssue(error: unknown): readonly Issue[] {
  const { exitCode, code } = reportOf(error);
  if (!(error instanceof Error) || (exitCode !== 6 && exitCode !== 14)) throw error;
  return [{ path: '', rule: code, message: messageOf(error) }];
}

/** Two rows for one record would depend on their order, and both might create it. */
function repeats(place: string) {
  const first = new Map<string, number>();
  return ({ key, value }: UpsertRow, { number }: FileRow): Made | undefined => {
    const same = spelling(value);
    const before = first.get(same);
    if (before === undefined) {
      first.set(same, number);
      return undefined;
    }
    const message = `is the same as in ${place} ${before}`;
    return { issues: [{ path: key.field, rule: 'unique', message }] };
  };
}

/** Without the server, nothing tells whether the record exists. */
const requestOf = ({ creating, changing }: UpsertRow): RowRequest =>
  'body' in creating ? creating : (changing as RowRequest);

/** Shows the requests. Exit 3 or 11 for invalid rows, as the import itself. */
export async function preview(
  { output, note }: Context,
  job: Job,
  { total, wrong }: Checked,
): Promise<void> {
  const { resolve, key, now } = job;
  if (key) note(`A row whose ${key.filter} a record has already updates that record instead.`);
  const requests = async function* () {
    for await (const { row, made } of chosen(job)) {
      const found = made(now);
      const request = 'key' in found ? requestOf(found) : found;
      if (wrong.has(row.number) || 'issues' in request) continue;
      const { operation, ids, body } = await resolve(request, true);
      const own = 'key' in found && operation.verb === 'update' ? ['ID'] : [];
      yield planned(operation, [...ids, ...own], body);
    }
  };
  if (!output.forPeople) {
    const records = async function* () {
      for await (const request of requests()) yield plannedValue(request) as Row;
    };
    return output.list({ view: rowView, records: records(), planned: true });
  }
  const valid = total - wrong.size;
  const shown = [];
  for await (const request of requests()) {
    shown.push(requestText(request));
    if (shown.length === 3) break;
  }
  await output.styled([], shown.join(''));
  if (valid > shown.length)
    note(`and ${grouped(valid - shown.length)} more; list all with -o ndjson`);
  note(`${pluralize(valid, 'row is', 'rows are')} valid; nothing was sent.`);
}

/** With `rejects`, the valid rows are sent, or would be. */
export function invalidRows({ place }: Job, { wrong, total }: Checked, rejects: boolean): CliError {
  const listed = [...wrong].slice(0, maxListed).map(([number, issues]) => ({
    path: `${place} ${number}`,
    rule: 'row',
    message: formatIssues(issues),
  }));
  const more = wrong.size > maxListed ? ` The first ${maxListed} are listed.` : '';
  const isReadOnly = listed.some(({ message }) => message.includes('is read-only'));
  return new CliError({
    code: rejects ? 'partial' : 'validation_failed',
    message: `${grouped(wrong.size)} of ${pluralize(total, 'row', 'rows')} ${wrong.size === 1 ? 'is' : 'are'} invalid; nothing was sent.${more}`,
    hint: isReadOnly
      ? 'ignore read-only fields with --skip-read-only; update the records of rows with an id with --update'
      : rejects || wrong.size === total
        ? 'fix them and run it again'
        : 'fix them; or add --rejects FILE, which keeps them and sends the others',
    details: rejects
      ? {
          failed: listed.map(({ path, message }) => ({
            id: path,
            code: 'validation_failed',
            message,
          })),
        }
      : { issues: listed },
  });
}

/** With the server's field errors, or the candidates of an ambiguous name. */
export function messageOf(error: Error): string {
  if (error instanceof CliError) return [error.message, ...candidatesIn(error)].join(' ');
  const { issues } = ((error instanceof ApiError && error.details) || {}) as { issues?: Issue[] };
  if (!Array.isArray(issues) || issues.length === 0) return error.message;
  return issues.every(({ message }) => error.message.includes(message))
    ? error.message
    : formatIssues(issues);
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
