/** What is where, and stays so while it is open. */
import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import { type BoardZone, totalsOf } from '../../facility/board.ts';
import { boardReader } from '../board-reader.ts';
import { h } from '../h.ts';
import { Data, Empty, LiveSign, Page, PaperLine } from '../parts/page.ts';
import { Select } from '../parts/select.ts';
import { Zones } from '../parts/zones.ts';
import { useLoaded } from '../read.ts';
import { go, query, withQuery } from '../router.ts';
import { numberText, plural } from '../times.ts';

/** The zones of each location, in their order. */
export const sitesOf = (board: readonly BoardZone[]): BoardZone[][] => [
  ...Map.groupBy(board, ({ location }) => location.id).values(),
];
export const siteName = ([zone]: readonly BoardZone[]): string =>
  zone?.location.name ?? 'Without a location';

export function useBoard() {
  const read = useRef<ReturnType<typeof boardReader>>(undefined);
  read.current ??= boardReader();
  return useLoaded('board', read.current, { live: true });
}

export function BoardPage(): VNode {
  const board = useBoard();
  return h(
    Page,
    { title: 'Board', beside: h(LiveSign, { at: board.at }) },
    h(Data<readonly BoardZone[]>, {
      of: board,
      show: (zones) => h(Board, { board: zones, at: board.at }),
    }),
  );
}

function Board({
  board,
  at,
}: {
  readonly board: readonly BoardZone[];
  readonly at: Date | undefined;
}): VNode {
  const sites = sitesOf(board);
  const wanted = query.value.get('location') ?? '';
  const shown = sites.filter(([zone]) => wanted === '' || zone?.location.id === wanted);
  if (board.length === 0)
    return h(
      Empty,
      { title: 'No zones and spots yet' },
      h(
        'p',
        null,
        'Create them with ',
        h('code', null, 'cs parking zones create'),
        ' and ',
        h('code', null, 'cs parking spots create'),
        '.',
      ),
    );
  const isUnknown = shown.length === 0;
  return h(
    'div',
    { class: 'stack' },
    h(
      'div',
      { class: 'bar between' },
      h('p', { 'aria-live': 'polite' }, isUnknown ? 'No such location.' : totalsText(shown.flat())),
      (sites.length > 1 || isUnknown) &&
        h(Select, {
          label: 'Location',
          value: wanted,
          options: [
            ['', 'All locations'],
            ...sites.map((zones) => [zones[0]?.location.id ?? '', siteName(zones)] as const),
          ],
          onInput: (location) => go(withQuery({ location })),
        }),
    ),
    ...shown.map((zones) =>
      h(
        'section',
        { class: 'site', key: zones[0]?.location.id ?? 'none' },
        h('h2', null, siteName(zones)),
        h(PaperLine, { at }, totalsText(zones)),
        h(Zones, { zones, carHref: (id) => `/dashboard/cars/${id}` }),
      ),
    ),
  );
}

export function totalsText(board: readonly BoardZone[]): string {
  const { spots, taken, inactive, carsWithoutSpot } = totalsOf(board);
  return [
    `${numberText(taken)} of ${plural(spots, 'spot')} taken`,
    ...(inactive > 0 ? [`${numberText(inactive)} out of use`] : []),
    ...(carsWithoutSpot > 0 ? [`${plural(carsWithoutSpot, 'car')} without a spot`] : []),
  ].join(' · ');
}
