/** Zones with their spots as tiles: the state in words and shape as well as colour. */
import { type BoardSpot, type BoardZone, sortedByTitle } from '../../facility/board.ts';
import { type CarIdentity, carName, titleOf } from '../../facility/car-names.ts';
import { plural } from '../times.ts';

/** A part of its spots may be shown. */
export type ShownZone = BoardZone & { readonly whole?: BoardZone };

interface Props {
  readonly zones: readonly ShownZone[];
  /** Undefined where no car can be opened, such as on a wall. */
  readonly carHref: ((id: string) => string) | undefined;
  /** On the board a zone can be folded; which ones are is kept. `open`: what was searched is shown in any case. */
  readonly fold?: 'kept' | 'open';
  /** What can be done at a tile; undefined where nothing can. */
  readonly work?: { readonly move: TileHref; readonly dropOff: TileHref } | undefined;
}
type TileHref = (id: string) => string;

const stateTexts: Readonly<Record<BoardSpot['state'], string>> = {
  free: 'free',
  taken: 'taken',
  inactive: 'out of use',
  unknown: 'unknown',
};

/** Also its anchor on the page. */
export const zoneKey = ({ id, locationId }: BoardZone): string =>
  `zone ${id ?? `of ${locationId}`}`;

export const Zones = ({ zones, ...props }: Props) => (
  <div class="zones">
    {zones.map((zone) => (
      <Zone key={zoneKey(zone)} zone={zone} {...props} />
    ))}
  </div>
);

function Zone({ zone, fold, ...tile }: Omit<Props, 'zones'> & { readonly zone: ShownZone }) {
  const { name, spots, carsWithoutSpot, isActive } = zone;
  const { carHref, work } = tile;
  const key = zoneKey(zone);
  const title = (
    <h3>
      {name ?? 'Without a zone'}
      <span class="quiet">
        {' '}
        {factsOf(zone.whole ?? zone)}
        {isActive === false ? ' · out of use' : ''}
      </span>
    </h3>
  );
  const content = (
    <>
      {spots.length > 0 && (
        <ul class="tiles">
          {spots.map((spot) => (
            <Spot key={spot.id} spot={spot} {...tile} />
          ))}
        </ul>
      )}
      {carsWithoutSpot.length > 0 && (
        <ul class="plates">
          {sortedByTitle(carsWithoutSpot).map((car) => (
            <li key={car.id} data-car={work && car.id}>
              <CarLink car={car} carHref={carHref} /> {carName(car)}
              {work && <MoveLink car={car} work={work} />}
            </li>
          ))}
        </ul>
      )}
    </>
  );
  if (!fold)
    return (
      <div class="zone">
        {title}
        {content}
      </div>
    );
  return (
    <details
      class="zone"
      id={key}
      open={fold === 'open' || localStorage.getItem(key) === null}
      onToggle={({ currentTarget: { open } }) => {
        if (fold === 'open') return;
        if (open) localStorage.removeItem(key);
        else localStorage.setItem(key, 'folded');
      }}
    >
      <summary>{title}</summary>
      {content}
    </details>
  );
}

function factsOf({ id, spots, capacity, occupied, carsWithoutSpot }: BoardZone): string {
  const taken = spots.filter(({ state }) => state === 'taken').length;
  const inZone = occupied ?? carsWithoutSpot.length;
  return [
    ...(spots.length > 0 ? [`${taken} of ${plural(spots.length, 'spot')} taken`] : []),
    ...(id !== null && (inZone > 0 || spots.length === 0)
      ? [
          typeof capacity === 'number'
            ? `${inZone} of ${capacity} without a spot`
            : `${plural(inZone, 'car')} without a spot`,
        ]
      : []),
  ].join(' · ');
}

function Spot({ spot, carHref, work }: Omit<Props, 'zones'> & { readonly spot: BoardSpot }) {
  const { id, name, kind, state, car } = spot;
  return (
    <li class={`tile ${state}`} data-place={work && id} data-car={work && car?.id}>
      <span class="spot">
        {name}
        {kind === 'lift' ? ' lift' : ''}
      </span>
      {car ? (
        <CarLink car={car} carHref={carHref} />
      ) : work && state === 'free' ? (
        <a class="word" href={work.dropOff(id)} aria-label={`free: drop off in ${name}`}>
          free
        </a>
      ) : (
        <span class="word">{stateTexts[state]}</span>
      )}
      {car && <span class="model">{carName(car)}</span>}
      {car && work && <MoveLink car={car} work={work} />}
    </li>
  );
}

const MoveLink = ({
  car,
  work,
}: {
  readonly car: CarIdentity;
  readonly work: NonNullable<Props['work']>;
}) => (
  <a class="act" href={work.move(car.id)} aria-label={`Move ${titleOf(car)}`}>
    Move
  </a>
);

const CarLink = ({
  car,
  carHref,
}: {
  readonly car: CarIdentity;
  readonly carHref: Props['carHref'];
}) =>
  carHref ? (
    <a class="plate" href={carHref(car.id)}>
      {titleOf(car)}
    </a>
  ) : (
    <span class="plate">{titleOf(car)}</span>
  );
