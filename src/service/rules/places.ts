/** Parks and releases cars: the only code that changes parking. */
import { sql } from 'kysely';
import { contract, type RecordFor } from '../../contract/contract.ts';
import type { Context } from '../context.ts';
import { ApiProblem } from '../problem.ts';
import { change, find, findBy, findOrThrow, insert, listBy } from '../records.ts';
import { toUtc } from '../values.ts';
import { clockToleranceMs } from './times.ts';

type Car = RecordFor<'cars'>;
type Assignment = RecordFor<'parkingAssignments'>;
export type Target = { spotId: string } | { zoneId: string };

/** When something happened: `stated` if the caller gave the time. */
interface Moment {
  readonly at: string;
  readonly stated: boolean;
}

/** The time in a body, else the time of the request. */
export function atTime(context: Context, stated: string | null | undefined, field: string): Moment {
  if (!stated) return { at: context.now, stated: false };
  const at = toUtc(stated);
  if (Date.parse(at) > Date.parse(context.now) + clockToleranceMs) {
    throw new ApiProblem(
      'occurred_at_in_future',
      `${field} is in the future: ${at}; the service's time is ${context.now}`,
      {
        field,
        at,
        now: context.now,
      },
    );
  }
  return { at, stated: true };
}

type Given = { parkingSpotId?: string | null; parkingZoneId?: string | null };

/** The spot or zone in a body. Both at once are refused. */
export function givenTarget({ parkingSpotId, parkingZoneId }: Given): Target | undefined {
  if (parkingSpotId && parkingZoneId) {
    throw new ApiProblem('conflicting_fields', 'Give a spot or a zone, not both', {
      fields: ['parkingSpotId', 'parkingZoneId'],
    });
  }
  if (parkingSpotId) return { spotId: parkingSpotId };
  return parkingZoneId ? { zoneId: parkingZoneId } : undefined;
}

/** Specification: exactly one of spot and zone. */
export function requireTarget(given: Given): Target {
  const target = givenTarget(given);
  if (target) return target;
  throw new ApiProblem(
    'parking_required',
    'A parking spot or zone is required: give parkingSpotId or parkingZoneId',
    {
      fields: contract.parkingAssignments.atLeastOne,
    },
  );
}

export function refuseArchived(car: Car): void {
  if (car.status === 'archived')
    throw new ApiProblem(
      'car_archived',
      'The car is archived; set its status to checked_out first',
      { carId: car.id },
    );
}

/** Refuses with the latest change of the car's parking unless the car is parked as expected: in a spot or zone, `any` or `none`. */
export async function requireParkedIn(
  context: Context,
  car: Car,
  expected: string | undefined,
): Promise<void> {
  const placeId = car.parkingSpotId ?? car.parkingZoneId;
  if (
    expected === undefined ||
    expected === (placeId ?? 'none') ||
    (expected === 'any' && placeId !== null)
  )
    return;
  const parkedIn = await placeOf(context, car);
  const change = await changeOf(
    context,
    (await openAssignment(context, car)) ?? (await lastEnded(context, car)),
  );
  const state = parkedIn ? `is parked in ${parkedIn.name}` : "isn't parked";
  const by = change?.key ? ` with the key ${change.key}` : '';
  const cause = change ? `: ${change.activityType ?? change.kind} at ${change.at}${by}` : '';
  throw new ApiProblem('parking_changed', `The car ${state}${cause}`, {
    carId: car.id,
    expected,
    parkedIn,
    change,
  });
}

async function placeOf(context: Context, { parkingSpotId, parkingZoneId }: Car) {
  const spot = parkingSpotId ? await find(context, 'parkingSpots', parkingSpotId) : undefined;
  const zone = parkingZoneId ? await find(context, 'parkingZones', parkingZoneId) : undefined;
  if (spot) return { kind: 'spot', id: spot.id, name: spot.name };
  return zone ? { kind: 'zone', id: zone.id, name: zone.name } : null;
}

