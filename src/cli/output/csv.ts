/** Comma-separated values (RFC 4180), and the same with tabs. */
import { stringify } from 'csv-stringify/sync';
import { sanitize } from '../terminal/text.ts';
import { isObject, itemsOf, type RecordFormat } from './format.ts';
import { guarded, otherSeparators } from './formula.ts';
import { fieldNames } from './pick.ts';
import type { CellContext, Column, Row } from './view.ts';

const dialects = {
  csv: { delimiter: ',', lineEnd: '\r\n' },
  tsv: { delimiter: '\t', lineEnd: '\n' },
} as const;

const lines = (records: string[][], delimiter: string, lineEnd: string): string =>
  stringify(records, {
    delimiter,
    record_delimiter: lineEnd,
    quote_record_delimiter: true,
    // A single empty cell would be an empty line, which many readers skip.
    quoted_match:
      records[0]?.length === 1 ? new RegExp(`^$|${otherSeparators.source}`) : otherSeparators,
  });

export interface CsvOptions {
  readonly dialect: keyof typeof dialects;
  /** Known before the first record (default: the fields of the first records). */
  readonly columns: readonly Column[] | undefined;
  /** The fields of a whole record, the columns of a single one. */
  readonly fields: readonly string[] | undefined;
  readonly fieldColumn: (name: string) => Column;
  readonly context: (rows: readonly Row[], columns: readonly Column[]) => Promise<CellContext>;
  /** Marks formulas as text, so that a spreadsheet doesn't compute them. */
  readonly guard: boolean;
  /** For a terminal: control characters and line breaks in cells are shown as signs. */
  readonly safe: boolean;
}

export function csvFormat({
  dialect,
  columns: asked,
  fields,
  fieldColumn,
  context,
  guard,
  safe,
}: CsvOptions): RecordFormat {
  const { delimiter, lineEnd } = dialects[dialect];
  const written = (records: string[][]) => {
    if (!safe) return lines(records, delimiter, lineEnd);
    const sanitized = records.map((cells) => cells.map((cell) => sanitize(cell)));
    return lines(sanitized, delimiter, '\n');
  };
  let columns = asked ?? fields?.map(fieldColumn);
  let headWritten = false;

  function head(): string {
    if (headWritten) return '';
    headWritten = true;
    return columns && columns.length > 0
      ? written([columns.map(({ header }) => cellOf(header, guard))])
      : '';
  }

  async function records(rows: readonly Row[]): Promise<string> {
    columns ??= fieldNames(rows).map(fieldColumn);
    const shown = columns;
    const cells = await context(rows, shown);
    return (
      head() +
      written(rows.map((row) => shown.map((column) => cellOf(column.cell(row, cells), guard))))
    );
  }

  return {
    records,
    end: head,
    async one(value) {
      const rows = itemsOf(value).map((item) => (isObject(item) ? item : { value: item }));
      // Results of writes have columns of their own.
      const whole = rows.every((row) =>
        fields?.some((name) => name !== 'id' && Object.hasOwn(row, name)),
      );
      if (!asked && !whole) columns = fieldNames(rows).map(fieldColumn);
      return (await records(rows)) + head();
    },
  };
}

function cellOf(value: unknown, guard: boolean): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return guard ? guarded(value) : value;
  // No other character starts a formula.
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
