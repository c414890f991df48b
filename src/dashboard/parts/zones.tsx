/** Zones with their spots as tiles: the state in words and shape as well as colour. */
import type { VNode } from 'preact';
import { type BoardSpot, type BoardZone, sortedByTitle } from '../../facility/board.ts';
import { type CarIdentity, carName, titleOf } from '../../facility/car-names.ts';
import { plural } from '../times.ts';

interface Props {
  readonly zones: readonly BoardZone[];
  /** Undefined where no car can be opened, such as on a wall. */
  readonly carHref: ((id: string) => string) | undefined;
}

const stateTexts: Readonly<Record<BoardSpot['state'], string>> = {
  free: 'free',
  taken: 'taken',
  inactive: 'out of use',
  unknown: 'unknown',
};

export const Zones = ({ zones, carHref }: Props): VNode => (
  <div class="zones">
    {zones.map((zone) => (
      <Zone key={zone.id ?? `location ${zone.locationId}`} zone={zone} carHref={carHref} />
    ))}
  </div>
);

function Zone({
  zone,
  carHref,
}: {
  readonly zone: BoardZone;
  readonly carHref: Props['carHref'];
}): VNode {
  const { name, spots, carsWithoutSpot, isActive } = zone;
  return (
    <div class="zone">
      <h3>
        {name ?? 'Without a zone'}
        <span class="quiet">
          {' '}
          {factsOf(zone)}
          {isActive === false ? ' · out of use' : ''}
        </span>
      </h3>
      {spots.length > 0 && (
        <ul class="tiles">
          {spots.map((spot) => (
            <Spot key={spot.id} spot={spot} carHref={carHref} />
          ))}
        </ul>
      )}
      {carsWithoutSpot.length > 0 && (
        <ul class="plates">
          {sortedByTitle(carsWithoutSpot).map((car) => (
            <li key={car.id}>
              <CarLink car={car} carHref={carHref} /> {carName(car)}
            </li>
          ))}
        </ul>
      )}
    </div>
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

function Spot({
  spot,
  carHref,
}: {
  readonly spot: BoardSpot;
  readonly carHref: Props['carHref'];
}): VNode {
  const { name, kind, state, car } = spot;
  return (
    <li class={`tile ${state}`}>
      <span class="spot">
        {name}
        {kind === 'lift' ? ' lift' : ''}
      </span>
      {car ? (
        <CarLink car={car} carHref={carHref} />
      ) : (
        <span class="word">{stateTexts[state]}</span>
      )}
      {car && <span class="model">{carName(car)}</span>}
    </li>
  );
}

const CarLink = ({
  car,
  carHref,
}: {
  readonly car: CarIdentity;
  readonly carHref: Props['carHref'];
}): VNode =>
  carHref ? (
    <a class="plate" href={carHref(car.id)}>
      {titleOf(car)}
    </a>
  ) : (
    <span class="plate">{titleOf(car)}</span>
  );
