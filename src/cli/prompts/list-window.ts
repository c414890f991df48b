/** The part of a list that is on the screen. */
import { widthOf } from '../terminal/width.ts';
import { type Item, isOption, moreAround } from './options.ts';

interface ListWindow {
  readonly items: readonly Item[];
  /** Index of the option with the cursor. */
  readonly active: number;
  /** Rows of a list that doesn't fit. */
  readonly height: number;
  /** Of the terminal; a longer line takes several rows. */
  readonly columns: number;
  readonly render: (item: Item, index: number) => string;
}

/**
 * The lines of the list, all of them where they fit. Otherwise the headings of the first item, as
 * many items as fit, and how many options are above and below them. The cursor stays in the upper
 * half until the end is on the screen.
 */
export function linesInWindow({ items, active, height, columns, render }: ListWindow): string[] {
  const lines = items.map(render);
  const rows = lines.map((line) => Math.max(1, Math.ceil(widthOf(line) / columns)));
  const rowsOf = (indexes: readonly number[]) =>
    indexes.reduce((sum, index) => sum + (rows[index] as number), 0);
  if (rowsOf(range(0, lines.length)) <= height) return lines;

  // The last row counts what isn't shown.
  const room = height - 1;
  const views = range(Math.max(0, active - room), active + 1).map(viewFrom);
  const isFirstOption = !items.slice(0, active).some(isOption);
  const { shown, to } = views.find(({ shown, to }) => {
    if (to <= active) return false;
    const cursor = rowsOf(shown.slice(0, shown.indexOf(active)));
    return cursor < height / 2 || to === items.length || isFirstOption;
  }) ?? { shown: [active], to: active + 1 };
  const above = items
    .slice(0, active)
    .filter((item, index) => isOption(item) && !shown.includes(index)).length;
  const below = items.slice(to).filter(isOption).length;
  const blank = Array<string>(Math.max(0, room - rowsOf(shown))).fill('');
  return [
    ...shown.map((index) => lines[index] as string),
    ...blank,
    render(moreAround(above, below), -1),
  ];

  /** What is shown where the list starts with this item, up to `to`. */
  function viewFrom(from: number): { shown: number[]; to: number } {
    const headings = headingsOf(from);
    let to = from;
    while (to < items.length && rowsOf([...headings, ...range(from, to + 1)]) <= room) to += 1;
    // A heading belongs above what follows it.
    while (to > from && to < items.length && depthOf(items[to - 1]) < depthOf(items[to])) to -= 1;
    return { shown: [...headings, ...range(from, to)], to };
  }

  function headingsOf(index: number): number[] {
    const headings: number[] = [];
    let depth = depthOf(items[index]);
    for (let at = index - 1; at >= 0 && depth > 0; at -= 1) {
      if (depthOf(items[at]) >= depth) continue;
      headings.unshift(at);
      depth = depthOf(items[at]);
    }
    return headings;
  }
}

const depthOf = (item: Item | undefined) => item?.depth ?? 0;
const range = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => from + index);
