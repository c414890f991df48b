/**
 * Columns by name: `--columns plate,status,customerId`. A name means a column of the table, or a
 * field of the record.
 */
import type { Names } from './format.ts';
import { isFailure, unknownName, valueAt } from './pick.ts';
import { type CellContext, type Column, columnName, dashed, type Row, type View } from './view.ts';

/**
 * Where a name is both, a table takes its column; csv and tsv take the field, with the server's
 * value.
 */
export type Preference = 'column' | 'field';

/**
 * The named columns, in order. Exit 2 for an unknown name; without known fields every name is
 * valid.
 */
export function columnsNamed(wanted: Names, view: View, prefer: Preference): Column[] {
  return wanted.value.map((name) => {
    const column = view.columns.find(({ header }) => same(header, name));
    const field = isField(view, name) ? fieldColumn(name) : undefined;
    const found = prefer === 'column' ? (column ?? field) : (field ?? column);
    if (found) return found;
    const known = [...new Set([...view.columns.map(columnName), ...(view.fields ?? [])])];
    throw unknownName({ name, origin: wanted.origin, known, what: `a column of ${view.many}` });
  });
}

const isField = ({ fields }: View, name: string): boolean =>
  fields === undefined || fields.includes(name) || fields.includes(name.split('.')[0] as string);

export const fieldColumn = (name: string): Column => ({
  header: name,
  cell: (row: Row, _context: CellContext) => valueAt(row, name),
});

/** For a list with failures: the last column has the reason. */
export function withFailures(columns: readonly Column[]): Column[] {
  const own = columns.find(isReason);
  return [...columns.filter((column) => column !== own), reasonOf(own)];
}

/** The same for columns that were named: the reason is shown where `error` is one of them. */
export const withNamedFailures = (columns: readonly Column[]): Column[] =>
  columns.map((column) => (isReason(column) ? reasonOf(column) : column));

const isReason = ({ header }: Column): boolean => header === 'error';

function reasonOf(own: Column | undefined): Column {
  return {
    header: 'error',
    cell: (row, context) =>
      isFailure(row) ? `${row.error.code}: ${row.error.message}` : own?.cell(row, context),
  };
}

const same = (header: string, name: string): boolean =>
  dashed(header) === dashed(name).replaceAll('_', '-');
