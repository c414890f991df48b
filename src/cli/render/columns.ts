/** Columns by name: `--columns plate,status,customerId`. A name is a column of the table, or a field of the record. */
import type { Setting } from '../settings/settings.ts';
import { unknownName, valueAt } from './pick.ts';
import type { CellContext, Column, Row, View } from './view.ts';

/** Where a name is both, a table takes its column and csv and tsv take the field, which is the value as the server has it. */
export type Preference = 'column' | 'field';

/** The columns that the names mean, in their order. Exit 2 for one that means nothing; without known fields any name is one. */
export function columnsNamed(wanted: Setting<readonly string[]>, view: View, prefer: Preference): Column[] {
  return wanted.value.map((name) => {
    const column = view.columns.find(({ header }) => same(header, name));
    const field = isField(view, name) ? fieldColumn(name) : undefined;
    const found = prefer === 'column' ? (column ?? field) : (field ?? column);
    if (found) return found;
    const known = [...new Set([...view.columns.map(({ header }) => dashed(header)), ...(view.fields ?? [])])];
    throw unknownName({ name, origin: wanted.origin, known, what: `a column of ${view.many}` });
  });
}

const isField = ({ fields }: View, name: string): boolean =>
  fields === undefined || fields.includes(name) || fields.includes(name.split('.')[0] as string);

export const fieldColumn = (name: string): Column => ({ header: name, cell: (row: Row, _context: CellContext) => valueAt(row, name) });

/** `places left` is also `places-left` and `Places Left`. */
const dashed = (header: string): string => header.toLowerCase().replaceAll(' ', '-');
const same = (header: string, name: string): boolean => dashed(header) === dashed(name).replaceAll('_', '-');
