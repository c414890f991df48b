/** The board as data: zones with their spots and cars, and as rows for CSV. */
import type { RecordFor } from '../../../contract/contract.ts';
import { type Car, type CarIdentity, carCells, identityOf, titleOf } from '../../lookup/car.ts';
import type { Row, View } from '../../output/view.ts';
import { type Assignment, occupancyOf } from '../counter/occupancy.ts';
import type { BoardSpot, BoardZone } from './shape.ts';

type Location = RecordFor<'locations'>;
type Zone = RecordFor<'parkingZones'>;
type Spot = RecordFor<'parkingSpots'>;

/** By id. */
export interface BoardRecords {
  /** Undefined without the scope to read them. */
  readonly locations: ReadonlyMap<string, Location> | undefined;
  readonly zones: ReadonlyMap<string, Zone>;
  readonly spots: ReadonlyMap<string, Spot>;
  readonly cars: ReadonlyMap<string, Car> | undefined;
  /** Open ones; undefined unless a spot or zone doesn't tell its cars, and where the server doesn't have them. */
  readonly assignments?: ReadonlyMap<string, Assignment>;
}

/** A2 before A10. */
const natural = new Intl.Collator('en', { numeric: true });
const byName = (a: { name: string | null }, b: { name: string | null }) => natural.compare(a.name ?? '', b.name ?? '');

/** By location and name, optionally only `zoneIds`. Inactive locations are left out unless a car is there. */
export function makeBoard(records: BoardRecords, zoneIds?: ReadonlySet<string>): BoardZone[] {
  const { locations, zones, spots, cars } = records;
  const { onSpot, inZone, isWhole } = occupancyOf(records);
  // A zone and a location can have the same id on a server that counts each of them.
  const zoneOf = ({ zoneId }: Spot) => (zoneId && zones.has(zoneId) ? zoneId : null);
  const spotsInZone = Map.groupBy(spots.values(), zoneOf);
  const looseSpots = Map.groupBy(spotsInZone.get(null) ?? [], ({ locationId }) => locationId ?? null);
  const locationOf = (id: string | null | undefined) => ({ id: id ?? null, name: locations?.get(id ?? '')?.name ?? null });
  const isOpen = (locationId: string | null | undefined) => locations?.get(locationId ?? '')?.isActive !== false;
  const boardSpots = (some: readonly Spot[], isOpen: boolean): BoardSpot[] =>
    some.toSorted(byName).map((spot) => {
      const occupiedByCarId = onSpot(spot);
      const car = cars?.get(occupiedByCarId ?? '');
      const unused = spot.isActive === false || !isOpen;
      const state = occupiedByCarId ? 'taken' : unused ? 'inactive' : occupiedByCarId === null ? 'free' : 'unknown';
      return { ...spot, ...(occupiedByCarId !== undefined && { occupiedByCarId }), car: car ? identityOf(car) : null, state };
    });
  const named = [...zones.values()].map((zone): BoardZone => {
    const here = inZone(zone);
    const carsWithoutSpot = here.flatMap((id) => cars?.get(id) ?? []).map(identityOf);
    const isActive = zone.isActive ?? null;
    const occupied = zone.occupied ?? (isWhole ? here.length : null);
    return {
      ...zone,
      isActive,
      occupied,
      location: locationOf(zone.locationId),
      spots: boardSpots(spotsInZone.get(zone.id) ?? [], isActive !== false && isOpen(zone.locationId)),
      carsWithoutSpot,
    };
  });
  const loose = Array.from(looseSpots, ([id, some]): BoardZone => {
    const none = { id: null, name: null, capacity: null, occupied: null, carsWithoutSpot: [] };
    const isActive = locations?.get(id ?? '')?.isActive ?? null;
    return { ...none, locationId: id, location: locationOf(id), isActive, spots: boardSpots(some, isActive !== false) };
  });
  return [...named.sort(byName), ...loose]
    .filter(({ id }) => !zoneIds || (id !== null && zoneIds.has(id)))
    .filter((zone) => isOpen(zone.location.id) || zone.occupied || zone.spots.some(({ state }) => state === 'taken'))
    .sort((a, b) => natural.compare(placeTitle(a.location), placeTitle(b.location)));
}

const placeTitle = ({ name, id }: BoardZone['location']) => name ?? id ?? '';

/** The order in which cars without a spot are drawn. */
export function sortedByTitle(cars: readonly CarIdentity[]): CarIdentity[] {
  const titles = new Map(cars.map((car) => [car, titleOf(car)]));
  return cars.toSorted((a, b) => natural.compare(titles.get(a) as string, titles.get(b) as string));
}

/** Where a car is drawn, for the live view. */
export const keyOnSpot = ({ id }: Pick<BoardSpot, 'id'>): string => `spot ${id}`;
export const keyInZone = (zone: Pick<BoardZone, 'id'>, car: CarIdentity): string => `zone ${zone.id} ${car.id}`;

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
  const count = (wanted: BoardSpot['state']) => spots.filter(({ state }) => state === wanted).length;
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

/** A row for each spot, and for each car in a zone without a spot. */
export const boardRowView: View = {
  one: 'place',
  many: 'places',
  columns: [],
  title: () => '',
  fields: ['location', 'zone', 'spot', 'kind', 'state', 'licensePlate', 'car', 'carId', 'spotId', 'zoneId', 'locationId'],
};

export const boardRows = (board: readonly BoardZone[]): Row[] =>
  board.flatMap(({ id, name, location, spots, carsWithoutSpot }) => {
    const where = { location: location.name, locationId: location.id, zone: name, zoneId: id };
    return [
      ...spots.map((spot) => ({
        ...{ ...where, spot: spot.name, spotId: spot.id, kind: spot.kind, state: spot.state },
        ...carCells(spot.car),
        carId: spot.occupiedByCarId,
      })),
      ...carsWithoutSpot.map((car) => ({ ...where, state: 'taken', ...carCells(car) })),
    ];
  });
