/** Which columns fit into a width, and how wide each is. */
import type { Widths } from '../terminal/plain-width.ts';
import type { Column } from './view.ts';

export const gap = 2;
/** The width that columns keep before a droppable one is dropped. */
const readableWidth = 22;
const minWidth = 6;

export interface Filled {
  readonly column: Column;
  readonly cells: readonly string[];
  readonly empty: boolean;
  /** Cells of the widest text. */
  readonly widest: number;
}

export type Fitted = Filled & { size: number };

export function filledColumn(
  column: Column,
  cells: readonly string[],
  widthOf: Widths['widthOf'],
): Filled {
  const widest = cells.reduce((most, cell) => Math.max(most, widthOf(cell)), 0);
  return { column, cells, empty: widest === 0, widest: Math.max(widest, widthOf(column.header)) };
}

export function fitColumns(columns: readonly Filled[], width: number | undefined): Fitted[] {
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
