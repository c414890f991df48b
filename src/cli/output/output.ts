/**
 * Writes results to stdout in the chosen format: a table or a line for a person, records for a
 * script.
 */
import { stripVTControlCharacters } from 'node:util';
import { wasReplayed } from '../../client/replays.ts';
import { withArticle } from '../../contract/article.ts';
import { ClosedPipe, UnprintedResult } from '../errors/ended-run.ts';
import { usage } from '../errors/exit.ts';
import { localTime, relativeTime } from '../input/when.ts';
import { asciiFallback } from '../terminal/ascii.ts';
import type { Io } from '../terminal/io.ts';
import { type ColorChoice, hasColor, stylesFor } from '../terminal/style.ts';
import { breakIndented, grouped, joinList, pluralize, sanitize } from '../terminal/text.ts';
import { type FormatOptions, isObject, itemsOf, type Jq, type RecordFormat } from './format.ts';
import { columnFormats, type Format, formatOf, hasColumns, isForPeople } from './formats.ts';
import { createPrinter, type Printer } from './pager.ts';
import { checkNames, fieldNames } from './pick.ts';
import { type PlannedRequest, plannedValue, requestText } from './request.ts';
import type { OutputSettings } from './settings.ts';
import type { CellContext, Column, Row, View } from './view.ts';

/** Labels of records by resource and id. A missing label is shown as the id. */
export type Labels = ReadonlyMap<string, ReadonlyMap<string, string>>;
/**
 * Finds labels of records. Empty without the scope. Any other failure is an error, rather than
 * partial labels; with `bestEffort` labels are best effort, as in the report of a finished write.
 * `needed`: a missing scope is an error too.
 */
export type FindLabels = (
  wanted: ReadonlyMap<string, ReadonlySet<string>>,
  how?: { readonly bestEffort?: boolean; readonly needed?: boolean },
) => Promise<Labels>;

/** Paged records are read by page, which is several times as fast. */
export type Records =
  | readonly Row[]
  | AsyncIterable<Row>
  | { readonly pages: () => AsyncIterable<readonly Row[]> };

export interface List {
  readonly view: View;
  readonly records: Records;
  /** The total, when the records are a part. Unknown where the server doesn't count. */
  readonly total?: number | 'unknown';
  /** The page is past the last one. */
  readonly pastEnd?: boolean;
  /** A filter chose the records, so an empty list doesn't mean that there are none. */
  readonly filtered?: boolean;
  /**
   * A record may be a failure, `{ id, error: { code, message } }`, which is printed whole whatever
   * fields were chosen.
   */
  readonly failures?: true;
  /** The records are requests of --dry-run, with fields of their own, so none are picked. */
  readonly planned?: true;
}

export interface Output {
  readonly format: Format;
  /** Whether a person reads the result, so that it is text instead of a record. */
  readonly forPeople: boolean;
  /**
   * Refuses unknown fields and columns and an invalid --jq program before the command does
   * anything, with exit 2. A command that knows its output only from its arguments calls it again.
   */
  prepare(view: View | undefined): Promise<void>;
  list(list: List): Promise<void>;
  /** One record. `references`: the resource of each reference field. */
  record(record: Row, references?: Readonly<Record<string, string>>): Promise<void>;
  /**
   * A record after a write: `customer created Bo Ek`, with its id where it has no name and with
   * --verbose; or the record.
   */
  written(view: View, record: Row, did: string): Promise<void>;
  /**
   * Any other result: `value` for a script, `text` for a person, as a line or a list of lines.
   * Control characters are escaped and styles are lost; use `styled` for styled text.
   */
  value(value: unknown, text: string | readonly string[]): Promise<void>;
  /**
   * Like `value`, for text that is already escaped, and styled for stderr or stdout: the styles are
   * lost where stdout has no colour.
   */
  styled(value: unknown, text: string): Promise<void>;
  /** The request of --dry-run, or several as a list. */
  request(request: PlannedRequest | readonly PlannedRequest[]): Promise<void>;
  /** The same for a command with its own text. Its fields aren't picked. */
  planned(value: unknown, text: string): Promise<void>;
  /** Ends the --jq worker. */
  close(): Promise<void>;
}

interface Options {
  io: Io;
  settings: OutputSettings & {
    readonly noInput: boolean;
    readonly verbose: boolean;
    readonly color: ColorChoice;
  };
  note: (text: string) => void;
  warn: (text: string) => void;
  findLabels: FindLabels;
}

/** For results that aren't a list of a resource. */
const genericView: View = { one: 'record', many: 'records', columns: [], title: () => '' };

