/** Cars that came without photos, which prove in what state a car came. */
import type { Client } from '../../../client/client.ts';
import type { RecordFor } from '../../../contract/contract.ts';
import { gather } from '../../crud/methods.ts';
import type { Day } from '../../input/day.ts';
import { type Car, identityOf } from '../../lookup/car.ts';
import { type Place, placeFields } from '../counter/place.ts';
import type { CarWithoutPhotos } from './model.ts';
import { readNamed, readRecords } from './records.ts';

interface Asked {
  readonly day: Day;
  readonly locationId: string | undefined;
  readonly types: ReadonlyMap<string, RecordFor<'eventTypes'>>;
}

/**
 * Cars that were dropped off on a day, are still here, and have no photo in any of their sessions of that day.
 * A photo that is attached to no session tells nothing of the day and does not count.
 */
export async function readCarsWithoutPhotos(client: Client, { day, locationId, types }: Asked): Promise<CarWithoutPhotos[]> {
  // A session changes when its event opens it, so one of the day has changed since the day began.
  const changed = await gather(client.eventSessions.all({ status: 'open', updatedAfter: day.from }));
  const ofDay = changed.filter(
    ({ carId, startedAt }) => carId !== null && startedAt !== null && startedAt >= day.from && startedAt <= day.to,
  );
  const photographed = new Set(ofDay.filter(({ photoCount }) => photoCount > 0).map(({ carId }) => carId));
  const dropoffs = ofDay
    .filter(({ carId, eventTypeId }) => types.get(eventTypeId)?.config?.requiresParkingSpot && !photographed.has(carId))
    .sort((a, b) => String(a.startedAt).localeCompare(String(b.startedAt)));
  // The latest of each car: its photos are the ones that can still be taken.
  const latest = new Map(dropoffs.map((session) => [session.carId, session]));
  const cars = await readRecords((query) => client.cars.list(query), latest.keys());
  const here = [...cars.values()].filter(({ status }) => status === 'stored');
  const placeOf = await placeFinder(client, here, locationId);
  return here
    .flatMap((car) => {
      const session = latest.get(car.id);
      const place = placeOf(car);
      if (!session || (locationId !== undefined && place?.record.locationId !== locationId)) return [];
      const { id: sessionId, carEventId: eventId } = session;
      return [{ car: identityOf(car), ...placeFields(place), droppedOffAt: String(session.startedAt), sessionId, eventId }];
    })
    .sort((a, b) => a.droppedOffAt.localeCompare(b.droppedOffAt));
}

/** Where a location was asked for, the places must be read; otherwise they are a comfort. */
async function placeFinder(client: Client, cars: readonly Car[], locationId: string | undefined): Promise<(car: Car) => Place | undefined> {
  const read = locationId === undefined ? readNamed : readRecords;
  const [spots, zones] = await Promise.all([
    read(
      (query) => client.parkingSpots.list(query),
      cars.map(({ parkingSpotId }) => parkingSpotId),
    ),
    read(
      (query) => client.parkingZones.list(query),
      cars.map(({ parkingZoneId }) => parkingZoneId),
    ),
  ]);
  return ({ parkingSpotId, parkingZoneId }) => {
    const [spot, zone] = [spots.get(parkingSpotId ?? ''), zones.get(parkingZoneId ?? '')];
    if (spot) return { kind: 'spot', record: spot };
    return zone && { kind: 'zone', record: zone };
  };
}
