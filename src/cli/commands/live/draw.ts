/** The live view as the lines of a screen. */

import { carName, describeCar, titleOf } from '../../../facility/car-names.ts';
import { reportOf } from '../../errors/report.ts';
import type { Styles } from '../../terminal/style.ts';
import { pluralize, sanitize } from '../../terminal/text.ts';
import { cut, widthOf } from '../../terminal/width.ts';
import { type Flow, flows, type LiveCar } from './picture.ts';
import { type LiveState, matching } from './state.ts';

export interface Screen {
  readonly width: number;
  readonly height: number;
  readonly styles: Styles;
  readonly toTerminal: (text: string) => string;
  readonly seconds: number;
  /** Without a keyboard, no keys are named. */
  readonly hasKeys: boolean;
}

interface Drawn {
  /** As many as the screen has. */
  readonly lines: readonly string[];
  /** Of the picture, the first line on the screen. */
  readonly top: number;
  /** Lines of the picture on the screen. */
  readonly room: number;
}

export const flowKeys: Readonly<Record<Flow, string>> = {
  dropoff: 'd drop-off',
  pickup: 'p pick-up',
  move: 'm move',
};

export function drawScreen(state: LiveState, screen: Screen): Drawn {
  const { width, height, styles, toTerminal } = screen;
  const shown = state.shown[state.view];
  const all = shown?.picture.draw(width, state.chosen?.key) ?? [];
  const note = messageLine(state, screen);
  const car = carLine(state, screen);
  const room = Math.max(1, height - 2 - (note === undefined ? 0 : 1) - (car === undefined ? 0 : 1));
  const top = topLine(
    state,
    all.map(({ cars = [] }) => cars.includes(state.chosen?.key ?? '')),
    room,
  );
  const body = all.slice(top, top + room).map(({ text }) => toTerminal(text));
  const hidden = all.length - top - room;
  const lines = [
    headLine(state, screen, hidden),
    ...(note === undefined ? [] : [note]),
    ...body,
    ...Array<string>(Math.max(0, room - body.length)).fill(''),
    ...(car === undefined ? [] : [car]),
    styles.dim(toTerminal(cut(footLine(state, screen), width))),
  ];
  return { lines: lines.slice(0, height), top, room };
}

/** Shows the chosen car with the lines around it, such as the frame of its spot. */
function topLine({ top, follows }: LiveState, hasChosen: readonly boolean[], room: number): number {
  const last = Math.max(0, hasChosen.length - room);
  const from = hasChosen.indexOf(true) - 1;
  const to = hasChosen.lastIndexOf(true) + 1;
  if (!follows || to === 0) return Math.min(top, last);
  // The first car brings the headings above it back.
  if (from <= headings && to < room) return 0;
  return Math.max(0, Math.min(Math.max(top, to + 1 - room), from, last));
}

/** Most lines of headings above the first car. */
const headings = 4;

function headLine(
  state: LiveState,
  { width, styles, toTerminal, seconds }: Screen,
  hidden: number,
): string {
  const shown = state.shown[state.view];
  const below = hidden > 0 ? ` · ${pluralize(hidden, 'line', 'lines')} more below` : '';
  if (!shown) return '';
  const { readAt, failure } = shown;
  if (failure === undefined)
    return styles.dim(
      toTerminal(cut(`Updated ${secondsTime(readAt)}, every ${seconds} s${below}`, width)),
    );
  const why = sanitize(reportOf(failure).message);
  return styles.warning(
    toTerminal(cut(`Not updated since ${secondsTime(readAt)}, retrying${below}: ${why}`, width)),
  );
}

function messageLine(
  { message }: LiveState,
  { width, styles, toTerminal }: Screen,
): string | undefined {
  if (!message) return undefined;
  const text = toTerminal(cut(sanitize(message.text), width));
  return message.isWarning ? styles.warning(text) : styles.strong(text);
}

/** The chosen car with its keys, or the text of the search. */
function carLine(state: LiveState, { width, styles, toTerminal }: Screen): string | undefined {
  const { chosen, search } = state;
  if (search !== undefined) {
    const found = matching(state, search);
    const count =
      found.length === 0
        ? 'no car matches'
        : chosen
          ? `${found.indexOf(chosen) + 1} of ${found.length}: `
          : '';
    const text =
      search === ''
        ? 'plate, name, make, place or owner'
        : `${count}${chosen ? describeCar(chosen.car) : ''}`;
    return toTerminal(cut(`/${sanitize(search)}_  ${sanitize(text)}`, width));
  }
  if (!chosen) return undefined;
  const keys = flows
    .filter((flow) => chosen.flows.includes(flow))
    .map((flow) => flowKeys[flow])
    .join(' · ');
  const name = cut(sanitize(`❯ ${describeChosen(chosen)}`), Math.max(8, width - widthOf(keys) - 3));
  return `${styles.command(toTerminal(name))}   ${styles.strong(toTerminal(keys))}`;
}

/** The place or the owner comes before what a narrow terminal cuts. */
export function describeChosen({ car, about }: LiveCar): string {
  const title = titleOf(car);
  return [title, about, ...[carName(car), car.nickname].filter((text) => text !== title)]
    .filter(Boolean)
    .join(' · ');
}

function footLine({ view, search, chosen }: LiveState, { width, hasKeys }: Screen): string {
  if (!hasKeys) return 'Ctrl-C to quit';
  if (search !== undefined) return 'Enter to choose · ↑↓ other matches · Esc to leave the search';
  const other = view === 'board' ? 't today' : 'b board';
  const start = chosen ? [] : [flowKeys.dropoff];
  const [least, ...longer] = [
    ['↑↓', '/', ...start, other, 'q to quit'],
    ['↑↓ choose', '/ search', ...start, other, 'q to quit'],
    ['↑↓ choose a car', '/ search', ...start, other, 'r read again', 'q to quit'],
  ].map((keys) => keys.join(' · ')) as [string, ...string[]];
  return longer.findLast((text) => widthOf(text) <= width) ?? least;
}

export function secondsTime(time: Date): string {
  return [time.getHours(), time.getMinutes(), time.getSeconds()]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
}
