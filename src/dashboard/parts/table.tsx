/** A table that becomes a list of cards on a narrow screen. Its roles are said, since other boxes than those of a table lose them. */
import type { ComponentChildren, VNode } from 'preact';

export interface Column<T> {
  readonly title: string;
  readonly cell: (row: T) => ComponentChildren;
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

export function Table<T>({ caption, columns, rows, keyOf }: TableProps<T>): VNode {
  return (
    <table class="table" role="table">
      <caption class="hidden">{caption}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map((column) => (
            <th scope="col" role="columnheader" class={classOf(column)}>
              {column.title}
            </th>
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
