/** Every output format, in the order of `--help`. A new one is an entry of the list. */
import { sanitize } from '../terminal/text.ts';
import {
  type FormatOptions,
  isObject,
  itemsOf,
  type OutputFormat,
  type RecordFormat,
} from './format.ts';
import { jsonFormat, ndjsonFormat } from './json.ts';
import { fieldNames, selectFields } from './pick.ts';
import type { Row } from './view.ts';

const all = [
  {
    name: 'table',
    about: 'the most important columns, fitted to the terminal; names instead of ids',
    forPeople: true,
    columns: 'column',
    open: openTable,
  },
  {
    name: 'json',
    about: 'one document: an array for a list, an object for one record',
    json: true,
    open: ({ fields, jq, failures }) =>
      selectFields(fields, jq ? jq.document() : jsonFormat(), failures),
  },
  {
    name: 'ndjson',
    about: 'one record per line, written as they arrive, for any number of records',
    json: true,
    open: ({ fields, jq, failures }) =>
      selectFields(fields, jq ? jq.perRecord() : ndjsonFormat(), failures),
  },
  {
    name: 'csv',
    about:
      'one column per field, for spreadsheets; text that a spreadsheet would run gets an apostrophe',
    columns: 'field',
    open: (options) => openSeparated('csv', options),
  },
  {
    name: 'tsv',
    about: 'the same with tabs, without the apostrophes',
    columns: 'field',
    open: (options) => openSeparated('tsv', options),
  },
  {
    name: 'yaml',
    about: 'the records as YAML',
    open: async ({ toTerminal }) => (await import('./yaml.ts')).yamlFormat({ safe: toTerminal }),
  },
  {
    name: 'id',
    about: 'one id per line, for --ids - of the next command',
    open: () => perItem(idLine),
  },
] as const satisfies readonly OutputFormat[];

export type Format = (typeof all)[number]['name'];
export const formats: readonly (OutputFormat & { readonly name: Format })[] = all;

export const formatOf = (name: Format): OutputFormat =>
  formats.find((format) => format.name === name) as OutputFormat;
export const formatNames: readonly Format[] = formats.map(({ name }) => name);
export const isForPeople = (name: Format): boolean => formatOf(name).forPeople ?? false;
export const isJsonFormat = (name: Format): boolean => formatOf(name).json ?? false;
/** Formats that show a record as cells, by column of the table or by field. */
export const hasColumns = (name: Format): boolean => formatOf(name).columns !== undefined;
export const hasFieldColumns = (name: Format): boolean => formatOf(name).columns === 'field';
/** Those that take --columns. */
export const columnFormats: readonly Format[] = formats
  .filter(({ columns }) => columns)
  .map(({ name }) => name);

function perItem(line: (item: unknown) => string): RecordFormat {
  const lines = (items: readonly unknown[]) => items.map(line).join('');
  return { records: lines, end: () => '', one: (value) => lines(itemsOf(value)) };
}

const idLine = (item: unknown): string =>
  `${sanitize(String(isObject(item) ? (item.id ?? item.name ?? JSON.stringify(item)) : item))}\n`;

/** Collects all rows, since the widest cell sets the width of a column. */
async function openTable({
  view,
  columns: named,
  styles,
  width,
  context,
  note,
}: FormatOptions): Promise<RecordFormat> {
  const [{ renderTable }, { columnsNamed, fieldColumn }] = await Promise.all([
    import('./table.ts'),
    import('./columns.ts'),
  ]);
  const asked = named && columnsNamed(named, view, 'column');
  const rows: Row[] = [];
  const onDropped = (headers: readonly string[]) =>
    note(`Too narrow for: ${headers.join(', ')}; -o csv has every column.`);
  return {
    records(more) {
      for (const row of more) rows.push(row);
      return '';
    },
    async end() {
      if (rows.length === 0) return '';
      const columns =
        asked ?? (view.columns.length > 0 ? view.columns : fieldNames(rows).map(fieldColumn));
      const cells = await context(rows, columns);
      const isAsked = asked !== undefined;
      return renderTable({
        columns,
        rows,
        context: cells,
        styles,
        width,
        asked: isAsked,
        onDropped,
      });
    },
    // Commands print other results as text.
    one: () => '',
  };
}

async function openSeparated(
  dialect: 'csv' | 'tsv',
  { columns: asked, view, failures, context, csvRaw, toTerminal }: FormatOptions,
): Promise<RecordFormat> {
  const [{ csvFormat }, { columnsNamed, fieldColumn, withFailures, withNamedFailures }] =
    await Promise.all([import('./csv.ts'), import('./columns.ts')]);
  const named = asked && columnsNamed(asked, view, 'field');
  const whole = failures && view.fields && withFailures(view.fields.map(fieldColumn));
  return csvFormat({
    dialect,
    columns: named ? (failures ? withNamedFailures(named) : named) : whole,
    fields: view.fields,
    fieldColumn,
    context,
    guard: dialect === 'csv' && !csvRaw,
    safe: toTerminal,
  });
}