/** The latest change of an assignment: its start or its end, with the event and the key. */
async function changeOf(context: Context, assignment: Assignment | undefined) {
  if (!assignment) return null;
  const { id: assignmentId, endedAt } = assignment;
  const [kind, at, key, eventId] =
    endedAt === null
      ? ([
          'parked',
          assignment.startedAt,
          assignment.startedByKey,
          assignment.startedByEventId,
        ] as const)
      : (['released', endedAt, assignment.endedByKey, assignment.endedByEventId] as const);
  const event = eventId ? await find(context, 'carEvents', eventId) : undefined;
  return { kind, at, key, assignmentId, eventId, activityType: event?.activityType ?? null };
}

async function lastEnded({ db, team }: Context, car: Car): Promise<Assignment | undefined> {
  return db
    .selectFrom('parkingAssignments')
    .selectAll()
    .where('teamId', '=', team.id)
    .where('carId', '=', car.id)
    .orderBy('endedAt', 'desc')
    .orderBy('startedAt', 'desc')
    .limit(1)
    .executeTakeFirst();
}

interface ParkOptions {
  car: Car;
  target: Target;
  at: Moment;
  eventId?: string;
  notes?: string | null;
}

/** The result of a parking change, and its time, which may be later than the request to follow the change before it. */
interface ParkingChange {
  readonly assignment: Assignment;
  readonly at: string;
  /** The car was there already. */
  readonly unchanged: boolean;
}

/**
 * Parks a car, ending its current assignment: a move is one call. The same place again keeps the assignment. An occupied spot is
 * refused.
 */
export async function park(
  context: Context,
  { car, target, at, eventId, notes = null }: ParkOptions,
): Promise<ParkingChange> {
  const open = await openAssignment(context, car);
  if (
    open &&
    ('spotId' in target
      ? open.parkingSpotId === target.spotId
      : open.parkingZoneId === target.zoneId)
  ) {
    const when = at.stated ? at.at : await timeOfChange(context, at, { carId: car.id });
    return { assignment: open, at: when, unchanged: true };
  }
  if ('spotId' in target) await requireFreeSpot(context, target.spotId, car);
  else await requirePlaceInZone(context, target.zoneId);

  const when = await timeOfChange(context, at, {
    carId: car.id,
    ...('spotId' in target && { parkingSpotId: target.spotId }),
  });
  if (open) await end(context, open, when, eventId);
  const place =
    'spotId' in target
      ? { parkingSpotId: target.spotId, parkingZoneId: null }
      : { parkingSpotId: null, parkingZoneId: target.zoneId };
  const assignment = await insert(context, 'parkingAssignments', {
    carId: car.id,
    ...place,
    startedAt: when,
    startedByEventId: eventId ?? null,
    startedByKey: context.keyName,
    notes,
  });
  await occupy(context, target, car);
  await change(context, 'cars', car, { ...place, status: 'stored' });
  return { assignment, at: when, unchanged: false };
}

/** Frees the car's place; undefined if it has none. */
export async function release(
  context: Context,
  { car, at, eventId }: { car: Car; at: Moment; eventId?: string },
): Promise<ParkingChange | undefined> {
  const open = await openAssignment(context, car);
  if (!open) return undefined;
  const when = await timeOfChange(context, at, { carId: car.id });
  const assignment = await end(context, open, when, eventId);
  await change(context, 'cars', car, {
    parkingSpotId: null,
    parkingZoneId: null,
    status: 'checked_out',
  });
  return { assignment, at: when, unchanged: false };
}

const openAssignment = (context: Context, car: Car) =>
  findBy(context, 'parkingAssignments', { carId: car.id, endedAt: null });

