/** Putting a car on a spot or in a zone, and taking it away: the one place where parking changes. */
import { sql } from 'kysely';
import { contract, type RecordFor } from '../../contract/contract.ts';
import type { Context } from '../context.ts';
import { change, find, insert } from '../records.ts';
import { Refusal } from '../refusal.ts';
import { toUtc } from '../values.ts';
import { clockToleranceMs } from './clock.ts';

type Car = RecordFor<'cars'>;
type Assignment = RecordFor<'parkingAssignments'>;
export type Target = { spotId: string } | { zoneId: string };

/** When something happened: `stated` is what the caller said, undefined when it is now. */
export interface Moment {
  readonly at: string;
  readonly stated: boolean;
}

/** The time that a body states, or the time of the request. */
export function atTime(context: Context, stated: string | null | undefined, field: string): Moment {
  if (!stated) return { at: context.now, stated: false };
  const at = toUtc(stated);
  if (Date.parse(at) > Date.parse(context.now) + clockToleranceMs) {
    throw new Refusal('occurred_at_in_future', `${field} lies in the future: ${at}; the service's time is ${context.now}`, {
      field,
      at,
      now: context.now,
    });
  }
  return { at, stated: true };
}

type Given = { parkingSpotId?: string | null; parkingZoneId?: string | null };

/** The spot or zone that a body names, if any. Both at once are refused. */
export function givenTarget({ parkingSpotId, parkingZoneId }: Given): Target | undefined {
  if (parkingSpotId && parkingZoneId) {
    throw new Refusal('conflicting_fields', 'Give a spot or a zone, not both', { fields: ['parkingSpotId', 'parkingZoneId'] });
  }
  if (parkingSpotId) return { spotId: parkingSpotId };
  return parkingZoneId ? { zoneId: parkingZoneId } : undefined;
}

/** Specification: exactly one of spot and zone. */
export function requireTarget(given: Given): Target {
  const target = givenTarget(given);
  if (target) return target;
  throw new Refusal('parking_required', 'A parking spot or zone is needed: give parkingSpotId or parkingZoneId', {
    fields: contract.parkingAssignments.atLeastOne,
  });
}

export function refuseArchived(car: Car): void {
  if (car.status === 'archived')
    throw new Refusal('car_archived', 'The car is archived; set its status to checked_out first', { carId: car.id });
}

interface ParkOptions {
  car: Car;
  target: Target;
  at: Moment;
  eventId?: string;
  notes?: string | null;
}

/** What became of a car's parking, and when: the time of the request may have moved on to follow the change before it. */
export interface ParkingChange {
  readonly assignment: Assignment;
  readonly at: string;
  /** The car stood there already. */
  readonly kept: boolean;
}

/**
 * Parks a car, ending the assignment it has: a move is one call. The same place again keeps the assignment.
 * An occupied spot is refused, never swapped or evicted.
 */
export async function park(context: Context, { car, target, at, eventId, notes = null }: ParkOptions): Promise<ParkingChange> {
  refuseArchived(car);
  const open = await openAssignment(context, car);
  if (open && ('spotId' in target ? open.parkingSpotId === target.spotId : open.parkingZoneId === target.zoneId)) {
    return { assignment: open, at: at.stated ? at.at : orderedTime(at, [open.startedAt]), kept: true };
  }
  if ('spotId' in target) await requireFreeSpot(context, target.spotId, car);
  else await requirePlaceInZone(context, target.zoneId);

  const when = orderedTime(at, [
    await latestOfCar(context, car),
    ...('spotId' in target ? [await latestOfSpot(context, target.spotId)] : []),
  ]);
  if (open) await end(context, open, when, eventId);
  const place =
    'spotId' in target ? { parkingSpotId: target.spotId, parkingZoneId: null } : { parkingSpotId: null, parkingZoneId: target.zoneId };
  const assignment = await insert(context, 'parkingAssignments', {
    carId: car.id,
    ...place,
    startedAt: when,
    startedByEventId: eventId ?? null,
    notes,
  });
  await occupy(context, target, car);
  await change(context, 'cars', car, { ...place, status: 'stored' });
  return { assignment, at: when, kept: false };
}

/** Frees the car's place; undefined when it has none. */
export async function release(
  context: Context,
  { car, at, eventId }: { car: Car; at: Moment; eventId?: string },
): Promise<ParkingChange | undefined> {
  const open = await openAssignment(context, car);
  if (!open) return undefined;
  const when = orderedTime(at, [await latestOfCar(context, car)]);
  const assignment = await end(context, open, when, eventId);
  await change(context, 'cars', car, { parkingSpotId: null, parkingZoneId: null, status: 'checked_out' });
  return { assignment, at: when, kept: false };
}

