/** Figures and their tables: every part of the bench makes the same kind of row. */

export interface Figure {
  readonly name: string;
  readonly ours: number;
  readonly unit: '/s' | 'ms' | 'MB' | 'bytes' | '';
  /** Of the floor, or of what it is compared with. */
  readonly other?: number | undefined;
  /** What that is. */
  readonly than?: string | undefined;
  readonly target?: Target | undefined;
}

/**
 * `least`: how fast it is at least, to the other (1 is as fast). `most`: how many times as much it
 * is at most. `below` and `equal`: the figure itself.
 */
export type Target =
  | { readonly least: number }
  | { readonly most: number }
  | { readonly below: number }
  | { readonly equal: number };

/** Undefined without anything to compare with. */
export function ratioOf({ ours, other, unit, target }: Figure): number | undefined {
  if (other === undefined) return undefined;
  const isSpeed = target === undefined ? unit === '/s' : 'least' in target;
  return isSpeed && unit !== '/s' ? other / ours : ours / other;
}

export function reaches(figure: Figure): boolean {
  const { ours, target } = figure;
  const ratio = ratioOf(figure) ?? Number.NaN;
  if (target === undefined) return true;
  if ('least' in target) return ratio >= target.least;
  if ('most' in target) return ratio <= target.most;
  return 'below' in target ? ours < target.below : ours === target.equal;
}

/** What both took, or how fast both were. */
export type Compared = Pick<Figure, 'ours' | 'other'>;
type More = Pick<Figure, 'than' | 'target'>;

export const time = (name: string, compared: Compared, more: More = {}): Figure => ({
  name,
  ...compared,
  unit: 'ms',
  ...more,
});

export const memory = (name: string, bytes: number, below?: number): Figure => ({
  name,
  ours: bytes / 1024 / 1024,
  unit: 'MB',
  target: below === undefined ? undefined : { below },
});

const whole = (value: number): string => Math.round(value).toLocaleString('en');
const written = (value: number | undefined, unit: Figure['unit']): string => {
  if (value === undefined) return '';
  const isShort = unit === 'ms' && value < 100 && !Number.isInteger(value);
  const digits = isShort ? value.toFixed(1) : whole(value);
  return unit === '/s' || unit === '' ? digits + unit : `${digits} ${unit}`;
};
const ratio = (figure: Figure): string => ratioOf(figure)?.toFixed(2) ?? '';

function targetOf({ target, unit }: Figure): string {
  if (target === undefined) return '';
  if ('least' in target) return `at least ${target.least}`;
  if ('most' in target) return `at most ${target.most}`;
  return 'below' in target
    ? `below ${written(target.below, unit)}`
    : `equal to ${written(target.equal, unit)}`;
}

const verdict = (...figures: (Figure | undefined)[]): string =>
  figures.every((figure) => !figure?.target)
    ? ''
    : figures.every((figure) => !figure || reaches(figure))
      ? 'ok'
      : '**short**';

/** The same of both databases. */
export interface Pair<T> {
  readonly sqlite: T;
  readonly postgres: T;
}

/** What was measured of one facility or team, such as "1,000 cars". */
export interface Group<T> {
  readonly of: string;
  readonly figures: T;
}

/** A row for each figure. */
export const figureTable = (groups: readonly Group<readonly Figure[]>[]): string =>
  groupedTable(
    ['ours', 'other', 'what the other is', 'ratio', 'target', ''],
    groups.map(({ of, figures }) => ({ of, rows: figures.map(figureRow) })),
  );

const figureRow = (figure: Figure): readonly string[] => [
  figure.name,
  written(figure.ours, figure.unit),
  written(figure.other, figure.unit),
  figure.than ?? '',
  ratio(figure),
  targetOf(figure),
  verdict(figure),
];

/** A row for each figure that two databases have, with both. */
export const pairTable = (groups: readonly Group<Pair<readonly Figure[]>>[]): string =>
  groupedTable(
    ['SQLite', 'other', 'ratio', 'PostgreSQL', 'other', 'ratio', 'target', ''],
    groups.map(({ of, figures: { sqlite, postgres } }) => ({
      of,
      rows: sqlite.map((figure, at) => pairRow(figure, postgres[at] as Figure)),
    })),
  );

function pairRow(one: Figure, other: Figure): readonly string[] {
  const cells = (figure: Figure) => [
    written(figure.ours, figure.unit),
    written(figure.other, figure.unit),
    ratio(figure),
  ];
  return [one.name, ...cells(one), ...cells(other), targetOf(other), verdict(one, other)];
}

/** The first group's name heads the first column; each later one has a row in bold. */
const groupedTable = (
  head: readonly string[],
  groups: readonly { readonly of: string; readonly rows: readonly (readonly string[])[] }[],
): string =>
  markdownTable(
    groups.flatMap(({ of, rows }, at) => [
      at === 0 ? [of, ...head] : [`**${of}**`, ...head.map(() => '')],
      ...rows,
    ]),
  );

/** In Markdown, with columns that line up on a terminal; the first row is the head. */
function markdownTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, at) =>
    Math.max(...rows.map((row) => row[at]?.length ?? 0)),
  );
  const lines = rows.map(
    (row) => `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`,
  );
  return [
    lines[0],
    `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`,
    ...lines.slice(1),
  ].join('\n');
}

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

/** Runs both in turns, so that whatever else the machine does befalls both. */
export async function inTurns(
  rounds: number,
  ours: () => Promise<number>,
  other: () => Promise<number>,
): Promise<{ readonly ours: number; readonly other: number }> {
  const found = { ours: [] as number[], other: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    found.other.push(await other());
    found.ours.push(await ours());
  }
  return { ours: median(found.ours), other: median(found.other) };
}
