/** Comma separated values as RFC 4180 has them, and values separated by tabs, a record a line. */
import { stringify } from 'csv-stringify/sync';
import { sanitize } from '../terminal/text.ts';
import { isObject, itemsOf, type RecordFormat } from './format.ts';
import { namesIn } from './pick.ts';
import type { CellContext, Column, Row } from './view.ts';

interface Dialect {
  readonly lineEnd: string;
  readonly lines: (records: string[][], lineEnd: string) => string;
}

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };
const escaped = (cell: string) => cell.replace(/[\\\t\n\r]/g, (character) => escapes[character] as string);

const dialects = {
  csv: {
    lineEnd: '\r\n',
    lines: (records, lineEnd) =>
      // A record whose only cell is empty would be an empty line, which many readers skip.
      stringify(records, {
        record_delimiter: lineEnd,
        quote_record_delimiter: true,
        ...(records[0]?.length === 1 && { quoted_match: /^$/ }),
      }),
  },
  // Escaped with a backslash, as jq and the tools of databases do, so that a line is a record for `cut` and `awk`.
  tsv: {
    lineEnd: '\n',
    lines: (records, lineEnd) => records.map((cells) => cells.map(escaped).join('\t') + lineEnd).join(''),
  },
} as const satisfies Record<string, Dialect>;

export interface CsvOptions {
  readonly dialect: keyof typeof dialects;
  /** Known before the first record comes; without them they are the fields that the first records have. */
  readonly columns: readonly Column[] | undefined;
  /** The fields that a whole record has: the columns of a single one. */
  readonly fields: readonly string[] | undefined;
  readonly fieldColumn: (name: string) => Column;
  readonly context: (rows: readonly Row[], columns: readonly Column[]) => Promise<CellContext>;
  /** Control characters and line breaks in cells are shown as signs: what is written goes to a terminal. */
  readonly safe: boolean;
}

export function csvFormat({ dialect, columns: asked, fields, fieldColumn, context, safe }: CsvOptions): RecordFormat {
  const { lines, lineEnd } = dialects[dialect];
  const written = (records: string[][]) => {
    if (!safe) return lines(records, lineEnd);
    const sanitized = records.map((cells) => cells.map((cell) => sanitize(cell)));
    return lines(sanitized, '\n');
  };
  let columns = asked ?? fields?.map(fieldColumn);
  let begun = false;

  function head(): string {
    if (begun) return '';
    begun = true;
    return columns && columns.length > 0 ? written([columns.map(({ header }) => harmless(header))]) : '';
  }

  async function records(rows: readonly Row[]): Promise<string> {
    if (rows.length === 0) return '';
    columns ??= namesIn(rows).map(fieldColumn);
    const shown = columns;
    const cells = await context(rows, shown);
    return head() + written(rows.map((row) => shown.map((column) => cellOf(column.cell(row, cells)))));
  }

  return {
    records,
    end: head,
    async one(value) {
      const rows = itemsOf(value).map((item) => (isObject(item) ? item : { value: item }));
      // What became of a record is not the record: it has columns of its own.
      const whole = rows.every((row) => fields?.some((name) => name !== 'id' && Object.hasOwn(row, name)));
      if (!asked && !whole) columns = namesIn(rows).map(fieldColumn);
      return (await records(rows)) + head();
    },
  };
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return harmless(value);
  // Nothing else can begin a formula.
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

const plainNumber = /^[+-]?\d+([.,]\d+)?(e[+-]?\d+)?$/i;

/**
 * Text that a spreadsheet would take for a formula gets an apostrophe in front, which says that it is text; a number with a sign is
 * no formula. After https://owasp.org/www-community/attacks/CSV_Injection.
 */
function harmless(text: string): string {
  return /^\s*[=+\-@＝＋－＠]/.test(text) && !plainNumber.test(text) ? `'${text}` : /^[\t\r\n]/.test(text) ? `'${text}` : text;
}
