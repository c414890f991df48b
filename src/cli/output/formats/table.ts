import type { FormatOptions, OutputFormat, RecordFormat } from '../format.ts';
import { fieldNames } from '../pick.ts';
import type { Row } from '../view.ts';

export const table = {
  name: 'table',
  about: 'the most important columns, fitted to the terminal; names instead of ids',
  forPeople: true,
  columns: 'column',
  open,
} as const satisfies OutputFormat;

/** Collects all rows, since the widest cell sets the width of a column. */
async function open({
  view,
  columns: named,
  styles,
  width,
  context,
  note,
}: FormatOptions): Promise<RecordFormat> {
  const [{ renderTable }, { columnsNamed, fieldColumn }] = await Promise.all([
    import('../table.ts'),
    import('../columns.ts'),
  ]);
  const asked = named && columnsNamed(named, view, 'column');
  const all: Row[] = [];
  const onDropped = (headers: readonly string[]) =>
    note(`Too narrow for: ${headers.join(', ')}; -o csv has every column.`);
  return {
    records(rows) {
      for (const row of rows) all.push(row);
      return '';
    },
    async end() {
      if (all.length === 0) return '';
      const columns =
        asked ?? (view.columns.length > 0 ? view.columns : fieldNames(all).map(fieldColumn));
      const cells = await context(all, columns);
      return renderTable({
        columns,
        rows: all,
        context: cells,
        styles,
        width,
        asked: asked !== undefined,
        onDropped,
      });
    },
    // Commands print other results as text.
    one: () => '',
  };
}
