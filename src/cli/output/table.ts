/** Records as a calm table: no borders, a dim header, never wider than the terminal. */

import type { Widths } from '../terminal/plain-width.ts';
import type { Paint } from '../terminal/style.ts';
import { sanitize } from '../terminal/text.ts';
import type { CellContext, Column, Row } from './view.ts';
import { widthsFor } from './widths.ts';

const gap = 2;
/** Cells that a column keeps before a spare one has to go. */
const readable = 22;
const smallest = 6;

export interface TableOptions {
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
  readonly context: CellContext;
  readonly paint: Paint;
  /** Cells available; `undefined` for as many as it takes. */
  readonly width: number | undefined;
  /** The columns were named one by one: none is left out as long as there is a cell for it. */
  readonly asked?: boolean;
  /** Told of the headers of columns that were named and did not fit. */
  readonly leftOut?: (headers: readonly string[]) => void;
}

export async function renderTable({ columns, rows, context, paint, width, asked = false, leftOut }: TableOptions): Promise<string> {
  const texts = columns.map((column) => rows.map((row) => cellText(column.cell(row, context))));
  const { widthOf, cut, pad } = await widthsFor([...columns.map(({ header }) => header), ...texts.flat()]);
  const filled = columns.map((column, index) =>
    filledColumn(asked ? { ...column, spare: undefined } : column, texts[index] as string[], widthOf),
  );
  // A column in which nothing stands says nothing, unless it was asked for.
  const shown = fitColumns(
    filled.filter(({ empty }, index) => asked || index === 0 || !empty),
    width,
  );
  if (asked && shown.length < columns.length) leftOut?.(columns.slice(shown.length).map(({ header }) => header));
  const between = ' '.repeat(gap);
  const line = (cells: string[]) => `${cells.join(between).trimEnd()}\n`;
  const lines = [
    line(
      shown.map(({ column, size }, index) => {
        const header = cut(column.header.toUpperCase(), size);
        // Styled apart from its space, so that the line can be trimmed.
        const space = pad('', size - widthOf(header));
        if (column.align === 'right') return space + paint.dim(header);
        return paint.dim(header) + (index === shown.length - 1 ? '' : space);
      }),
    ),
  ];
  for (const index of rows.keys())
    lines.push(line(shown.map(({ column, cells, size }) => pad(cut(cells[index] as string, size), size, column.align))));
  return lines.join('');
}

export function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.map(cellText).join(', ');
  if (typeof value === 'object') return sanitize(JSON.stringify(value));
  // A line break in a cell would break the row.
  return sanitize(
    String(value)
      .replace(/\s*[\r\n]+\s*/g, ' ')
      .trim(),
  );
}

interface Filled {
  readonly column: Column;
  readonly cells: readonly string[];
  readonly empty: boolean;
  /** Cells that the widest text takes. */
  readonly widest: number;
}

type Fitted = Filled & { size: number };

function filledColumn(column: Column, cells: readonly string[], widthOf: Widths['widthOf']): Filled {
  const widest = cells.reduce((most, cell) => Math.max(most, widthOf(cell)), 0);
  return { column, cells, empty: widest === 0, widest: Math.max(widest, widthOf(column.header)) };
}

function fitColumns(columns: readonly Filled[], width: number | undefined): Fitted[] {
  const sized = columns.map((item): Fitted => ({ ...item, size: item.widest }));
  if (width === undefined) return sized;
  const gaps = () => gap * (sized.length - 1);
  const total = () => sized.reduce((sum, { size }) => sum + size, 0) + gaps();
  const least = () => sized.reduce((sum, { column, size }) => sum + (column.whole ? size : Math.min(size, readable)), 0) + gaps();
  while (least() > width && sized.length > 1) {
    const spare = sized.findLastIndex(({ column }) => column.spare);
    if (spare < 0) break;
    sized.splice(spare, 1);
  }
  // Half an id, and less of a word than can be read, are worse than a column less.
  const floor = ({ column, size }: Fitted) => (column.whole ? size : Math.min(size, column.keep ?? smallest));
  const needed = () => sized.reduce((sum, item) => sum + floor(item), 0) + gaps();
  while (needed() > width && sized.length > 1) {
    const last = sized.findLastIndex(({ column }, index) => index > 0 && column.keep === undefined);
    sized.splice(last, 1);
  }
  narrow(sized, total() - width, floor);
  narrow(sized, total() - width, () => 1);
  return sized;
}

/** Takes `excess` cells away, from the widest first: what is short is mostly what identifies. */
function narrow(columns: Fitted[], excess: number, floor: (column: Fitted) => number): void {
  for (let left = excess; left > 0; left -= 1) {
    const cuttable = columns.filter((column) => column.size > floor(column));
    if (cuttable.length === 0) return;
    const widest = cuttable.reduce((a, b) => (b.size > a.size ? b : a));
    widest.size -= 1;
  }
}
