/** Records as a calm table: no borders, a dim header, never wider than the terminal. */
import Table from 'cli-table3';
import stringWidth from 'string-width';
import type { Paint } from '../paint.ts';
import { sanitize } from '../text.ts';
import type { CellContext, Column, Row } from './view.ts';

const gap = 2;
/** Cells that a column keeps before a spare one has to go. */
const readable = 22;
const smallest = 6;
const none = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
};
const borderless = { ...none, left: '', 'left-mid': '', mid: '', 'mid-mid': '', right: '', 'right-mid': '', middle: ' '.repeat(gap) };

export interface TableOptions {
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
  readonly context: CellContext;
  readonly paint: Paint;
  /** Cells available; `undefined` for as many as it takes. */
  readonly width: number | undefined;
}

export function renderTable({ columns, rows, context, paint, width }: TableOptions): string {
  const filled = columns.map((column) => ({ column, cells: rows.map((row) => cellText(column.cell(row, context))) }));
  const shown = fitColumns(
    // A column in which nothing stands says nothing.
    filled.filter(({ cells }, index) => index === 0 || cells.some((cell) => cell !== '')),
    width,
  );
  const table = new Table({
    chars: borderless,
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true },
    colAligns: shown.map(({ column }) => column.align ?? 'left'),
  });
  table.push(shown.map(({ column, size }) => paint.dim(cut(column.header.toUpperCase(), size))));
  for (const index of rows.keys()) table.push(shown.map(({ cells, size }) => cut(cells[index] as string, size)));
  return `${table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')}\n`;
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

type Filled = { column: Column; cells: string[] };

function fitColumns(columns: Filled[], width: number | undefined): (Filled & { size: number })[] {
  const sized = columns.map((item) => ({
    ...item,
    size: Math.max(stringWidth(item.column.header), ...item.cells.map((cell) => stringWidth(cell))),
  }));
  if (width === undefined) return sized;
  const total = () => sized.reduce((sum, { size }) => sum + size, 0) + gap * (sized.length - 1);
  const least = () =>
    sized.reduce((sum, { column, size }) => sum + (column.whole ? size : Math.min(size, readable)), 0) + gap * (sized.length - 1);
  while (least() > width && sized.length > 1) {
    const spare = sized.findLastIndex(({ column }) => column.spare);
    if (spare < 0) break;
    sized.splice(spare, 1);
  }
  // The widest gives way first: what is short is mostly what identifies.
  while (total() > width) {
    const cuttable = sized.filter(({ column, size }) => !column.whole && size > smallest);
    if (cuttable.length === 0) break;
    const widest = cuttable.reduce((a, b) => (b.size > a.size ? b : a));
    widest.size -= 1;
  }
  return sized;
}

const graphemes = new Intl.Segmenter();

/** At most `size` terminal cells, the cut shown; never through the middle of a character. */
export function cut(text: string, size: number): string {
  if (stringWidth(text) <= size) return text;
  let kept = '';
  let used = 0;
  for (const { segment } of graphemes.segment(text)) {
    const wide = stringWidth(segment);
    if (used + wide > size - 1) break;
    kept += segment;
    used += wide;
  }
  return `${kept.trimEnd()}…`;
}
