/** Writes results to stdout in the form that was asked for: for a person a table or a line, for a script the records. */
import { wasReplayed } from '../../client/replays.ts';
import { withArticle } from '../../contract/article.ts';
import type { OutputSettings } from '../config/output-settings.ts';
import { localTime } from '../input/when.ts';
import { ClosedPipe, type Io, UnprintedResult } from '../terminal/io.ts';
import type { Paint } from '../terminal/style.ts';
import { grouped, pluralize, sanitize } from '../terminal/text.ts';
import { type FormatOptions, isObject, itemsOf, type Jq, type RecordFormat } from './format.ts';
import { type Format, formatOf } from './formats.ts';
import { createPrinter } from './pager.ts';
import { checkNames, namesIn } from './pick.ts';
import { type PlannedRequest, plannedValue, requestText } from './request.ts';
import type { CellContext, Column, Row, View } from './view.ts';

/** Names of records by resource and id; what is not in it is shown by its id. */
export type Labels = ReadonlyMap<string, ReadonlyMap<string, string>>;
/**
 * Finds the names of records. What the key may not read has none. Any other failure is one, so that names do not come and go by luck;
 * unless they are only a `comfort`, as beside what was done already and must be told in any case.
 */
export type FindLabels = (wanted: ReadonlyMap<string, ReadonlySet<string>>, how?: { readonly comfort?: boolean }) => Promise<Labels>;

/** Records that come a page at a time are read by the page, which is several times as fast. */
export type Records = readonly Row[] | AsyncIterable<Row> | { readonly pages: () => AsyncIterable<readonly Row[]> };

export interface List {
  readonly view: View;
  readonly records: Records;
  /** How many there are in all, when the records are a part of them. */
  readonly total?: number;
  /** What was asked for holds nothing although there are records: the page lies behind the last one. */
  readonly pastEnd?: boolean;
  /** A filter chose the records, so an empty list doesn't mean that there are none. */
  readonly filtered?: boolean;
  /** Instead of a record there may be why it is not one: `{ id, error: { code, message } }`, shown whole whichever fields were asked for. */
  readonly failures?: true;
  /** They are requests that --dry-run keeps from being sent: with fields of their own, so none are picked. */
  readonly planned?: true;
}

export interface Output {
  readonly format: Format;
  /**
   * Before a command does anything: refuses fields and columns that its records do not have, and a program of --jq that is none, so
   * that nothing is done whose result could not be shown. Exit 2. A command that learns only from its arguments what it prints calls it
   * again with that.
   */
  prepare(view: View | undefined): Promise<void>;
  list(list: List): Promise<void>;
  /** One record. `references` tells which fields name records of which resource. */
  record(record: Row, references?: Readonly<Record<string, string>>): Promise<void>;
  /** A record that was just written: `car 8412… created`, or the record. */
  written(view: View, record: Row, did: string): Promise<void>;
  /**
   * Anything else: `value` for a script, `text` for a person: a line, or several as a list. Server text in it is made safe, so that
   * it stays within its line; styles are not kept: use `painted`.
   */
  value(value: unknown, text: string | readonly string[]): Promise<void>;
  /** Like `value`, for text that this program styled and made safe itself. */
  painted(value: unknown, text: string): Promise<void>;
  /** What --dry-run keeps from being sent: a request, or several as a list. */
  request(request: PlannedRequest | readonly PlannedRequest[]): Promise<void>;
  /** The same for a command that tells it in its own way. It has fields of its own, so none are picked from it. */
  planned(value: unknown, text: string): Promise<void>;
  /** Ends what --jq has started. */
  close(): Promise<void>;
}

interface Options {
  io: Io;
  settings: OutputSettings & { readonly noInput: boolean };
  paint: Paint;
  note: (text: string) => void;
  warn: (text: string) => void;
  findLabels: FindLabels;
}

/** For what is no list of a resource. */
const anything: View = { one: 'record', many: 'records', columns: [], title: () => '' };

