/** What is where, and stays so while it is open. */
import { useEffect, useMemo } from 'preact/hooks';
import { type BoardZone, totalsOf } from '../../facility/board.ts';
import { type CarIdentity, carName, titleOf } from '../../facility/car-names.ts';
import { boardReader } from '../facility-reader.ts';
import { placeOn } from '../free-places.ts';
import { matches } from '../matches.ts';
import { LocationFilter, SearchField } from '../parts/filter.tsx';
import { FirstSteps, placesHref } from '../parts/first-steps.tsx';
import { Button, Select } from '../parts/form.tsx';
import { Data, Empty, LiveSign, Page, PaperLine } from '../parts/page.tsx';
import { type ShownZone, Zones, zoneKey } from '../parts/zones.tsx';
import { asked, go, query, withQuery } from '../router.ts';
import { numberText, plural } from '../times.ts';
import { useLoaded } from '../use-loaded.ts';
import { canWork, done, moveCar, workHref } from '../work.ts';

/** The zones of each location, in their order. */
export const sitesOf = <Z extends BoardZone>(board: readonly Z[]): Z[][] => [
  ...Map.groupBy(board, ({ location }) => location.id).values(),
];
export const siteName = ([zone]: readonly BoardZone[]): string =>
  zone?.location.name ?? 'Without a location';

export function useBoard() {
  const read = useMemo(boardReader, []);
  return useLoaded('board', read, { live: true });
}

export function BoardPage() {
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
      <Data of={board} show={(zones) => <Board board={zones} at={board.at} />} />
    </Page>
  );
}

/** What the address asks for: of a location, that is free, or where a plate, a car or a spot matches. */
function shownOf(board: readonly BoardZone[]): ShownZone[] {
  const [q, location, free] = ['q', 'location', 'free'].map(asked);
  return board
    .filter((zone) => !location || zone.location.id === location)
    .flatMap((zone) => {
      if (!q && !free) return [zone];
      const isFound = (car: CarIdentity) => matches(q as string, [titleOf(car), carName(car)]);
      const spots = zone.spots.filter(
        ({ state, name, car }) =>
          (!free || state === 'free') && (!q || matches(q, name) || (car && isFound(car))),
      );
      const carsWithoutSpot = free ? [] : zone.carsWithoutSpot.filter(isFound);
      return spots.length + carsWithoutSpot.length > 0
        ? [{ ...zone, spots, carsWithoutSpot, whole: zone }]
        : [];
    });
}

