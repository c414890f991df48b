/** The state of the live view, and what each key does to it. */
import { isSameId } from '../../../client/ids.ts';
import { describeCar, titleOf } from '../../../facility/car-names.ts';
import { normalizeName } from '../../input/matching.ts';
import type { Key, KeyName } from './keys.ts';
import type { Flow, LiveCar, Picture, ViewName } from './picture.ts';

/** A view as it was last read. */
export interface Shown {
  readonly picture: Picture;
  readonly readAt: Date;
  /** Why it couldn't be read since. */
  readonly failure?: unknown;
}

export interface Message {
  readonly text: string;
  readonly isWarning?: boolean;
}

export interface LiveState {
  readonly view: ViewName;
  readonly shown: Readonly<Partial<Record<ViewName, Shown>>>;
  readonly chosen: LiveCar | undefined;
  /** Index of the chosen car, or where it was: the next car is chosen from there. */
  readonly index: number;
  /** The text of a search, while it is typed. */
  readonly search: string | undefined;
  readonly message: Message | undefined;
  /** The first line on the screen. */
  readonly top: number;
  /** Whether the screen scrolls to the chosen car. */
  readonly follows: boolean;
}

export type Action =
  | { readonly kind: 'leave' | 'interrupt' | 'read' }
  | { readonly kind: 'show'; readonly view: ViewName }
  /** Without a car, the command asks for it. */
  | { readonly kind: 'start'; readonly flow: Flow; readonly car: LiveCar | undefined };

export interface Pressed {
  readonly state: LiveState;
  readonly action?: Action;
}

export const startState = (view: ViewName): LiveState => ({
  ...{ view, shown: {}, chosen: undefined, index: 0, search: undefined },
  ...{ message: undefined, top: 0, follows: true },
});

export const carsOf = ({ view, shown }: LiveState): readonly LiveCar[] =>
  shown[view]?.picture.cars ?? [];

/** The same car, where it was or elsewhere. Never the car that took its place. */
function findAgain({ key, car }: LiveCar, cars: readonly LiveCar[]): LiveCar | undefined {
  const drawn = cars.filter((one) => isSameId(one.car.id, car.id));
  return drawn.find((one) => one.key === key) ?? drawn[0];
}

const choose = (state: LiveState, chosen: LiveCar): LiveState => ({
  ...state,
  chosen,
  index: carsOf(state).indexOf(chosen),
  follows: true,
});

/** A new picture of a view. A chosen car that has left it is no longer chosen, so that no key means another car. */
export function withPicture(state: LiveState, view: ViewName, shown: Shown): LiveState {
  const next = { ...state, shown: { ...state.shown, [view]: shown } };
  const { chosen } = state;
  if (view !== state.view || !chosen) return next;
  const again = findAgain(chosen, shown.picture.cars);
  if (again) return { ...next, chosen: again, index: shown.picture.cars.indexOf(again) };
  const gone = { text: `${titleOf(chosen.car)} is no longer here.` };
  return { ...next, chosen: undefined, message: state.message ?? gone };
}

export function withFailure(state: LiveState, view: ViewName, failure: unknown): LiveState {
  const last = state.shown[view];
  return last ? { ...state, shown: { ...state.shown, [view]: { ...last, failure } } } : state;
}

/** Another view, with the same car chosen if it is there too. */
export function withView(state: LiveState, view: ViewName): LiveState {
  const next: LiveState = {
    ...state,
    view,
    chosen: undefined,
    index: 0,
    search: undefined,
    top: 0,
    follows: true,
  };
  const again = state.chosen && findAgain(state.chosen, carsOf(next));
  return again ? choose(next, again) : next;
}

/** `page`: lines of a page. */
export function press(state: LiveState, key: Key, page: number): Pressed {
  if ('name' in key && key.name === 'ctrlC') return { state, action: { kind: 'interrupt' } };
  if ('pasted' in key)
    return {
      state: searchFor(
        state,
        `${state.search ?? ''}${key.pasted.replace(/[\p{Cc}\s]+/gu, ' ').trim()}`,
      ),
    };
  if (state.search !== undefined) return { state: pressInSearch(state, key, state.search) };
  const calm = { ...state, message: undefined };
  return 'name' in key
    ? { state: pressNamed(calm, key.name, page) }
    : pressLetter(calm, key.character);
}

