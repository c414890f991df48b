/**
 * Which cars are parked where. The specification shows no field for it: `parkingSpotId` and `parkingZoneId` of the cars tell it. A server
 * whose cars can't be read may still tell by its spots. Otherwise a place is unknown, never free.
 */
import { idKey } from '../client/ids.ts';
import type { RecordFor } from '../contract/contract.ts';
import type { Car } from './car-names.ts';

type Zone = RecordFor<'parkingZones'>;
type Spot = RecordFor<'parkingSpots'>;

export interface Occupancy {
  /** The id of the car on a spot, null for none; undefined where nothing tells. */
  readonly onSpot: (spot: Spot) => string | null | undefined;
  /** The ids of the cars in a zone without a spot. */
  readonly inZone: (zone: Zone) => readonly string[];
  /** Whether the cars tell their places, so that a place without a car is free. */
  readonly isWhole: boolean;
}

/** `cars`: undefined where they can't be read. */
export function occupancyOf(cars: Iterable<Car> | undefined): Occupancy {
  const all = [...(cars ?? [])];
  // Where some cars show their place, the others have none. Without a single car, none is parked.
  const isWhole =
    cars !== undefined &&
    (all.length === 0 ||
      all.some((car) => car.parkingSpotId !== undefined || car.parkingZoneId !== undefined));
  const carOn = new Map(
    all.filter((car) => car.parkingSpotId).map((car) => [idKey(car.parkingSpotId), car.id]),
  );
  const inZones = Map.groupBy(
    all.filter((car) => car.parkingZoneId),
    (car) => idKey(car.parkingZoneId),
  );
  return {
    onSpot: ({ id, occupiedByCarId }) =>
      isWhole ? (carOn.get(idKey(id)) ?? null) : occupiedByCarId,
    inZone: ({ id }) => (inZones.get(idKey(id)) ?? []).map((car) => car.id),
    isWhole,
  };
}
