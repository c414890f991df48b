/**
 * A table that becomes a list of cards on a narrow screen. Its roles are said, since other boxes than those of a table lose them. The
 * column that it is sorted by is in the address.
 */
import type { ComponentChildren } from 'preact';
import { asked, withQuery } from '../router.ts';

export interface Column<T> {
  readonly title: string;
  readonly cell: (row: T) => ComponentChildren;
  /** The table can be sorted by it, and a CSV file has it. */
  readonly value?: ((row: T) => string | number) | undefined;
  /** Numbers are aligned at their end. */
  readonly isNumber?: boolean;
  /** Short texts such as times stay on one line. */
  readonly isTight?: boolean;
  /** Names and e-mail addresses have room for most of them. */
  readonly isName?: boolean;
  readonly isOffPaper?: boolean;
}

interface TableProps<T> {
  /** For screen readers. */
  readonly caption: string;
  /** The first one names the row. */
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly keyOf: (row: T) => string;
}

const classOf = <T,>({ isNumber, isTight, isName, isOffPaper }: Column<T>) =>
  [isNumber && 'number', isTight && 'tight', isName && 'name', isOffPaper && 'off-paper']
    .filter(Boolean)
    .join(' ');

const order = new Intl.Collator(undefined, { numeric: true });

/** The rows as the address asks: `sort=Owner`, or `sort=-Owner` from the last to the first. Rows without a value come last. */
export function sortedRows<T>(columns: readonly Column<T>[], rows: readonly T[]): readonly T[] {
  const [, isDown, name] = /^(-?)(.*)$/.exec(asked('sort')) ?? [];
  const valueIn = columns.find(({ title }) => title === name)?.value;
  if (!valueIn) return rows;
  const compare = (a: string | number, b: string | number) =>
    typeof a === 'number' && typeof b === 'number' ? a - b : order.compare(String(a), String(b));
  return rows.toSorted((one, other) => {
    const [a, b] = [valueIn(one), valueIn(other)];
    if (a === '' || b === '') return Number(a === '') - Number(b === '');
    return isDown ? compare(b, a) : compare(a, b);
  });
}

/** The columns with values, with their heads. */
export const csvOf = <T,>(columns: readonly Column<T>[], rows: readonly T[]): CsvRow[] => [
  columns.flatMap(({ title, value }) => (value ? [title] : [])),
  ...rows.map((row) => columns.flatMap(({ value }) => (value ? [value(row)] : []))),
];

function Head<T>({ column }: { readonly column: Column<T> }) {
  const { title, value } = column;
  const sort = asked('sort');
  const [isUp, isDown] = [sort === title, sort === `-${title}`];
  return (
    <th
      scope="col"
      role="columnheader"
      class={classOf(column)}
      aria-sort={isUp ? 'ascending' : isDown ? 'descending' : undefined}
    >
      {value ? (
        <a href={withQuery({ sort: isUp ? `-${title}` : isDown ? undefined : title })}>{title}</a>
      ) : (
        title
      )}
    </th>
  );
}

export function Table<T>({ caption, columns, rows, keyOf }: TableProps<T>) {
  return (
    <table class="table" role="table">
      <caption class="hidden">{caption}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map((column) => (
            <Head key={column.title} column={column} />
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row) => (
          <tr key={keyOf(row)} role="row">
            {columns.map((column, index) =>
              index === 0 ? (
                <th scope="row" role="rowheader" class={classOf(column)}>
                  {column.cell(row)}
                </th>
              ) : (
                <td role="cell" class={classOf(column)} data-title={column.title}>
                  <div>{column.cell(row)}</div>
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A row of a file for a spreadsheet. */
export type CsvRow = readonly (string | number)[];

/** A cell that a spreadsheet would take for a formula stays text. */
const cell = (value: string | number) =>
  typeof value === 'number'
    ? String(value)
    : `"${value.replace(/^([=+\-@\t\r])/, "'$1").replaceAll('"', '""')}"`;

/** Rows with their heads. */
export function downloadCsv(filename: string, rows: readonly CsvRow[]): void {
  const url = URL.createObjectURL(
    new Blob([rows.map((row) => `${row.map(cell).join()}\r\n`).join('')], { type: 'text/csv' }),
  );
  const link = document.createElement('a');
  link.href = url;
  link.download = filename;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