export async function createOutput({
  io,
  settings,
  note,
  warn,
  findLabels,
}: Options): Promise<Output> {
  const { output: format, fields, columns, csvRaw, color } = settings;
  const styles = await stylesFor(io, 'stdout', color);
  const shownStyles = hasColor(io, 'stdout', color)
    ? (text: string) => text
    : stripVTControlCharacters;
  const forPeople = isForPeople(format);
  const exact = createPrinter(io, settings);
  const toTerminal = asciiFallback(io);
  const readable: Printer = { ...exact, print: (text) => exact.print(toTerminal(text)) };
  // A record keeps its characters, so that it can be copied.
  const printer = forPeople && io.stdoutIsTerminal ? readable : exact;
  const width = io.stdoutIsTerminal ? (io.columns ?? 80) : undefined;
  let declared: View | undefined;
  let jq: Jq | undefined;

  const contextFor = (rows: readonly Row[], shown: readonly Column[]) =>
    cellContext(wantedBy(shown, rows), findLabels, io.now);
  const bestEffortLabels: FindLabels = (wanted) => findLabels(wanted, { bestEffort: true });
  const bestEffortContext = (rows: readonly Row[], shown: readonly Column[]) =>
    cellContext(wantedBy(shown, rows), bestEffortLabels, io.now);
  const common = { styles, width, toTerminal: io.stdoutIsTerminal, note, csvRaw };
  const open = (
    view: View,
    { context = contextFor, failures }: Partial<Pick<FormatOptions, 'context' | 'failures'>> = {},
  ) => formatOf(format).open({ ...common, context, view, fields, columns, jq, failures });
  const openPlanned = () =>
    formatOf(format).open({
      ...common,
      context: contextFor,
      view: genericView,
      jq,
      fields: undefined,
      columns: undefined,
    });

  async function show(text: string): Promise<void> {
    if (text !== '') await printer.print(text);
    await printer.done();
  }

  async function prepare(view: View | undefined): Promise<void> {
    declared = view;
    if (fields && view?.fields) checkNames(fields, view.fields, withArticle(view.one));
    if (columns && view?.fields && !view.varies) {
      const { columnsNamed } = await import('./columns.ts');
      columnsNamed(columns, view, 'column');
    }
    // A wrong name is the first thing to correct.
    if (columns && !hasColumns(format))
      throw usage(
        `--columns can't be used with ${format}.`,
        `add -o ${joinList(columnFormats, 'or')}; --json=id,createdAt selects the fields of JSON`,
      );
    if (!settings.jq || jq) return;
    const { compileJq } = await import('./jq.ts');
    const { value: program, origin } = settings.jq;
    const { stdoutIsTerminal: terminal, signal } = io;
    jq = await compileJq({
      program,
      origin,
      terminal,
      signal,
      warn,
      print: (text) => printer.print(text),
    });
  }

  /** Without known fields, the first records define them. Exit 2 for an unknown name. */
  function knownFrom(rows: readonly Row[], view: View): View {
    if (view.fields || rows.length === 0 || !(fields || columns)) return view;
    const known = fieldNames(rows);
    if (fields) checkNames(fields, known, 'the result');
    return columns ? { ...view, fields: known } : view;
  }

  async function styled(value: unknown, text: string): Promise<void> {
    if (forPeople || (format === 'id' && (typeof value !== 'object' || value === null)))
      return show(shownStyles(text.endsWith('\n') || text === '' ? text : `${text}\n`));
    await single(declared ?? genericView, value);
  }

  async function planned(value: unknown, text: string): Promise<void> {
    await show(forPeople ? text : await (await openPlanned()).one(value));
  }

  async function single(
    view: View,
    value: unknown,
    context?: FormatOptions['context'],
  ): Promise<void> {
    const opened = await open(knownFrom(itemsOf(value).filter(isObject), view), { context });
    try {
      await printer.print(await opened.one(value));
    } finally {
      await printer.done();
    }
  }

  async function list({
    view,
    records,
    total,
    pastEnd,
    filtered,
    failures,
    planned,
  }: List): Promise<void> {
    const openFor = (known: View) =>
      planned ? openPlanned() : open(known, failures && { failures, context: bestEffortContext });
    let opened: RecordFormat | undefined;
    let count = 0;
    let outputError: unknown;
    // A list of writes continues without its reader: the writes were requested.
    const print = async (work: () => Promise<void>) => {
      if (outputError !== undefined) return;
      await printing(work).catch((error) => {
        if (!failures) throw error;
        outputError = error;
      });
    };
    try {
      for await (const rows of batches(records)) {
        count += rows.length;
        await print(async () => {
          opened ??= await openFor(planned ? view : knownFrom(rows, view));
          await printSome(await opened.records(rows));
        });
      }
      await print(async () => {
        opened ??= await openFor(view);
        await printSome(await opened.end());
      });
    } finally {
      // A list that fails midway is shown too, so that the pager ends before the error is printed.
      await print(() => printer.done());
    }
    if (outputError !== undefined && !(outputError instanceof ClosedPipe)) throw outputError;
    reportTotal({ view, count, total, pastEnd, filtered });
  }

  const printSome = async (text: string) => {
    if (text !== '') await printer.print(text);
  };

  function reportTotal({
    view,
    count,
    total,
    pastEnd,
    filtered,
  }: Pick<List, 'view' | 'total' | 'pastEnd' | 'filtered'> & { count: number }): void {
    // In a pipe too: a part must not be mistaken for the whole.
    if (total === 'unknown')
      note(`${pluralize(count, view.one, view.many)}, total unknown; use --all to read the rest`);
    else if (total !== undefined && total > count)
      note(
        pastEnd && count === 0
          ? `Nothing on this page; ${pluralize(total, view.one, view.many)} in total.`
          : `${grouped(count)} of ${grouped(total)}; --all for the rest`,
      );
    else if (forPeople) {
      const none = filtered
        ? `No ${view.many} match. Change or leave out a filter.`
        : [`No ${view.many}.`, view.emptyHint].filter(Boolean).join(' ');
      note(count > 0 ? pluralize(count, view.one, view.many) : none);
    }
  }

  async function record(
    record: Row,
    references: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    if (!forPeople) return styled(record, '');
    const { renderRecord } = await import('./record.ts');
    const wanted = new Map<string, Set<string>>();
    for (const [field, resource] of Object.entries(references))
      want(wanted, resource, record[field]);
    const context = await cellContext(wanted, findLabels, io.now);
    if (!columns)
      return show(await renderRecord({ row: record, context, styles, references, width }));
    const { columnsNamed } = await import('./columns.ts');
    const shown = columnsNamed(columns, declared ?? genericView, 'column');
    const cells = await contextFor([record], shown);
    const row = Object.fromEntries(shown.map(({ header, cell }) => [header, cell(record, cells)]));
    await show(await renderRecord({ row, context, styles, references, width }));
  }

  async function written(view: View, record: Row, did: string): Promise<void> {
    if (!forPeople) return single(view, record, bestEffortContext);
    const title = sanitize(view.title(record, await cellContext(new Map(), findLabels, io.now)));
    const isNamed = title !== '' && !settings.verbose;
    const [name, done] = [
      sanitize(isNamed ? view.one : `${view.one} ${record.id}`),
      wasReplayed(record) ? `already ${did}` : did,
    ];
    const isLong = width !== undefined && `${name} ${done}  ${title}`.length > width;
    const gap = isLong ? '\n  ' : '  ';
    await show(
      `${name} ${styles.success(done)}${title ? `${gap}${styles.dim(breakIndented(title, width, gap.length - 1))}` : ''}\n`,
    );
  }

  return {
    format,
    forPeople,
    prepare,
    list,
    styled: (value, text) => printing(() => styled(value, text)),
    value: (value, text) => printing(() => styled(value, [text].flat().map(sanitize).join('\n'))),
    record: (shown, references) => printing(() => record(shown, references)),
    written: (view, made, did) => printing(() => written(view, made, did)),
    request: (request) =>
      'method' in request
        ? planned(plannedValue(request), requestText(request))
        : planned(request.map(plannedValue), request.map(requestText).join('')),
    planned,
    close: async () => jq?.close(),
  };
}

