/** A table that becomes a list of cards on a narrow screen. Its roles are said, since other boxes than those of a table lose them. */
import type { VNode } from 'preact';
import { type Child, h } from '../h.ts';

export interface Column<T> {
  readonly title: string;
  readonly cell: (row: T) => Child;
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

const classOf = <T>({ isNumber, isTight, isName, isOffPaper }: Column<T>) =>
  [isNumber && 'number', isTight && 'tight', isName && 'name', isOffPaper && 'off-paper']
    .filter(Boolean)
    .join(' ');

export function Table<T>({ caption, columns, rows, keyOf }: TableProps<T>): VNode {
  return h(
    'table',
    { class: 'table', role: 'table' },
    h('caption', { class: 'hidden' }, caption),
    h(
      'thead',
      { role: 'rowgroup' },
      h(
        'tr',
        { role: 'row' },
        ...columns.map((column) =>
          h('th', { scope: 'col', role: 'columnheader', class: classOf(column) }, column.title),
        ),
      ),
    ),
    h(
      'tbody',
      { role: 'rowgroup' },
      ...rows.map((row) =>
        h(
          'tr',
          { key: keyOf(row), role: 'row' },
          ...columns.map((column, index) =>
            index === 0
              ? h(
                  'th',
                  { scope: 'row', role: 'rowheader', class: classOf(column) },
                  column.cell(row),
                )
              : h(
                  'td',
                  { role: 'cell', class: classOf(column), 'data-title': column.title },
                  h('div', null, column.cell(row)),
                ),
          ),
        ),
      ),
    ),
  );
}
