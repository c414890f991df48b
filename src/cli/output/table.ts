/** Records as a calm table: no borders, a dim header, never wider than the terminal. */

import Table, { type TableConstructorOptions } from 'cli-table3';
import { isPlain, type Widths } from '../terminal/plain-width.ts';
import type { Styles } from '../terminal/style.ts';
import { type CellContext, type Column, cellText, type Row } from './view.ts';
import { widthsFor } from './widths.ts';

const gap = 2;
/** The width that columns keep before a droppable one is dropped. */
const readableWidth = 22;
const minWidth = 6;

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
  columns,
  rows,
  context,
  styles,
  width,
  asked = false,
  onDropped,
}: TableOptions): Promise<string> {
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
  return lines.map((line) => `${line.trimEnd()}\n`).join('');
}

/** How far the first near times of the table are away, for a terminal with room for it beside all that is shown. */
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
 * Batches of plain rows. cli-table3 measures other text differently (combining marks, joined emoji), so a row with such text is drawn
 * alone and padded beforehand, and cli-table3 has nothing to cut or pad.
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
  ...{
    top: '',
    'top-mid': '',
    'top-left': '',
    'top-right': '',
    bottom: '',
    'bottom-mid': '',
    'bottom-left': '',
    'bottom-right': '',
  },
  ...{
    left: '',
    'left-mid': '',
    mid: '',
    'mid-mid': '',
    right: '',
    'right-mid': '',
    middle: ' '.repeat(gap),
  },
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

interface Filled {
  readonly column: Column;
  readonly cells: readonly string[];
  readonly empty: boolean;
  /** Cells of the widest text. */
  readonly widest: number;
}

type Fitted = Filled & { size: number };

function filledColumn(
  column: Column,
  cells: readonly string[],
  widthOf: Widths['widthOf'],
): Filled {
  const widest = cells.reduce((most, cell) => Math.max(most, widthOf(cell)), 0);
  return { column, cells, empty: widest === 0, widest: Math.max(widest, widthOf(column.header)) };
}

function fitColumns(columns: readonly Filled[], width: number | undefined): Fitted[] {
  const sized = columns.map((item): Fitted => ({ ...item, size: item.widest }));
  if (width === undefined) return sized;
  const gaps = () => gap * (sized.length - 1);
  const total = () => sized.reduce((sum, { size }) => sum + size, 0) + gaps();
  const least = () =>
    sized.reduce(
      (sum, { column, size }) => sum + (column.neverCut ? size : Math.min(size, readableWidth)),
      0,
    ) + gaps();
  while (least() > width && sized.length > 1) {
    const last = sized.findLastIndex(({ column }) => column.droppable);
    if (last < 0) break;
    sized.splice(last, 1);
  }
  // A missing column is better than half an id or an unreadable stump.
  const floor = ({ column, size }: Fitted) =>
    column.neverCut ? size : Math.min(size, column.minCells ?? minWidth);
  const needed = () => sized.reduce((sum, item) => sum + floor(item), 0) + gaps();
  while (needed() > width && sized.length > 1) {
    const last = sized.findLastIndex(
      ({ column }, index) => index > 0 && column.minCells === undefined,
    );
    sized.splice(last, 1);
  }
  narrow(sized, total() - width, floor);
  narrow(sized, total() - width, () => 1);
  return sized;
}

/** Removes `excess` cells, from the widest column first: short texts mostly identify the record. */
function narrow(columns: Fitted[], excess: number, floor: (column: Fitted) => number): void {
  for (let left = excess; left > 0; left -= 1) {
    const cuttable = columns.filter((column) => column.size > floor(column));
    if (cuttable.length === 0) return;
    const widest = cuttable.reduce((a, b) => (b.size > a.size ? b : a));
    widest.size -= 1;
  }
}
