/**
 * Which cars are parked where. The specification shows no field for it, so a server may tell it by its spots and zones, by its cars, or by
 * its parking assignments.
 */
import type { RecordFor } from '../../../contract/contract.ts';
import type { Car } from '../../lookup/car.ts';

type Zone = RecordFor<'parkingZones'>;
type Spot = RecordFor<'parkingSpots'>;
export type Assignment = RecordFor<'parkingAssignments'>;

/** Whether the server says by null that it doesn't know: it sends one where the interface has none. */
export const saysUnknownByNull = ({ isActive }: { readonly isActive?: unknown }): boolean => isActive === null;

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
  /** The ids of the cars in a zone without a spot; undefined where nothing tells. */
  readonly inZone: (zone: Zone) => readonly string[] | undefined;
  /** Whether spots, zones and cars leave something open, which assignments may tell. Never on our service. */
  readonly isOpen: boolean;
}

interface Placed {
  readonly carId: string;
  readonly spotId: string | null;
  readonly zoneId: string | null;
}

export function occupancyOf({ zones, spots, cars, assignments }: Parking): Occupancy {
  const placed = assignments ? Array.from(assignments.values(), ofAssignment) : placesOf(cars);
  const carOn = placed && new Map(placed.map(({ spotId, carId }) => [spotId, carId]));
  const inZones = placed && Map.groupBy(placed, ({ zoneId }) => zoneId);
  const inZone = ({ id }: Zone) => inZones && (inZones.get(id) ?? []).map(({ carId }) => carId);
  const spotsTell = [...spots.values()].some(({ occupiedByCarId }) => typeof occupiedByCarId === 'string');
  return {
    onSpot({ id, occupiedByCarId }) {
      if (spotsTell && occupiedByCarId !== undefined) return occupiedByCarId;
      return carOn ? (carOn.get(id) ?? null) : occupiedByCarId;
    },
    inZone,
    isOpen:
      [...spots.values()].some(({ occupiedByCarId }) => occupiedByCarId === undefined) ||
      [...zones.values()].some((zone) => cars && zone.occupied !== inZone(zone)?.length),
  };
}

const ofAssignment = ({ carId, parkingSpotId, parkingZoneId }: Assignment): Placed => ({
  carId,
  spotId: parkingSpotId,
  zoneId: parkingZoneId,
});

/** Undefined where the cars don't tell. */
function placesOf(cars: Parking['cars']): Placed[] | undefined {
  if (!cars) return undefined;
  const told = [...cars.values()].filter(({ parkingSpotId, parkingZoneId }) => parkingSpotId !== undefined || parkingZoneId !== undefined);
  if (told.length === 0 && cars.size > 0) return undefined;
  return told.map(({ id, parkingSpotId, parkingZoneId }) => ({ carId: id, spotId: parkingSpotId, zoneId: parkingZoneId }));
}
