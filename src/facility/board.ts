/** The board as data: zones with their spots and cars. */
import type { IdSet } from '../client/ids.ts';
import { idKey } from '../client/ids.ts';
import type { RecordFor } from '../contract/contract.ts';
import { type Car, type CarIdentity, identityOf, titleOf } from './car-names.ts';
import { byName, compareNaturally } from './natural.ts';
import { occupancyOf } from './occupancy.ts';

type Location = RecordFor<'locations'>;
type Zone = RecordFor<'parkingZones'>;
type Spot = RecordFor<'parkingSpots'>;

/** A spot with its car. */
export type BoardSpot = Spot & {
  /** Null for a free spot, and without the scope to read cars; then `occupiedByCarId` has the id. */
  car: CarIdentity | null;
  /** `unknown` where the cars don't tell their place. */
  state: 'taken' | 'free' | 'inactive' | 'unknown';
};

interface Place {
  location: { id: string | null; name: string | null };
  isActive: boolean | null;
  spots: BoardSpot[];
  carsWithoutSpot: CarIdentity[];
}
type NamedZone = Omit<Zone, 'isActive' | 'occupied' | 'capacity'> &
  Place & { capacity?: number | null; occupied: number | null };
/** The spots of a location that are in no zone. */
interface SpotsWithoutZone extends Place {
  id: null;
  name: null;
  capacity: null;
  occupied: null;
  locationId: string | null;
}
export type BoardZone = NamedZone | SpotsWithoutZone;

/** By id. */
export interface BoardRecords {
  /** Undefined without the scope to read them. */
  readonly locations: ReadonlyMap<string, Location> | undefined;
  readonly zones: ReadonlyMap<string, Zone>;
  readonly spots: ReadonlyMap<string, Spot>;
  /** Those that are parked, and others. Undefined without the scope to read them. */
  readonly cars: ReadonlyMap<string, Car> | undefined;
}

/** By location and name, optionally only `zoneIds`. Inactive locations are left out unless a car is there. */
export function makeBoard(records: BoardRecords, zoneIds?: IdSet): BoardZone[] {
  const { locations, zones, spots, cars } = records;
  const { onSpot, inZone, isWhole } = occupancyOf(cars?.values());
  // A zone and a location can have the same id on a server that counts each of them.
  const zoneOf = ({ zoneId }: Spot) => (zoneId && zones.has(zoneId) ? idKey(zoneId) : null);
  const spotsInZone = Map.groupBy(spots.values(), zoneOf);
  const looseSpots = Map.groupBy(spotsInZone.get(null) ?? [], ({ locationId }) =>
    locationId ? idKey(locationId) : null,
  );
  const locationOf = (id: string | null | undefined) => {
    const known = locations?.get(id ?? '');
    return { id: known?.id ?? id ?? null, name: known?.name ?? null };
  };
  const isOpen = (locationId: string | null | undefined) =>
    locations?.get(locationId ?? '')?.isActive !== false;
  const boardSpots = (some: readonly Spot[], isOpen: boolean): BoardSpot[] =>
    some.toSorted(byName).map((spot) => {
      const occupiedByCarId = onSpot(spot);
      const car = cars?.get(occupiedByCarId ?? '');
      const unused = spot.isActive === false || !isOpen;
      const state = occupiedByCarId
        ? 'taken'
        : unused
          ? 'inactive'
          : occupiedByCarId === null
            ? 'free'
            : 'unknown';
      return {
        ...spot,
        ...(occupiedByCarId !== undefined && { occupiedByCarId }),
        car: car ? identityOf(car) : null,
        state,
      };
    });
  const named = [...zones.values()].map((zone): BoardZone => {
    const here = inZone(zone);
    const carsWithoutSpot = here.flatMap((id) => cars?.get(id) ?? []).map(identityOf);
    const isActive = zone.isActive ?? null;
    const occupied = isWhole ? here.length : (zone.occupied ?? null);
    return {
      ...zone,
      isActive,
      occupied,
      location: locationOf(zone.locationId),
      spots: boardSpots(
        spotsInZone.get(idKey(zone.id)) ?? [],
        isActive !== false && isOpen(zone.locationId),
      ),
      carsWithoutSpot,
    };
  });
  const loose = Array.from(looseSpots, ([id, some]): BoardZone => {
    const none = { id: null, name: null, capacity: null, occupied: null, carsWithoutSpot: [] };
    const isActive = locations?.get(id ?? '')?.isActive ?? null;
    return {
      ...none,
      locationId: id,
      location: locationOf(id),
      isActive,
      spots: boardSpots(some, isActive !== false),
    };
  });
  return [...named.sort(byName), ...loose]
    .filter(({ id }) => !zoneIds || (id !== null && zoneIds.has(id)))
    .filter(
      (zone) =>
        isOpen(zone.location.id) ||
        zone.occupied ||
        zone.spots.some(({ state }) => state === 'taken'),
    )
    .sort((a, b) => compareNaturally(placeTitle(a.location), placeTitle(b.location)));
}

const placeTitle = ({ name, id }: BoardZone['location']) => name ?? id ?? '';

/** By what people call them. */
export function sortedByTitle<C extends CarIdentity>(cars: readonly C[]): C[] {
  const titles = new Map(cars.map((car) => [car, titleOf(car)]));
  return cars.toSorted((a, b) =>
    compareNaturally(titles.get(a) as string, titles.get(b) as string),
  );
}

export interface Totals {
  readonly spots: number;
  readonly free: number;
  readonly taken: number;
  readonly inactive: number;
  readonly unknown: number;
  readonly carsWithoutSpot: number;
}

export function totalsOf(board: readonly BoardZone[]): Totals {
  const spots = board.flatMap((zone) => zone.spots);
  const count = (wanted: BoardSpot['state']) =>
    spots.filter(({ state }) => state === wanted).length;
  const carsWithoutSpot = board.reduce((sum, { occupied }) => sum + (occupied ?? 0), 0);
  return {
    spots: spots.length,
    free: count('free'),
    taken: count('taken'),
    inactive: count('inactive'),
    unknown: count('unknown'),
    carsWithoutSpot,
  };
}
