/** The board as text: a cell for each spot, with the plate of its car. Readable without colour. */

import {
  type BoardSpot,
  type BoardZone,
  sortedByTitle,
  totalsOf,
} from '../../../facility/board.ts';
import { type CarIdentity, titleOf } from '../../../facility/car-names.ts';
import { plateCells } from '../../output/view.ts';
import type { Styles } from '../../terminal/style.ts';
import { grouped, pluralize, sanitize, stateWords } from '../../terminal/text.ts';
import { cut, fill, widest, widthOf } from '../../terminal/width.ts';

const marks: Record<BoardSpot['state'], string> = {
  free: '○',
  taken: '●',
  inactive: '✕',
  unknown: '?',
};
const margin = '  ';
/** Width of a spot: enough for most plates, and for five spots in 80 columns. A longer plate makes it wider. */
const maxCellWidth = 12;
const minCellWidth = 6;
const maxBarWidth = 20;

interface Canvas {
  readonly styles: Styles;
  /** Columns of a line. */
  readonly width: number;
}

export function boardLines(board: readonly BoardZone[], canvas: Canvas): string[] {
  const { styles, width } = canvas;
  const sites = Map.groupBy(board, ({ location }) => location.id);
  const lines = [...sites.values()].flatMap((zones) => {
    const { id, name } = (zones[0] as BoardZone).location;
    return [
      styles.title(cut(sanitize(name ?? (id ? `location ${id}` : 'No location')), width)),
      '',
      ...zones.flatMap((zone) => [...zoneLines(zone, canvas), '']),
    ];
  });
  const { unknown } = totalsOf(board);
  const legend = `${marks.free} free   ${marks.taken} taken   ${marks.inactive} inactive${unknown > 0 ? `   ${marks.unknown} unknown` : ''}`;
  return [...lines, cut(totalsText(board), width), styles.dim(cut(legend, width))];
}

function totalsText(board: readonly BoardZone[]): string {
  const { spots, free, taken, inactive, unknown, carsWithoutSpot } = totalsOf(board);
  const parts = [
    ...(free > 0 || unknown === 0 ? [`${grouped(free)} free`] : []),
    ...(taken > 0 || unknown === 0 ? [`${grouped(taken)} taken`] : []),
    ...(inactive > 0 ? [`${grouped(inactive)} inactive`] : []),
    ...(unknown > 0 ? [`${grouped(unknown)} unknown`] : []),
  ];
  const spotText =
    spots > 0 ? `${pluralize(spots, 'spot', 'spots')}: ${parts.join(', ')}` : 'No spots';
  return [
    spotText,
    ...(carsWithoutSpot > 0 ? [`${pluralize(carsWithoutSpot, 'car', 'cars')} without a spot`] : []),
  ].join(' · ');
}

function zoneLines(zone: BoardZone, canvas: Canvas): string[] {
  const { styles, width } = canvas;
  const { spots, carsWithoutSpot, isActive } = zone;
  const facts = [
    ...(isActive === false ? ['inactive'] : []),
    ...(spots.length > 0 ? [freeText(spots)] : []),
    ...occupancy(zone),
  ];
  const title = sanitize(zone.name ?? 'No zone');
  const name = cut(title, Math.max(8, width - margin.length - 2 - widthOf(facts.join(' · '))));
  const about = cut(facts.join(' · '), width - margin.length - widthOf(name) - 2);
  return [
    `${margin}${styles.strong(name)}  ${styles.dim(about)}`.trimEnd(),
    ...(spots.length > 0 ? gridLines(spots, canvas) : []),
    ...plateLines(carsWithoutSpot, canvas),
  ];
}

/** `3 of 4 spots free`, `2 of 4 spots free, 1 unknown` or `4 spots unknown`. */
function freeText(spots: readonly BoardSpot[]): string {
  const count = (wanted: BoardSpot['state']) =>
    spots.filter(({ state }) => state === wanted).length;
  const [free, unknown] = [count('free'), count('unknown')];
  const all = pluralize(spots.length, 'spot', 'spots');
  if (unknown === 0) return `${grouped(free)} of ${all} free`;
  return free === 0
    ? `${grouped(unknown)} of ${all} unknown`
    : `${grouped(free)} of ${all} free, ${grouped(unknown)} unknown`;
}