function Board({
  board,
  at,
}: {
  readonly board: readonly BoardZone[];
  readonly at: Date | undefined;
}) {
  const sites = sitesOf(board);
  const wanted = asked('location');
  const isFree = query.value.has('free');
  const { spots, carsWithoutSpot } = totalsOf(board);
  const needsPlaces = canWork() && spots + carsWithoutSpot === 0;
  const isSettingUp = canWork() && query.value.has('places');
  // Stays until it is left, also when the first of several spots is there.
  useEffect(() => {
    if (needsPlaces && !isSettingUp) go(placesHref(), { replace: true });
  }, [needsPlaces]);
  if (isSettingUp)
    return (
      <>
        <FirstSteps />
        {spots > 0 && <a href={withQuery({ places: undefined })}>Back to the board</a>}
      </>
    );
  if (board.length === 0 || needsPlaces) return <Empty title="No zones and spots yet" />;
  const shown = sitesOf(shownOf(board));
  const isUnknown = wanted !== '' && !sites.some(([zone]) => zone?.location.id === wanted);
  const all = sites.filter(([zone]) => !wanted || zone?.location.id === wanted).flat();
  // Made once: a board has hundreds of tiles.
  const [move, dropOff] = [workHref('move', { car: '_' }), workHref('drop-off', { place: '_' })];
  const work = canWork()
    ? {
        move: (id: string) => move.replace('car=_', `car=${id}`),
        dropOff: (id: string) => dropOff.replace('place=_', `place=${id}`),
      }
    : undefined;
  const zones = shown.flat();
  const isFiltered = isFree || query.value.has('q');
  return (
    <div class="stack" {...(work && dragMoves(board))}>
      <div class="bar">
        <SearchField label="Plate, car or spot" />
        <LocationFilter of={sites.map(([zone]) => zone?.location ?? noLocation)} />
        {zones.length > 1 && (
          <Select
            label="Go to"
            value=""
            options={[
              ['', 'Zone…'],
              ...zones.map((zone) => [zoneKey(zone), zoneName(zone, shown.length > 1)] as const),
            ]}
            onInput={(zone) => document.getElementById(zone)?.scrollIntoView()}
          />
        )}
        <Button
          aria-pressed={isFree}
          onClick={() => go(withQuery({ free: isFree ? undefined : '1' }))}
        >
          Free only
        </Button>
      </div>
      <p aria-live="polite">
        {isUnknown ? 'No such location.' : totalsText(all)}
        {zones.length === 0 && !isUnknown && ' · nothing matches'}
      </p>
      {shown.map((zones) => (
        <section key={zones[0]?.location.id ?? 'none'} class="site">
          <h2>{siteName(zones)}</h2>
          <PaperLine at={at}>
            {totalsText(zones.map(({ whole, ...zone }) => whole ?? zone))}
          </PaperLine>
          <Zones
            zones={zones}
            carHref={(id) => `/dashboard/cars/${id}`}
            work={work}
            fold={isFiltered ? 'open' : 'kept'}
          />
        </section>
      ))}
      {work && (
        <p class="off-paper">
          <a href={placesHref()}>Add places…</a>
        </p>
      )}
    </div>
  );
}

const zoneName = ({ name, location }: BoardZone, hasSites: boolean) =>
  [hasSites && location.name, name ?? 'Without a zone'].filter(Boolean).join(' · ');

const noLocation = { id: null, name: null };

export function totalsText(board: readonly BoardZone[]): string {
  const { spots, taken, inactive, carsWithoutSpot } = totalsOf(board);
  return [
    `${numberText(taken)} of ${plural(spots, 'spot')} taken`,
    ...(inactive > 0 ? [`${numberText(inactive)} out of use`] : []),
    ...(carsWithoutSpot > 0 ? [`${plural(carsWithoutSpot, 'car')} without a spot`] : []),
  ].join(' · ');
}

const tileOf = ({ target }: DragEvent) =>
  target instanceof Element ? target.closest<HTMLElement>('[data-place]') : null;

/** Of a car that is dragged onto another tile: where it stood. */
let from: string | undefined;

/** What the element around the tiles listens to. */
const dragMoves = (board: readonly BoardZone[]) => ({
  onDragStart(event: DragEvent) {
    const place = placeOn(board, tileOf(event)?.dataset.place);
    from = place?.spot?.car ? place.id : undefined;
    if (event.dataTransfer) event.dataTransfer.effectAllowed = 'move';
  },
  onDragOver(event: DragEvent) {
    if (from !== undefined && tileOf(event)) event.preventDefault();
  },
  onDrop(event: DragEvent) {
    const [start, to] = [placeOn(board, from), placeOn(board, tileOf(event)?.dataset.place)];
    from = undefined;
    if (!start?.spot?.car || !to || to.id === start.id) return;
    event.preventDefault();
    const refuse = (text: string) => {
      done.value = { text, isFailure: true };
    };
    if (to.spot?.car)
      return refuse(`${to.name} is taken by ${titleOf(to.spot.car)}. Nothing was moved.`);
    if (to.spot?.state !== 'free') return refuse(`${to.name} is not in use. Nothing was moved.`);
    const title = titleOf(start.spot.car);
    void moveCar({ carId: start.spot.car.id, title, from: start, to }).catch((error: Error) =>
      refuse(error.message),
    );
  },
});