async function openAssignment({ db, team }: Context, car: Car): Promise<Assignment | undefined> {
  return db
    .selectFrom('parkingAssignments')
    .selectAll()
    .where('teamId', '=', team.id)
    .where('carId', '=', car.id)
    .where('endedAt', 'is', null)
    .executeTakeFirst();
}

async function requireFreeSpot(context: Context, spotId: string, car: Car): Promise<void> {
  const spot = await find(context, 'parkingSpots', spotId);
  if (!spot) throw new Error('The spot was checked before');
  const zone = spot.zoneId ? await find(context, 'parkingZones', spot.zoneId) : undefined;
  await requireInUse(context, 'spot', spot);
  if (zone && !zone.isActive) throw inactive('zone', zone.name, { parkingSpotId: spot.id, parkingZoneId: zone.id });
  if (spot.occupiedByCarId && spot.occupiedByCarId !== car.id) {
    throw new Refusal('parking_spot_occupied', `Another car stands on ${spot.name}`, {
      parkingSpotId: spot.id,
      occupiedByCarId: spot.occupiedByCarId,
    });
  }
}

async function requirePlaceInZone(context: Context, zoneId: string): Promise<void> {
  const zone = await find(context, 'parkingZones', zoneId);
  if (!zone) throw new Error('The zone was checked before');
  await requireInUse(context, 'zone', zone);
  if (zone.capacity !== null && zone.occupied >= zone.capacity) {
    throw new Refusal('parking_zone_full', `${zone.name} is full: ${zone.occupied} of ${zone.capacity}`, {
      parkingZoneId: zone.id,
      capacity: zone.capacity,
      occupied: zone.occupied,
    });
  }
}

async function requireInUse(
  context: Context,
  kind: 'spot' | 'zone',
  place: { id: string; name: string; isActive: boolean; locationId: string },
): Promise<void> {
  const details = kind === 'spot' ? { parkingSpotId: place.id } : { parkingZoneId: place.id };
  if (!place.isActive) throw inactive(kind, place.name, details);
  const location = await find(context, 'locations', place.locationId);
  if (location && !location.isActive) throw inactive('location', location.name, { ...details, locationId: location.id });
}

const inactive = (kind: string, name: string, details: unknown) =>
  new Refusal('parking_inactive', `The ${kind} ${name} is not in use`, details);

async function end(context: Context, assignment: Assignment, endedAt: string, eventId: string | undefined): Promise<Assignment> {
  const ended = await change(context, 'parkingAssignments', assignment, { endedAt, endedByEventId: eventId ?? null });
  if (assignment.parkingSpotId) {
    const spot = await find(context, 'parkingSpots', assignment.parkingSpotId);
    if (spot) await change(context, 'parkingSpots', spot, { occupiedByCarId: null });
  }
  if (assignment.parkingZoneId) await countInZone(context, assignment.parkingZoneId, -1);
  return ended;
}

async function occupy(context: Context, target: Target, car: Car): Promise<void> {
  if ('zoneId' in target) return countInZone(context, target.zoneId, 1);
  const spot = await find(context, 'parkingSpots', target.spotId);
  if (spot) await change(context, 'parkingSpots', spot, { occupiedByCarId: car.id });
}

async function countInZone(context: Context, zoneId: string, by: 1 | -1): Promise<void> {
  const zone = await find(context, 'parkingZones', zoneId);
  if (zone) await change(context, 'parkingZones', zone, { occupied: zone.occupied + by });
}

/**
 * Parking is a history without overlaps: a stated time may not lie before the latest change that it follows.
 * Without a stated time the change simply comes after it.
 */
function orderedTime(moment: Moment, changes: (string | null)[]): string {
  const latest = changes.reduce<string | null>((max, time) => (time && (!max || time > max) ? time : max), null);
  if (!latest || moment.at >= latest) return moment.at;
  if (!moment.stated) return latest;
  throw new Refusal('occurred_at_conflict', `${moment.at} lies before the latest change of the same parking, at ${latest}`, {
    at: moment.at,
    latest,
  });
}

const latestOfCar = (context: Context, car: Car) => latestChange(context, 'carId', car.id);
const latestOfSpot = (context: Context, spotId: string) => latestChange(context, 'parkingSpotId', spotId);

async function latestChange({ db, team }: Context, field: 'carId' | 'parkingSpotId', id: string): Promise<string | null> {
  const row = await db
    .selectFrom('parkingAssignments')
    .select(sql<string | null>`max(coalesce("endedAt", "startedAt"))`.as('latest'))
    .where('teamId', '=', team.id)
    .where(field, '=', id)
    .executeTakeFirst();
  return row?.latest ?? null;
}
