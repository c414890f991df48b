/**
 * Which cars are parked where. The specification shows no field for it, so a server may tell it by its spots and zones, by its cars, or by
 * its parking assignments.
 */
import { idKey } from '../client/ids.ts';
import type { RecordFor } from '../contract/contract.ts';
import type { Car } from './car-names.ts';

type Zone = RecordFor<'parkingZones'>;
type Spot = RecordFor<'parkingSpots'>;
export type Assignment = RecordFor<'parkingAssignments'>;

/** Whether the server says by null that it doesn't know: it sends one where the interface has none. */
export const saysUnknownByNull = ({ isActive }: { readonly isActive?: unknown }): boolean =>
  isActive === null;

/** By id. */
interface Parking {
  readonly zones: ReadonlyMap<string, Zone>;
  readonly spots: ReadonlyMap<string, Spot>;
  readonly cars: ReadonlyMap<string, Car> | undefined;
  /** Open ones; undefined where they weren't read. */
  readonly assignments?: ReadonlyMap<string, Assignment>;
}

export interface Occupancy {
  /** The id of the car on a spot, null for none; undefined where nothing tells. */
  readonly onSpot: (spot: Spot) => string | null | undefined;
  /** The ids of the cars in a zone without a spot, as far as something tells. */
  readonly inZone: (zone: Zone) => readonly string[];
  /** Whether the place of every parked car is known, so that a place without a car is free. */
  readonly isWhole: boolean;
  /** Whether spots, zones and cars leave something open, which assignments may tell. Never on our service. */
  readonly isOpen: boolean;
}

/** A car and its place, as a car or an assignment tells it. */
interface Placed {
  readonly carId: unknown;
  readonly spotId: unknown;
  readonly zoneId: unknown;
}

/** What one of the two lists tells. */
interface Told {
  readonly placed: readonly Placed[];
  readonly isWhole: boolean;
}

export function occupancyOf({ zones, spots, cars, assignments }: Parking): Occupancy {
  const lists = [toldByAssignments(assignments), toldByCars(cars)].filter(
    (told) => told !== undefined,
  );
  const { placed, isWhole } = lists.find((told) => told.isWhole) ??
    lists[0] ?? { placed: [], isWhole: false };
  const known = placed.filter(
    (one): one is Placed & { carId: string } => typeof one.carId === 'string',
  );
  const carOn = new Map(known.map(({ spotId, carId }) => [idKey(spotId), carId]));
  const inZones = Map.groupBy(known, ({ zoneId }) => idKey(zoneId));
  const inZone = ({ id }: Zone) => (inZones.get(idKey(id)) ?? []).map(({ carId }) => carId);
  const spotsTell = [...spots.values()].some(
    ({ occupiedByCarId }) => typeof occupiedByCarId === 'string',
  );
  return {
    onSpot(spot) {
      const { id, occupiedByCarId } = spot;
      if (spotsTell && occupiedByCarId !== undefined) return occupiedByCarId;
      if (carOn.has(idKey(id)) || isWhole) return carOn.get(idKey(id)) ?? null;
      return saysUnknownByNull(spot) ? undefined : occupiedByCarId;
    },
    inZone,
    isWhole,
    isOpen:
      [...spots.values()].some(({ occupiedByCarId }) => occupiedByCarId === undefined) ||
      [...zones.values()].some((zone) => cars && zone.occupied !== inZone(zone).length),
  };
}

/** An open assignment always has a car, and a spot or a zone. */
function toldByAssignments(assignments: Parking['assignments']): Told | undefined {
  if (!assignments) return undefined;
  const placed = Array.from(assignments.values(), ({ carId, parkingSpotId, parkingZoneId }) => ({
    ...{ carId, spotId: parkingSpotId, zoneId: parkingZoneId },
  }));
  const isText = (value: unknown) => typeof value === 'string';
  return {
    placed,
    isWhole: placed.every(
      ({ carId, spotId, zoneId }) => isText(carId) && (isText(spotId) || isText(zoneId)),
    ),
  };
}

/** Without a single car, nothing says that the server's cars tell their place. */
function toldByCars(cars: Parking['cars']): Told | undefined {
  if (!cars) return undefined;
  const placed = Array.from(cars.values(), ({ id, parkingSpotId, parkingZoneId }) => ({
    ...{ carId: id, spotId: parkingSpotId, zoneId: parkingZoneId },
  }));
  return {
    placed,
    isWhole:
      cars.size > 0 &&
      placed.every(({ spotId, zoneId }) => spotId !== undefined && zoneId !== undefined),
  };
}