async function requireFreeSpot(context: Context, spotId: string, car: Car): Promise<void> {
  const spot = await findOrThrow(context, 'parkingSpots', spotId);
  const zone = spot.zoneId ? await find(context, 'parkingZones', spot.zoneId) : undefined;
  await requireInUse(context, 'spot', spot);
  if (zone && !zone.isActive)
    throw inactive('zone', zone.name, { parkingSpotId: spot.id, parkingZoneId: zone.id });
  if (spot.occupiedByCarId && spot.occupiedByCarId !== car.id) {
    throw new ApiProblem('parking_spot_occupied', `Another car is parked in ${spot.name}`, {
      parkingSpotId: spot.id,
      occupiedByCarId: spot.occupiedByCarId,
      change: await changeOf(
        context,
        await findBy(context, 'parkingAssignments', { parkingSpotId: spot.id, endedAt: null }),
      ),
    });
  }
}

async function requirePlaceInZone(context: Context, zoneId: string): Promise<void> {
  const zone = await findOrThrow(context, 'parkingZones', zoneId);
  await requireInUse(context, 'zone', zone);
  if (zone.capacity !== null && zone.occupied >= zone.capacity) {
    throw new ApiProblem(
      'parking_zone_full',
      `${zone.name} is full: ${zone.occupied} of ${zone.capacity}`,
      {
        parkingZoneId: zone.id,
        capacity: zone.capacity,
        occupied: zone.occupied,
      },
    );
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
  if (location && !location.isActive)
    throw inactive('location', location.name, { ...details, locationId: location.id });
}

const inactive = (kind: string, name: string, details: unknown) =>
  new ApiProblem('parking_inactive', `The ${kind} ${name} isn't active`, details);

async function end(
  context: Context,
  assignment: Assignment,
  endedAt: string,
  eventId: string | undefined,
): Promise<Assignment> {
  const ended = await change(context, 'parkingAssignments', assignment, {
    endedAt,
    endedByEventId: eventId ?? null,
    endedByKey: context.keyName,
  });
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

/** What changes: the parking of a car, and of the spot it takes. */
interface Changing {
  readonly carId: string;
  readonly parkingSpotId?: string;
}

/**
 * The time of a change. Parking history has no overlaps: a stated time can't be before the latest change, nor before the car's latest
 * event that says where it is, and an unstated one comes after both.
 */
async function timeOfChange(context: Context, moment: Moment, changing: Changing): Promise<string> {
  const times = [await latestParkingEvent(context, changing.carId)];
  for (const [field, id] of Object.entries(changing) as [keyof Changing, string][])
    times.push(await latestChange(context, field, id));
  const latest = times.reduce((max, time) => (time && (!max || time > max) ? time : max), null);
  if (moment.stated && latest && moment.at < latest) {
    throw new ApiProblem(
      'occurred_at_conflict',
      `${moment.at} is before the latest parking change of this car or spot, at ${latest}`,
      { at: moment.at, latest },
    );
  }
  return latest && latest > moment.at ? latest : moment.at;
}

async function latestChange(
  { db, team }: Context,
  field: keyof Changing,
  id: string,
): Promise<string | null> {
  const { last } = await db
    .selectFrom('parkingAssignments')
    .select(sql<string | null>`max(coalesce("endedAt", "startedAt"))`.as('last'))
    .where('teamId', '=', team.id)
    .where(field, '=', id)
    .executeTakeFirstOrThrow();
  return last;
}

/**
 * The time of the car's latest event that parks or frees it. One that found it there already, or gone already, changed no parking, but
 * says where the car was then.
 */
async function latestParkingEvent(context: Context, carId: string): Promise<string | null> {
  const types = await listBy(context, 'eventTypes', {}, 'value');
  const freeing = types.filter(({ config }) => config.releasesParkingSpot).map(({ id }) => id);
  const { latest } = await context.db
    .selectFrom('carEvents')
    .select(({ fn }) => fn.max('occurredAt').as('latest'))
    .where('teamId', '=', context.team.id)
    .where('carId', '=', carId)
    .where((where) =>
      where.or([
        where('parkingAssignmentId', 'is not', null),
        ...(freeing.length > 0 ? [where('eventTypeId', 'in', freeing)] : []),
      ]),
    )
    .executeTakeFirstOrThrow();
  return latest;
}