/** Separates failures of the output from failures of the records. A closed pipe isn't a failure. */
async function printing(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw error instanceof ClosedPipe ? error : new UnprintedResult(error);
  }
}

/** The records in the batches in which they arrive. */
async function* batches(records: Records): AsyncGenerator<readonly Row[]> {
  if ('pages' in records) yield* records.pages();
  else if (Symbol.asyncIterator in records) for await (const record of records) yield [record];
  else if (records.length > 0) yield records;
}

function wantedBy(columns: readonly Column[], rows: readonly Row[]): Map<string, Set<string>> {
  const wanted = new Map<string, Set<string>>();
  for (const { names } of columns)
    for (const [field, resource] of Object.entries(names ?? {}))
      for (const row of rows) want(wanted, resource, row[field]);
  return wanted;
}

function want(wanted: Map<string, Set<string>>, resource: string, id: unknown): void {
  if (typeof id !== 'string') return;
  const ids = wanted.get(resource) ?? new Set();
  wanted.set(resource, ids.add(id));
}

async function cellContext(
  wanted: ReadonlyMap<string, ReadonlySet<string>>,
  findLabels: FindLabels,
  now: () => Date,
): Promise<CellContext> {
  const labels: Labels = wanted.size > 0 ? await findLabels(wanted) : new Map();
  return {
    label: (resource, id) =>
      id === null || id === undefined ? '' : (labels.get(resource)?.get(String(id)) ?? String(id)),
    time: (iso) => localTime(iso),
    relativeTime: (iso) => relativeTime(iso, now()),
  };
}