function pressNamed(state: LiveState, name: KeyName, page: number): LiveState {
  if (name === 'escape') return { ...state, chosen: undefined };
  if (name === 'up' || name === 'down') return step(state, name, carsOf(state));
  if (name === 'pageUp' || name === 'pageDown')
    return scroll(state, name === 'pageUp' ? -page : page);
  return state;
}

const scroll = (state: LiveState, lines: number): LiveState => ({
  ...state,
  top: Math.max(0, state.top + lines),
  follows: false,
});

/** The next of these cars; past the last one, the screen scrolls. */
function step(state: LiveState, way: 'up' | 'down', cars: readonly LiveCar[]): LiveState {
  const { chosen, index } = state;
  const all = carsOf(state);
  const next =
    way === 'up'
      ? cars.findLast((car) => all.indexOf(car) < index)
      : cars.find((car) => (chosen ? all.indexOf(car) > index : all.indexOf(car) >= index));
  return next ? choose(state, next) : scroll(state, way === 'up' ? -1 : 1);
}

const letters: Readonly<Record<string, Action | Flow | 'search'>> = {
  q: { kind: 'leave' },
  r: { kind: 'read' },
  t: { kind: 'show', view: 'today' },
  b: { kind: 'show', view: 'board' },
  d: 'dropoff',
  p: 'pickup',
  m: 'move',
  '/': 'search',
};

function pressLetter(state: LiveState, letter: string): Pressed {
  const meaning = letters[letter.toLowerCase()];
  if (meaning === undefined) return { state };
  if (meaning === 'search') return { state: { ...state, search: '', chosen: undefined } };
  if (typeof meaning === 'string') return startFlow(state, meaning);
  return { state, action: meaning };
}

function startFlow(state: LiveState, flow: Flow): Pressed {
  const { chosen } = state;
  const refuse = (text: string): Pressed => ({
    state: { ...state, message: { text, isWarning: true } },
  });
  if (!chosen && flow !== 'dropoff')
    return refuse('Choose a car first: ↑↓, or / and a part of its plate.');
  if (chosen && !chosen.flows.includes(flow))
    return refuse(
      flow === 'dropoff'
        ? `${titleOf(chosen.car)} is already here. Esc, then d, drops off another car.`
        : `${titleOf(chosen.car)} isn't parked here.`,
    );
  return { state, action: { kind: 'start', flow, car: chosen } };
}

function pressInSearch(
  state: LiveState,
  key: Exclude<Key, { pasted: string }>,
  search: string,
): LiveState {
  if ('character' in key) return searchFor(state, search + key.character);
  switch (key.name) {
    case 'enter':
      return { ...state, search: undefined };
    case 'escape':
      return { ...state, search: undefined, chosen: undefined };
    case 'backspace':
      return searchFor(state, [...search].slice(0, -1).join(''));
    case 'clear':
      return searchFor(state, '');
    case 'up':
    case 'down':
      return step(state, key.name, matching(state, search));
    default:
      return state;
  }
}

const longestSearch = 60;

/** Chooses the first car that matches, and none where none does. */
function searchFor(state: LiveState, text: string): LiveState {
  const search = text.slice(0, longestSearch);
  const [first] = matching(state, search);
  const next = { ...state, search, chosen: undefined, index: 0, message: undefined };
  return first ? choose(next, first) : next;
}

/** By plate, name, VIN, make, model, place or owner. */
export function matching(state: LiveState, search: string): readonly LiveCar[] {
  const wanted = normalizeName(search);
  if (wanted === '') return [];
  return carsOf(state).filter(({ car, about }) =>
    normalizeName([describeCar(car), car.vin, about].join(' ')).includes(wanted),
  );
}
