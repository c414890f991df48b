/** Records as a calm table: no borders, a dim header, never wider than the terminal. */

import Table, { type TableConstructorOptions } from 'cli-table3';
import { isPlain } from '../terminal/plain-width.ts';
import type { Styles } from '../terminal/style.ts';
import { breakWords } from '../terminal/text.ts';
import { type Fitted, filledColumn, fitColumns, gap } from './fit-columns.ts';
import { type CellContext, type Column, cellText, type Row } from './view.ts';
import { widthsFor } from './widths.ts';

export interface TableOptions {
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
  readonly context: CellContext;
  readonly styles: Styles;
  /** Available cells (default: no limit). */
  readonly width: number | undefined;
  /** The columns were named, so none is dropped while there is room. */
  readonly asked?: boolean;
  /** Receives the headers of named columns without room. */
  readonly onDropped?: (headers: readonly string[]) => void;
}

export async function renderTable({
  columns: all,
  rows,
  context,
  styles,
  width,
  asked = false,
  onDropped,
}: TableOptions): Promise<string> {
  const below = asked || width === undefined ? undefined : all.find((one) => one.below);
  const columns = all.filter((column) => column !== below);
  const texts = columns.map((column) => rows.map((row) => cellText(column.cell(row, context))));
  const { widthOf, cut } = await widthsFor([
    ...columns.map(({ header }) => header),
    ...texts.flat(),
  ]);
  const filled = columns.map((column, index) =>
    filledColumn(
      asked ? { ...column, droppable: undefined } : column,
      texts[index] as string[],
      widthOf,
    ),
  );
  // An empty column is dropped, unless it was named.
  const shown = fitColumns(
    filled.filter(({ empty }, index) => asked || index === 0 || !empty),
    width,
  );
  if (asked && shown.length < columns.length)
    onDropped?.(columns.slice(shown.length).map(({ header }) => header));
  const beside = besideTimes(shown, { rows, context, width });
  if (beside) shown.splice(beside.at, 0, beside.column);
  const padded = (text: string, { column, size }: Fitted, style = (plain: string) => plain) => {
    const space = ' '.repeat(Math.max(0, size - widthOf(text)));
    return column.align === 'right' ? space + style(text) : style(text) + space;
  };
  const head = shown.map((one) =>
    padded(cut(one.column.header.toUpperCase(), one.size), one, styles.dim),
  );
  const body = Array.from(rows.keys(), (index) =>
    shown.map(({ cells, size }) => cut(cells[index] as string, size)),
  );
  const styled = (row: readonly string[]) =>
    row.map((cell, index) => (shown[index] === beside?.column ? styles.dim(cell) : cell));
  const fixed = {
    colWidths: shown.map(({ size }) => size),
    colAligns: shown.map(({ column }) => column.align ?? ('left' as const)),
  };
  const lines = [...draw([head])];
  for (const part of batches(body))
    lines.push(
      ...(part.plain
        ? draw(part.rows.map(styled), fixed)
        : draw([
            styled(
              (part.rows[0] as string[]).map((cell, index) => padded(cell, shown[index] as Fitted)),
            ),
          ])),
    );
  const belowRow = (row: Row) =>
    breakWords(cellText(below?.cell(row, context)), (width ?? 0) - gap)
      .split('\n')
      .map((line) => `${' '.repeat(gap)}${styles.dim(line)}`);
  return lines
    .flatMap((line, at) => (below && at > 0 ? [line, ...belowRow(rows[at - 1] as Row)] : [line]))
    .map((line) => `${line.trimEnd()}\n`)
    .join('');
}

/**
 * How far the first near times of the table are away, for a terminal with room for it beside all
 * that is shown.
 */
function besideTimes(
  shown: readonly Fitted[],
  { rows, context, width }: Pick<TableOptions, 'rows' | 'context' | 'width'>,
): { readonly at: number; readonly column: Fitted } | undefined {
  if (width === undefined) return undefined;
  const distances = shown.map(({ column: { moment } }) =>
    rows.map((row) => (moment ? context.relativeTime(moment(row)) : '')),
  );
  const first = distances.findIndex((cells) => cells.some((text) => text !== ''));
  if (first < 0) return undefined;
  const column = filledColumn(
    { header: '', cell: () => '' },
    distances[first] as string[],
    (text) => text.length,
  );
  const taken = shown.reduce((sum, { size }) => sum + size + gap, 0);
  return taken + column.widest <= width
    ? { at: first + 1, column: { ...column, size: column.widest } }
    : undefined;
}

/** Rows per cli-table3 table: it compares each row with all rows above it. */
const maxRows = 100;

/**
 * Batches of plain rows. cli-table3 measures other text differently (combining marks, joined
 * emoji), so a row with such text is drawn alone and padded beforehand, and cli-table3 has nothing
 * to cut or pad.
 */
function* batches(
  rows: readonly string[][],
): Generator<{ readonly plain: boolean; readonly rows: readonly string[][] }> {
  let plain: string[][] = [];
  for (const row of rows) {
    const isOther = !row.every(isPlain);
    if (plain.length > 0 && (isOther || plain.length === maxRows)) {
      yield { plain: true, rows: plain };
      plain = [];
    }
    if (isOther) yield { plain: false, rows: [row] };
    else plain.push(row);
  }
  if (plain.length > 0) yield { plain: true, rows: plain };
}

/** No borders, only a gap between the columns. */
const chars: TableConstructorOptions['chars'] = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: ' '.repeat(gap),
};

function draw(
  rows: readonly string[][],
  sizes: Pick<TableConstructorOptions, 'colWidths' | 'colAligns'> = {},
): string[] {
  // cli-table3 writes into its options.
  const { colWidths = [], colAligns = [] } = sizes;
  const table = new Table({
    chars,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0, compact: true },
    colWidths: [...colWidths],
    colAligns: [...colAligns],
  });
  table.push(...rows.map((row) => [...row]));
  return table.toString().split('\n');
}
