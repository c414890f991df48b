/** A screen of a terminal as an SVG picture, the same with every font. */
import type { Cell } from '../helpers/pseudo-terminal.ts';

export const themes = ['light', 'dark'] as const;
export type Theme = (typeof themes)[number];

interface Colours {
  readonly page: string;
  readonly border: string;
  readonly text: string;
  /** Of the palette: black, red, green, yellow, blue, magenta, cyan and white, then the same bright. */
  readonly palette: readonly string[];
}

const colours: Readonly<Record<Theme, Colours>> = {
  light: {
    page: '#ffffff',
    border: '#d1d9e0',
    text: '#1f2328',
    palette: [
      ...['#24292f', '#cf222e', '#116329', '#7d4e00', '#0969da', '#8250df', '#1b7c83', '#59636e'],
      ...['#59636e', '#a40e26', '#1a7f37', '#633c01', '#218bff', '#a475f9', '#3192aa', '#1f2328'],
    ],
  },
  dark: {
    page: '#0d1117',
    border: '#3d444d',
    text: '#e6edf3',
    palette: [
      ...['#484f58', '#ff7b72', '#3fb950', '#d29922', '#58a6ff', '#bc8cff', '#39c5cf', '#b1bac4'],
      ...['#8b949e', '#ffa198', '#56d364', '#e3b341', '#79c0ff', '#d2a8ff', '#56d4dd', '#ffffff'],
    ],
  },
};

const cellWidth = 8.4;
const cellHeight = 19;
const fontSize = 14;
const margin = 18;
const fonts =
  "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', 'Liberation Mono', monospace";

/** The arms of each line-drawing character: left, right, up, down. Fonts leave gaps between them, so they are drawn. */
const arms: Readonly<Record<string, string>> = {
  '─': 'lr',
  '│': 'ud',
  '┌': 'rd',
  '┐': 'ld',
  '└': 'ru',
  '┘': 'lu',
  '├': 'rud',
  '┤': 'lud',
  '┬': 'lrd',
  '┴': 'lru',
  '┼': 'lrud',
};

export interface Picture {
  /** For people who don't see it. */
  readonly title: string;
  readonly rows: readonly (readonly Cell[])[];
}

export function toSvg({ title, rows }: Picture, theme: Theme): string {
  const { page, border, text } = colours[theme];
  const columns = Math.max(...rows.map((row) => row.length));
  const [width, height] = [
    round(columns * cellWidth + 2 * margin),
    rows.length * cellHeight + 2 * margin,
  ];
  const lines = rows.flatMap((row, line) => [
    ...backgrounds(row, line, theme),
    ...texts(row, line, theme),
  ]);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<rect x="0.5" y="0.5" width="${round(width - 1)}" height="${height - 1}" rx="8" fill="${page}" stroke="${border}"/>`,
    `<g font-family="${fonts}" font-size="${fontSize}" fill="${text}">`,
    ...lines,
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}

/** Neighbouring cells that are drawn as one. */
function runsOf(
  row: readonly Cell[],
  alike: (one: Cell, other: Cell) => boolean,
): { start: number; cells: Cell[] }[] {
  const runs: { start: number; cells: Cell[] }[] = [];
  for (const [column, cell] of row.entries()) {
    const last = runs.at(-1);
    if (last?.cells[0] && alike(last.cells[0], cell)) last.cells.push(cell);
    else runs.push({ start: column, cells: [cell] });
  }
  return runs;
}

function backgrounds(row: readonly Cell[], line: number, theme: Theme): string[] {
  return runsOf(row, (one, other) => one.background === other.background)
    .filter(({ cells: [first] }) => first?.background !== undefined)
    .map(({ start, cells }) => {
      const fill = colours[theme].palette[cells[0]?.background ?? 0];
      return `<rect x="${left(start)}" y="${top(line)}" width="${round(cells.length * cellWidth)}" height="${cellHeight}" fill="${fill}"/>`;
    });
}

function texts(row: readonly Cell[], line: number, theme: Theme): string[] {
  const alike = (one: Cell, other: Cell) =>
    kindOf(one) === kindOf(other) &&
    kindOf(one) !== 'sign' &&
    styleOf(one, theme) === styleOf(other, theme);
  return runsOf(row, alike).flatMap(({ start, cells }) => {
    const [first] = cells;
    if (!first || cells.every(({ text }) => text.trim() === '')) return [];
    if (kindOf(first) === 'line') return drawnLines(cells, { start, line, theme });
    const style = styleOf(first, theme);
    const y = top(line) + 14;
    // A sign may come from another font with another width, so it is centred in its cell.
    if (kindOf(first) === 'sign')
      return `<text x="${round(left(start) + cellWidth / 2)}" y="${y}" text-anchor="middle"${style}>${escaped(first.text)}</text>`;
    // Viewers differ in what they make of several spaces, so each part between them has its own place.
    return [
      ...cells
        .map(({ text }) => text)
        .join('')
        .matchAll(/\S+(?: \S+)*/g),
    ].map(({ 0: part, index }) => {
      const length = round(part.length * cellWidth);
      return `<text x="${left(start + index)}" y="${y}" textLength="${length}" lengthAdjust="spacingAndGlyphs"${style}>${escaped(part)}</text>`;
    });
  });
}

const kindOf = ({ text }: Cell): 'line' | 'text' | 'sign' =>
  text in arms ? 'line' : /^[\p{ASCII}\p{Script=Latin}“”„…·–—×→]$/u.test(text) ? 'text' : 'sign';

function drawnLines(
  cells: readonly Cell[],
  { start, line, theme }: { start: number; line: number; theme: Theme },
): string[] {
  const [first] = cells;
  const stroke = (first && colourOf(first, theme)) ?? colours[theme].text;
  const path = cells.map(({ text }, index) => {
    const x = left(start + index);
    const [midX, midY] = [round(x + cellWidth / 2), round(top(line) + cellHeight / 2)];
    const ends: Readonly<Record<string, string>> = {
      l: `H${x}`,
      r: `H${round(x + cellWidth)}`,
      u: `V${top(line)}`,
      d: `V${top(line) + cellHeight}`,
    };
    return [...(arms[text] ?? '')].map((arm) => `M${midX} ${midY}${ends[arm]}`).join('');
  });
  const opacity = first?.dim ? ' opacity="0.65"' : '';
  return [`<path d="${path.join('')}" stroke="${stroke}" fill="none"${opacity}/>`];
}

const colourOf = ({ foreground }: Cell, theme: Theme): string | undefined =>
  foreground === undefined ? undefined : colours[theme].palette[foreground];

function styleOf(cell: Cell, theme: Theme): string {
  const fill = colourOf(cell, theme);
  return [
    fill ? ` fill="${fill}"` : '',
    cell.bold ? ' font-weight="bold"' : '',
    cell.dim ? ' opacity="0.65"' : '',
    cell.underlined ? ' text-decoration="underline"' : '',
  ].join('');
}

const left = (column: number): number => round(margin + column * cellWidth);
const top = (line: number): number => margin + line * cellHeight;
const round = (value: number): number => Math.round(value * 10) / 10;
const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
