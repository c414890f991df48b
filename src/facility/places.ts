/** Where a car is parked, and what people call that place. */
import type { RecordFor } from '../contract/contract.ts';
import type { Car } from './car-names.ts';

type Spot = RecordFor<'parkingSpots'>;
type Zone = RecordFor<'parkingZones'>;

/** By id. */
export interface PlaceRecords {
  readonly locations?: ReadonlyMap<string, RecordFor<'locations'>> | undefined;
  readonly zones: ReadonlyMap<string, Zone>;
  readonly spots: ReadonlyMap<string, Spot>;
}

export type Place = (
  | { readonly kind: 'spot'; readonly record: Spot }
  | { readonly kind: 'zone'; readonly record: Zone }
) & {
  /** `A3`; with its zone, and then its location, where two places have one name: `A3 · Hall A`. */
  readonly name: string;
};

/** Undefined for a car that isn't parked, or in a place that isn't among the records. */
export function placesOf({
  locations,
  zones,
  spots,
}: PlaceRecords): (car: Pick<Car, 'parkingSpotId' | 'parkingZoneId'>) => Place | undefined {
  const partsOf = (place: Spot | Zone): string[] => {
    const zone = 'zoneId' in place ? zones.get(place.zoneId ?? '') : undefined;
    return [
      place.name ?? place.id,
      zone?.name,
      locations?.get(place.locationId ?? '')?.name,
    ].filter((part) => typeof part === 'string');
  };
  const shortest = shortestNames([...spots.values(), ...zones.values()], partsOf);
  return ({ parkingSpotId, parkingZoneId }) => {
    const spot = spots.get(parkingSpotId ?? '');
    if (spot) return { kind: 'spot', record: spot, name: shortest(spot) };
    const zone = zones.get(parkingZoneId ?? '');
    return zone && { kind: 'zone', record: zone, name: shortest(zone) };
  };
}

/** The spot, zone and location of a car or a parking, where they are among the records. */
export function whereIs(
  { locations, zones, spots }: PlaceRecords,
  { parkingSpotId, parkingZoneId }: Pick<Car, 'parkingSpotId' | 'parkingZoneId'>,
) {
  const spot = spots.get(parkingSpotId ?? '');
  const zone = zones.get((spot ? spot.zoneId : parkingZoneId) ?? '');
  const location = locations?.get(spot?.locationId ?? zone?.locationId ?? '');
  return { spot, zone, location };
}

/** What tells a place from all others: `A3`, or with as many of its next parts as that takes. */
export function shortestNames<P>(
  all: readonly P[],
  partsOf: (place: P) => readonly string[],
): (place: P) => string {
  const namesOf = (place: P) => {
    const parts = partsOf(place);
    return parts.map((_, index) => parts.slice(0, index + 1).join(' · '));
  };
  const uses = new Map<string, number>();
  for (const name of all.flatMap(namesOf)) uses.set(name, (uses.get(name) ?? 0) + 1);
  return (place) => {
    const names = namesOf(place);
    return names.find((name) => uses.get(name) === 1) ?? (names.at(-1) as string);
  };
}