export function createOutput({ io, settings, paint, note, warn, findLabels }: Options): Output {
  const { output: format, fields, columns } = settings;
  const printer = createPrinter(io, settings);
  const width = io.stdoutIsTerminal ? (io.columns ?? 80) : undefined;
  let declared: View | undefined;
  let jq: Jq | undefined;

  const contextFor = (rows: readonly Row[], shown: readonly Column[]) => cellContext(wantedBy(shown, rows), findLabels);
  const beside: FindLabels = (wanted) => findLabels(wanted, { comfort: true });
  const contextBeside = (rows: readonly Row[], shown: readonly Column[]) => cellContext(wantedBy(shown, rows), beside);
  const common = { paint, width, note };
  const open = (view: View, { context = contextFor, failures }: Partial<Pick<FormatOptions, 'context' | 'failures'>> = {}) =>
    formatOf(format).open({ ...common, context, view, fields, columns, jq, failures });
  const openPlanned = () =>
    formatOf(format).open({ ...common, context: contextFor, view: anything, jq, fields: undefined, columns: undefined });

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
    if (!settings.jq || jq) return;
    const { compileJq } = await import('./jq.ts');
    const { value: program, origin } = settings.jq;
    const { stdoutIsTerminal: terminal, signal } = io;
    jq = await compileJq({ program, origin, terminal, signal, warn, print: (text) => printer.print(text) });
  }

  /** Where nothing says beforehand which fields the records have, they are those of the first ones. Exit 2 for a name that is none. */
  function knownFrom(rows: readonly Row[], view: View): View {
    if (view.fields || rows.length === 0 || !(fields || columns)) return view;
    const known = namesIn(rows);
    if (fields) checkNames(fields, known, 'the result');
    return columns ? { ...view, fields: known } : view;
  }

  async function painted(value: unknown, text: string): Promise<void> {
    if (format === 'table' || (format === 'id' && (typeof value !== 'object' || value === null)))
      return show(text.endsWith('\n') || text === '' ? text : `${text}\n`);
    await single(declared ?? anything, value);
  }

  async function planned(value: unknown, text: string): Promise<void> {
    await show(format === 'table' ? text : await (await openPlanned()).one(value));
  }

  async function single(view: View, value: unknown, context?: FormatOptions['context']): Promise<void> {
    const made = await open(knownFrom(itemsOf(value).filter(isObject), view), { context });
    try {
      await printer.print(await made.one(value));
    } finally {
      await printer.done();
    }
  }

  async function list({ view, records, total, pastEnd, filtered, failures, planned }: List): Promise<void> {
    const openFor = (known: View) => (planned ? openPlanned() : open(known, failures && { failures, context: contextBeside }));
    let made: RecordFormat | undefined;
    let count = 0;
    let trouble: unknown;
    // A list of what became of writes goes on without its reader: they are what was asked for.
    const print = async (work: () => Promise<void>) => {
      if (trouble !== undefined) return;
      await printing(work).catch((error) => {
        if (!failures) throw error;
        trouble = error;
      });
    };
    try {
      for await (const rows of batches(records)) {
        count += rows.length;
        await print(async () => {
          made ??= await openFor(planned ? view : knownFrom(rows, view));
          await printSome(await made.records(rows));
        });
      }
      await print(async () => {
        made ??= await openFor(view);
        await printSome(await made.end());
      });
    } finally {
      // Also of a list that fails midway what came is shown, so that the pager is left before the error is told.
      await print(() => printer.done());
    }
    if (trouble !== undefined && !(trouble instanceof ClosedPipe)) throw trouble;
    tellTotal({ view, count, total, pastEnd, filtered });
  }

  const printSome = async (text: string) => {
    if (text !== '') await printer.print(text);
  };

  function tellTotal({
    view,
    count,
    total,
    pastEnd,
    filtered,
  }: Pick<List, 'view' | 'total' | 'pastEnd' | 'filtered'> & { count: number }): void {
    // A part must not pass for the whole, so this is said in a pipe too.
    if (total !== undefined && total > count)
      note(
        pastEnd && count === 0
          ? `Nothing on this page: there are ${pluralize(total, view.one, view.many)}.`
          : `${grouped(count)} of ${grouped(total)}; --all for the rest`,
      );
    else if (format === 'table') {
      const none = filtered
        ? `No ${view.many} match. Change or leave out a filter.`
        : [`No ${view.many}.`, view.emptyHint].filter(Boolean).join(' ');
      note(count > 0 ? pluralize(count, view.one, view.many) : none);
    }
  }

  async function record(record: Row, references: Readonly<Record<string, string>> = {}): Promise<void> {
    if (format !== 'table') return painted(record, '');
    const { renderRecord } = await import('./record.ts');
    const wanted = new Map<string, Set<string>>();
    for (const [field, resource] of Object.entries(references)) want(wanted, resource, record[field]);
    const context = await cellContext(wanted, findLabels);
    if (!columns) return show(await renderRecord({ row: record, context, paint, references, width }));
    const { columnsNamed } = await import('./columns.ts');
    const shown = columnsNamed(columns, declared ?? anything, 'column');
    const cells = await contextFor([record], shown);
    const row = Object.fromEntries(shown.map(({ header, cell }) => [header, cell(record, cells)]));
    await show(await renderRecord({ row, context, paint, references, width }));
  }

  async function written(view: View, record: Row, did: string): Promise<void> {
    if (format !== 'table') return single(view, record, contextBeside);
    const title = sanitize(view.title(record, await cellContext(new Map(), findLabels)));
    await show(
      `${sanitize(`${view.one} ${record.id}`)} ${paint.good(wasReplayed(record) ? `already ${did}` : did)}${title ? `  ${paint.dim(title)}` : ''}\n`,
    );
  }

  return {
    format,
    prepare,
    list,
    painted: (value, text) => printing(() => painted(value, text)),
    value: (value, text) => printing(() => painted(value, [text].flat().map(sanitize).join('\n'))),
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

/** Tells failures of the output from those of what it shows. A reader that has gone is none. */
async function printing(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw error instanceof ClosedPipe ? error : new UnprintedResult(error);
  }
}

/** As many records at a time as come at once. */
async function* batches(records: Records): AsyncGenerator<readonly Row[]> {
  if ('pages' in records) yield* records.pages();
  else if (Symbol.asyncIterator in records) for await (const record of records) yield [record];
  else if (records.length > 0) yield records;
}

function wantedBy(columns: readonly Column[], rows: readonly Row[]): Map<string, Set<string>> {
  const wanted = new Map<string, Set<string>>();
  for (const { names } of columns)
    for (const [field, resource] of Object.entries(names ?? {})) for (const row of rows) want(wanted, resource, row[field]);
  return wanted;
}

function want(wanted: Map<string, Set<string>>, resource: string, id: unknown): void {
  if (typeof id !== 'string') return;
  const ids = wanted.get(resource) ?? new Set();
  wanted.set(resource, ids.add(id));
}

async function cellContext(wanted: ReadonlyMap<string, ReadonlySet<string>>, findLabels: FindLabels): Promise<CellContext> {
  const labels: Labels = wanted.size > 0 ? await findLabels(wanted) : new Map();
  return {
    label: (resource, id) => (id === null || id === undefined ? '' : (labels.get(resource)?.get(String(id)) ?? String(id))),
    time: (iso) => localTime(iso),
  };
}
