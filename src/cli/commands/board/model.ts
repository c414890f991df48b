/** The board as data: zones with their spots, and who stands where. */
import type { RecordFor } from '../../../contract/contract.ts';
import { type Car, type CarIdentity, identityOf } from '../../lookup/car.ts';

type Location = RecordFor<'locations'>;
type Zone = RecordFor<'parkingZones'>;
type Spot = RecordFor<'parkingSpots'>;

export interface BoardSpot extends Spot {
  /** Null when it is free, and when the key may not read cars; `occupiedByCarId` tells which. */
  readonly car: CarIdentity | null;
  /** Whether a car could be put there now. */
  readonly state: 'free' | 'taken' | 'not_in_use';
}

/** A zone, or the spots of a location that lie in none: then id, name and what is counted are null. */
export interface BoardZone extends Omit<Partial<Zone>, 'id' | 'name' | 'occupied'> {
  readonly id: string | null;
  readonly name: string | null;
  readonly location: { readonly id: string; readonly name: string | null };
  readonly isActive: boolean;
  readonly capacity: number | null;
  readonly occupied: number | null;
  readonly spots: readonly BoardSpot[];
  /** Those that stand in the zone as a whole. */
  readonly carsWithoutSpot: readonly CarIdentity[];
}

/** What was read, by id. */
export interface BoardRecords {
  /** Undefined where the key may not read them. */
  readonly locations: ReadonlyMap<string, Location> | undefined;
  readonly zones: ReadonlyMap<string, Zone>;
  readonly spots: ReadonlyMap<string, Spot>;
  readonly cars: ReadonlyMap<string, Car> | undefined;
}

/** People expect A2 before A10. */
const natural = new Intl.Collator('en', { numeric: true });
const byName = (a: { name: string | null }, b: { name: string | null }) => natural.compare(a.name ?? '', b.name ?? '');

/** By location and name; `zoneIds` leaves out all others. A location that is closed is left out unless a car stands there. */
export function makeBoard({ locations, zones, spots, cars }: BoardRecords, zoneIds?: ReadonlySet<string>): BoardZone[] {
  const inZones = Map.groupBy(cars?.values() ?? [], ({ parkingZoneId }) => parkingZoneId);
  const spotsOf = Map.groupBy(spots.values(), ({ zoneId, locationId }) => zoneId ?? locationId);
  const locationOf = (id: string) => ({ id, name: locations?.get(id)?.name ?? null });
  const isOpen = (locationId: string) => locations?.get(locationId)?.isActive !== false;
  const lay = (key: string, isActive: boolean): BoardSpot[] =>
    (spotsOf.get(key) ?? []).toSorted(byName).map((spot) => {
      const car = cars?.get(spot.occupiedByCarId ?? '');
      const state = spot.occupiedByCarId !== null ? 'taken' : spot.isActive && isActive ? 'free' : 'not_in_use';
      return { ...spot, car: car ? identityOf(car) : null, state };
    });
  const named = [...zones.values()].map((zone): BoardZone => {
    const without = (inZones.get(zone.id) ?? []).map(identityOf);
    const isActive = zone.isActive && isOpen(zone.locationId);
    return { ...zone, location: locationOf(zone.locationId), spots: lay(zone.id, isActive), carsWithoutSpot: without };
  });
  const loose = [...new Set(Array.from(spots.values(), ({ locationId }) => locationId))].map((id): BoardZone => {
    const none = { id: null, name: null, capacity: null, occupied: null, carsWithoutSpot: [] };
    return { ...none, locationId: id, location: locationOf(id), isActive: isOpen(id), spots: lay(id, isOpen(id)) };
  });
  return [...named.sort(byName), ...loose.filter((zone) => zone.spots.length > 0)]
    .filter(({ id }) => !zoneIds || (id !== null && zoneIds.has(id)))
    .filter((zone) => isOpen(zone.location.id) || zone.occupied || zone.spots.some(({ state }) => state === 'taken'))
    .sort((a, b) => natural.compare(a.location.name ?? a.location.id, b.location.name ?? b.location.id));
}

export interface Totals {
  readonly spots: number;
  readonly free: number;
  readonly taken: number;
  readonly notInUse: number;
  readonly carsWithoutSpot: number;
}

export function totalsOf(board: readonly BoardZone[]): Totals {
  const spots = board.flatMap((zone) => zone.spots);
  const count = (wanted: BoardSpot['state']) => spots.filter(({ state }) => state === wanted).length;
  const carsWithoutSpot = board.reduce((sum, { occupied }) => sum + (occupied ?? 0), 0);
  return { spots: spots.length, free: count('free'), taken: count('taken'), notInUse: count('not_in_use'), carsWithoutSpot };
}
