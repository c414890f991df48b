/** Zones with their spots as tiles: the state in words and shape as well as colour. */
import type { VNode } from 'preact';
import { type BoardSpot, type BoardZone, sortedByTitle } from '../../facility/board.ts';
import { type CarIdentity, carName, titleOf } from '../../facility/car-names.ts';
import { h } from '../h.ts';
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

export const Zones = ({ zones, carHref }: Props): VNode =>
  h(
    'div',
    { class: 'zones' },
    ...zones.map((zone) =>
      h(Zone, { key: zone.id ?? `location ${zone.locationId}`, zone, carHref }),
    ),
  );

function Zone({
  zone,
  carHref,
}: {
  readonly zone: BoardZone;
  readonly carHref: Props['carHref'];
}): VNode {
  const { name, spots, carsWithoutSpot, isActive } = zone;
  return h(
    'div',
    { class: 'zone' },
    h(
      'h3',
      null,
      name ?? 'Without a zone',
      h(
        'span',
        { class: 'quiet' },
        ` ${factsOf(zone)}${isActive === false ? ' · out of use' : ''}`,
      ),
    ),
    spots.length > 0 &&
      h('ul', { class: 'tiles' }, ...spots.map((spot) => h(Spot, { key: spot.id, spot, carHref }))),
    carsWithoutSpot.length > 0 &&
      h(
        'ul',
        { class: 'plates' },
        ...sortedByTitle(carsWithoutSpot).map((car) =>
          h('li', { key: car.id }, h(CarLink, { car, carHref }), ` ${carName(car)}`),
        ),
      ),
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
  return h(
    'li',
    { class: `tile ${state}` },
    h('span', { class: 'spot' }, name, kind === 'lift' ? ' lift' : ''),
    car ? h(CarLink, { car, carHref }) : h('span', { class: 'word' }, stateTexts[state]),
    car && h('span', { class: 'model' }, carName(car)),
  );
}

const CarLink = ({
  car,
  carHref,
}: {
  readonly car: CarIdentity;
  readonly carHref: Props['carHref'];
}): VNode =>
  carHref
    ? h('a', { class: 'plate', href: carHref(car.id) }, titleOf(car))
    : h('span', { class: 'plate' }, titleOf(car));
