/**
 * Records as an .xlsx file: a column per field, times as dates of this machine's time zone. Written
 * row by row, for any number of records.
 */
import type { CellValue } from 'hucre/xlsx';

/** How a field is shown; other fields are text. */
export type CellKind = 'boolean' | 'integer' | 'timestamp' | 'json' | 'text';

export interface XlsxColumn {
  readonly name: string;
  readonly kind: CellKind;
}

/** With milliseconds, so that a file that goes back by `cs import` changes nothing. */
const timeFormat = 'yyyy-mm-dd hh:mm:ss.000';

export async function* writeXlsx(
  sheet: string,
  columns: readonly XlsxColumn[],
  rows: AsyncIterable<readonly unknown[]>,
): AsyncGenerator<Uint8Array, void> {
  const { writeXlsxStream } = await import('hucre/xlsx');
  async function* cells(): AsyncGenerator<CellValue[], void> {
    for await (const row of rows)
      yield row.map((value, index) => cellOf(value, columns[index]?.kind ?? 'text'));
  }
  const written = writeXlsxStream(cells(), {
    name: sheet,
    columns: columns.map(({ name, kind }) =>
      kind === 'timestamp' ? { header: name, numFmt: timeFormat, width: 24 } : { header: name },
    ),
    freezePane: { rows: 1 },
  });
  yield* written;
}

function cellOf(value: unknown, kind: CellKind): CellValue {
  if (value === null || value === undefined) return null;
  if (typeof value === 'boolean') return value;
  // A spreadsheet keeps 15 digits.
  if (typeof value === 'number') return Math.abs(value) < 1e15 ? value : String(value);
  if (typeof value !== 'string') return literal(JSON.stringify(value));
  return kind === 'timestamp' ? timeOf(value) : literal(value);
}

/**
 * The library writes strings as text, never as formulas. A text such as `_x0041_` would be read as
 * the character A.
 */
export const literal = (text: string): string => text.replace(/_x(?=[0-9A-Fa-f]{4}_)/g, '_x005F_x');

/**
 * The digits of the local time. In the hour that the clock repeats in autumn they name two times,
 * so that one stays text.
 */
function timeOf(text: string): CellValue {
  const time = new Date(text);
  const parts = [
    time.getFullYear(),
    time.getMonth(),
    time.getDate(),
    time.getHours(),
    time.getMinutes(),
    time.getSeconds(),
  ] as const;
  const isUnique = new Date(...parts, time.getMilliseconds()).getTime() === time.getTime();
  const isInSpreadsheets = time.getFullYear() >= 1901;
  return isUnique && isInSpreadsheets ? new Date(Date.UTC(...parts, time.getMilliseconds())) : text;
}