/** `without a spot ▮▮▯▯ 2 of 4`, or `3 cars without a spot, no limit`. */
function occupancy({ id, capacity, occupied, spots }: BoardZone): string[] {
  if (id === null || occupied === null) return [];
  if (capacity === null || capacity === undefined) {
    const cars = `${pluralize(occupied, 'car', 'cars')} without a spot`;
    return occupied === 0 && spots.length > 0
      ? []
      : [capacity === null ? `${cars}, no limit` : cars];
  }
  const size = Math.min(capacity, maxBarWidth);
  // The bar is full or empty only if the zone is.
  const filled =
    occupied === 0
      ? 0
      : occupied >= capacity
        ? size
        : Math.min(size - 1, Math.max(1, Math.round((occupied / capacity) * size)));
  return [
    `without a spot ${'▮'.repeat(filled)}${'▯'.repeat(Math.max(0, size - filled))} ${grouped(occupied)} of ${grouped(capacity)}`,
  ];
}

/** `┌───┬───┐`, two lines for each cell: the spot with its mark, and its car. */
function gridLines(spots: readonly BoardSpot[], { styles, width }: Canvas): string[] {
  const heads = spots.map(
    // Another server may leave out the name.
    ({ id, name = id, state, kind }) =>
      `${marks[state]} ${sanitize(name)}${kind === 'lift' ? ' lift' : ''}`,
  );
  const bodies = spots.map(bodyOf);
  const plates = spots.map(({ car }) => sanitize(car?.licensePlate ?? ''));
  const wanted = Math.max(
    minCellWidth,
    widest([...heads, ...bodies], maxCellWidth),
    widest(plates, plateCells),
  );
  const cell = Math.max(1, Math.min(wanted, width - margin.length - 4));
  const perRow = Math.max(
    1,
    Math.min(spots.length, Math.floor((width - margin.length - 1) / (cell + 3))),
  );
  /** Between rows with so many cells above and below it. */
  const rule = (above: number, below: number) => {
    const most = Math.max(above, below);
    const joints = Array.from({ length: most + 1 }, (_, at) => {
      const [up, down] = [at <= above && above > 0, at <= below && below > 0];
      return joint[(up ? 1 : 0) + (down ? 2 : 0) + (at > 0 ? 4 : 0) + (at < most ? 8 : 0)];
    });
    return `${margin}${styles.dim(joints.join('─'.repeat(cell + 2)))}`;
  };
  const bar = styles.dim('│');
  const line = (texts: readonly string[], from: number) => {
    const cells = texts.slice(from, from + perRow).map((text, offset) => {
      const style = stylesOf(styles)[(spots[from + offset] as BoardSpot).state];
      return ` ${style(fill(text, cell))} `;
    });
    return `${margin}${bar}${cells.join(bar)}${bar}`;
  };
  const lines: string[] = [];
  const countOf = (from: number) => Math.min(perRow, spots.length - from);
  for (let from = 0; from < spots.length; from += perRow)
    lines.push(rule(from === 0 ? 0 : perRow, countOf(from)), line(heads, from), line(bodies, from));
  return [...lines, rule(countOf(spots.length - (spots.length % perRow || perRow)), 0)];
}

/** By what it joins: 1 above, 2 below, 4 left, 8 right. */
const joint = '     ┘┐┤ └┌├─┴┬┼';

function bodyOf({ state, car }: BoardSpot): string {
  if (state === 'taken') return car ? sanitize(titleOf(car)) : 'taken';
  return state === 'free' ? '' : stateWords(state);
}

const stylesOf = (styles: Styles): Record<BoardSpot['state'], (text: string) => string> => ({
  free: styles.success,
  taken: styles.strong,
  inactive: styles.dim,
  unknown: styles.warning,
});

/** Cars without a spot, in columns. */
function plateLines(cars: readonly CarIdentity[], { width }: Canvas): string[] {
  const plates = sortedByTitle(cars).map((car) => `${marks.taken} ${sanitize(titleOf(car))}`);
  const room = width - 2 * margin.length;
  // A long nickname instead of a plate must not reduce the columns to one.
  const cell = widest(plates, Math.min(room, Math.max(plateCells + 2, Math.floor((room - 3) / 2))));
  const perRow = Math.max(1, Math.floor((room + 3) / (cell + 3)));
  const filled = plates.map((plate) => fill(plate, cell));
  return Array.from({ length: Math.ceil(plates.length / perRow) }, (_, row) =>
    `${margin}${margin}${filled.slice(row * perRow, (row + 1) * perRow).join('   ')}`.trimEnd(),
  );
}
