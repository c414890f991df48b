/** Writes results to stdout in the form that was asked for: for a person a table or a line, for a script the records. */
import type { Io } from '../io.ts';
import { write } from '../io.ts';
import { gather } from '../methods.ts';
import type { Paint } from '../paint.ts';
import type { Format } from '../settings.ts';
import { counted, grouped, sanitizeLines } from '../text.ts';
import { localTime } from '../when.ts';
import { toJson, toJsonLine } from './json.ts';
import { type PlannedRequest, redact, requestText } from './request.ts';
import type { CellContext, Row, View } from './view.ts';

/** Names of records by resource and id; what is not in it is shown by its id. */
export type Labels = ReadonlyMap<string, ReadonlyMap<string, string>>;
/** Finds the names of records; never fails, since a name is a comfort and not the result. */
export type FindLabels = (wanted: ReadonlyMap<string, ReadonlySet<string>>) => Promise<Labels>;

interface List {
  readonly view: View;
  readonly records: readonly Row[] | AsyncIterable<Row>;
  /** How many there are in all, when the records are a part of them. */
  readonly total?: number;
  /** What was asked for holds nothing although there are records: the page lies behind the last one. */
  readonly pastEnd?: boolean;
}

export interface Output {
  readonly format: Format;
  list(list: List): Promise<void>;
  /** One record. `references` tells which fields name records of which resource. */
  record(record: Row, references?: Readonly<Record<string, string>>): Promise<void>;
  /** A record that was just written: `car 8412… created`, or the record. */
  written(view: View, record: Row, did: string): Promise<void>;
  /** Anything else: `value` for a script, `text` for a person (server text in it is made safe, styles are not: use `painted`). */
  value(value: unknown, text: string): Promise<void>;
  /** Like `value`, for text that this program styled and made safe itself. */
  painted(value: unknown, text: string): Promise<void>;
  /** The request that --dry-run keeps from being sent. */
  request(request: PlannedRequest): Promise<void>;
}

interface Options {
  io: Io;
  format: Format;
  paint: Paint;
  note: (text: string) => void;
  findLabels: FindLabels;
}

export function createOutput({ io, format, paint, note, findLabels }: Options): Output {
  const print = (text: string) => write(io.stdout, text);
  const width = io.stdoutIsTerminal ? (io.columns ?? 80) : undefined;

  async function painted(value: unknown, text: string): Promise<void> {
    if (format === 'json') return print(toJson(value));
    if (format === 'ndjson') return print((Array.isArray(value) ? value : [value]).map(toJsonLine).join(''));
    if (format === 'id' && typeof value === 'object' && value !== null)
      return print((Array.isArray(value) ? value : [value]).map(idLine).join(''));
    return print(text.endsWith('\n') || text === '' ? text : `${text}\n`);
  }

  async function list({ view, records, total, pastEnd }: List): Promise<void> {
    let count = 0;
    if (format === 'ndjson' || format === 'id') {
      for await (const record of records) {
        await print(format === 'id' ? idLine(record) : toJsonLine(record));
        count += 1;
      }
    } else {
      const rows: readonly Row[] = Symbol.asyncIterator in records ? await gather(records) : records;
      count = rows.length;
      if (format === 'json') await print(toJson(rows));
      else if (count > 0) {
        const { renderTable } = await import('./table.ts');
        const context = await cellContext(wantedBy(view, rows), findLabels);
        await print(renderTable({ columns: view.columns, rows, context, paint, width }));
      }
    }
    // A part must not pass for the whole, so this is said in a pipe too.
    if (total !== undefined && total > count)
      note(
        pastEnd && count === 0
          ? `Nothing on this page: there are ${counted(total, view.one, view.many)}.`
          : `${grouped(count)} of ${grouped(total)}; --all for the rest`,
      );
    else if (format === 'table')
      note(count > 0 ? counted(count, view.one, view.many) : [`No ${view.many}.`, view.emptyHint].filter(Boolean).join(' '));
  }

  return {
    format,
    list,
    painted,
    value: (value, text) => painted(value, sanitizeLines(text)),
    async record(record, references = {}) {
      if (format !== 'table') return painted(record, '');
      const { renderRecord } = await import('./record.ts');
      const wanted = new Map<string, Set<string>>();
      for (const [field, resource] of Object.entries(references)) want(wanted, resource, record[field]);
      await print(renderRecord({ row: record, context: await cellContext(wanted, findLabels), paint, references }));
    },
    async written(view, record, did) {
      if (format !== 'table') return painted(record, '');
      const title = sanitizeLines(view.title(record, await cellContext(new Map(), findLabels)));
      await print(`${sanitizeLines(`${view.one} ${record.id}`)} ${paint.good(did)}${title ? `  ${paint.dim(title)}` : ''}\n`);
    },
    request: (request) => painted({ dryRun: true, ...request, body: redact(request.body) }, requestText(request)),
  };
}

const idLine = (record: Row): string => `${sanitizeLines(String(record.id ?? record.name ?? JSON.stringify(record)))}\n`;

function wantedBy(view: View, rows: readonly Row[]): Map<string, Set<string>> {
  const wanted = new Map<string, Set<string>>();
  for (const { names } of view.columns)
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
