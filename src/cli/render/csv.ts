/** Comma separated values as RFC 4180 has them, and values separated by tabs, a record a line. */
import { sanitize } from '../text.ts';
import { isObject, itemsOf, type RecordFormat } from './format.ts';
import { namesIn } from './pick.ts';
import type { CellContext, Column, Row } from './view.ts';

interface Dialect {
  readonly separator: string;
  readonly lineEnd: string;
  readonly quote: (cell: string) => string;
  readonly empty: string;
}

const signs: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

export const dialects = {
  csv: {
    separator: ',',
    lineEnd: '\r\n',
    quote: (cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell),
    empty: '""',
  },
  // Written with a backslash, as jq and the tools of databases do, so that a line is a record for `cut` and `awk`.
  tsv: {
    separator: '\t',
    lineEnd: '\n',
    quote: (cell) => cell.replace(/[\\\t\n\r]/g, (character) => signs[character] as string),
    empty: '',
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
  const { separator, lineEnd, quote, empty } = dialects[dialect];
  // A record whose only cell is empty would be an empty line, which many readers skip.
  const cellText = (cell: string) => quote(safe ? sanitize(cell) : cell);
  const line = (cells: readonly string[]) => (cells.map(cellText).join(separator) || empty) + (safe ? '\n' : lineEnd);
  let columns = asked ?? fields?.map(fieldColumn);
  let begun = false;

  function head(): string {
    if (begun) return '';
    begun = true;
    return columns && columns.length > 0 ? line(columns.map(({ header }) => harmless(header))) : '';
  }

  async function records(rows: readonly Row[]): Promise<string> {
    if (rows.length === 0) return '';
    columns ??= namesIn(rows).map(fieldColumn);
    const shown = columns;
    const cells = await context(rows, shown);
    let text = head();
    for (const row of rows) text += line(shown.map((column) => cellOf(column.cell(row, cells))));
    return text;
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
