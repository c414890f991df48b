import type { Context } from '../context.ts';
import type { Where } from '../lists.ts';
import { ApiProblem, invalidValue } from '../problem.ts';
import { change, find, findOrThrow } from '../records.ts';
import { toUtc } from '../values.ts';
import { requireActive } from './locations.ts';
import { atTime, park, refuseArchived, release, requireParkedIn, requireTarget } from './places.ts';
import { AlreadyExists, type RulesOf } from './rule.ts';

export const parkingZones: RulesOf<'parkingZones'> = {
  filters: {
    available: (where, value) => {
      const room = where.or([where('capacity', 'is', null), where('available', '>', 0)]);
      const free = where.and([
        where('isActive', '=', true),
        room,
        inUse(where, 'locations', 'parkingZones.locationId'),
      ]);
      return value ? free : where.not(free);
    },
  },
  async create(context, { body }, proceed) {
    requireActive(await find(context, 'locations', body.locationId));
    return proceed();
  },
};

export const parkingSpots: RulesOf<'parkingSpots'> = {
  filters: {
    available: (where, value) => {
      const zone = where.or([
        where('zoneId', 'is', null),
        inUse(where, 'parkingZones', 'parkingSpots.zoneId'),
      ]);
      const place = inUse(where, 'locations', 'parkingSpots.locationId');
      const free = where.and([
        where('isActive', '=', true),
        where('occupiedByCarId', 'is', null),
        zone,
        place,
      ]);
      return value ? free : where.not(free);
    },
  },
  async create(context, { body }, proceed) {
    requireActive(await find(context, 'locations', body.locationId));
    await requireZoneOf(context, body.locationId, body.zoneId);
    return proceed();
  },
  async update(context, { record, body }, proceed) {
    await requireZoneOf(context, record.locationId, body.zoneId);
    return proceed();
  },
};

/** Whether a row's location or zone is active: nothing can be parked in an inactive one. */
function inUse(where: Where, table: 'locations' | 'parkingZones', column: string) {
  const above = where
    .selectFrom(`${table} as above`)
    .select('above.id')
    .where('above.isActive', '=', true);
  return where.exists(
    above
      .whereRef('above.id', '=', column)
      .whereRef('above.teamId', '=', `${column.split('.')[0]}.teamId`),
  );
}

async function requireZoneOf(
  context: Context,
  locationId: string,
  zoneId: string | null | undefined,
): Promise<void> {
  if (!zoneId) return;
  const zone = await find(context, 'parkingZones', zoneId);
  if (zone?.locationId !== locationId)
    throw invalidValue('zoneId', 'same_location', "must be a zone at the spot's location");
}

export const parkingAssignments: RulesOf<'parkingAssignments'> = {
  filters: {
    active: (where, value) => where('endedAt', value ? 'is' : 'is not', null),
  },
  async create(context, { body, preconditions }) {
    const car = await findOrThrow(context, 'cars', body.carId);
    const target = requireTarget(body);
    refuseArchived(car);
    await requireParkedIn(context, car, preconditions.ifParkedIn);
    const { assignment, unchanged } = await park(context, {
      car,
      target,
      at: atTime(context, body.startedAt, 'startedAt'),
      notes: body.notes ?? null,
    });
    return unchanged ? new AlreadyExists(assignment) : assignment;
  },
  async update(context, { record, body }, proceed) {
    if (
      body.endedAt === undefined ||
      (record.endedAt !== null && body.endedAt !== null && toUtc(body.endedAt) === record.endedAt)
    )
      return proceed();
    if (record.endedAt !== null) {
      throw new ApiProblem(
        'not_parked',
        "This assignment has ended and can't be reopened; create a new one",
        {
          endedAt: record.endedAt,
          endedByEventId: record.endedByEventId,
          endedByKey: record.endedByKey,
        },
      );
    }
    if (body.endedAt === null) return proceed();
    const car = await findOrThrow(context, 'cars', record.carId);
    const ended = await release(context, { car, at: atTime(context, body.endedAt, 'endedAt') });
    if (!ended) throw new Error('An open assignment can be ended');
    return change(context, 'parkingAssignments', ended.assignment, { notes: body.notes });
  },
};
