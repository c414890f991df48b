/** What is where, and stays so while it is open. */
import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import { type BoardZone, totalsOf } from '../../facility/board.ts';
import { boardReader } from '../board-reader.ts';
import { dragMoves } from '../drag-moves.ts';
import { Data, Empty, LiveSign, Page, PaperLine } from '../parts/page.tsx';
import { Select } from '../parts/select.tsx';
import { Zones } from '../parts/zones.tsx';
import { go, query, withQuery } from '../router.ts';
import { numberText, plural } from '../times.ts';
import { useLoaded } from '../use-loaded.ts';
import { canWork, workHref } from '../work.ts';

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
  return (
    <Page
      title="Board"
      beside={
        <div class="bar">
          <LiveSign at={board.at} />
          {canWork() && (
            <a class="button primary" href={workHref('drop-off')}>
              Drop off…
            </a>
          )}
        </div>
      }
    >
      <Data<readonly BoardZone[]>
        of={board}
        show={(zones) => <Board board={zones} at={board.at} />}
      />
    </Page>
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
    return (
      <Empty title="No zones and spots yet">
        <p>
          Create them with <code>cs parking zones create</code> and{' '}
          <code>cs parking spots create</code>.
        </p>
      </Empty>
    );
  const isUnknown = shown.length === 0;
  // Made once: a board has hundreds of tiles.
  const [move, dropOff] = [workHref('move', { car: '_' }), workHref('drop-off', { place: '_' })];
  const work = canWork()
    ? {
        move: (id: string) => move.replace('car=_', `car=${id}`),
        dropOff: (id: string) => dropOff.replace('place=_', `place=${id}`),
      }
    : undefined;
  return (
    <div class="stack" {...(work && dragMoves(board))}>
      <div class="bar between">
        <p aria-live="polite">{isUnknown ? 'No such location.' : totalsText(shown.flat())}</p>
        {(sites.length > 1 || isUnknown) && (
          <Select
            label="Location"
            value={wanted}
            options={[
              ['', 'All locations'],
              ...sites.map((zones) => [zones[0]?.location.id ?? '', siteName(zones)] as const),
            ]}
            onInput={(location) => go(withQuery({ location }))}
          />
        )}
      </div>
      {shown.map((zones) => (
        <section key={zones[0]?.location.id ?? 'none'} class="site">
          <h2>{siteName(zones)}</h2>
          <PaperLine at={at}>{totalsText(zones)}</PaperLine>
          <Zones zones={zones} carHref={(id) => `/dashboard/cars/${id}`} work={work} />
        </section>
      ))}
    </div>
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
