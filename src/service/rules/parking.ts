import type { Context } from '../context.ts';
import { change, find } from '../records.ts';
import { invalid, Refusal } from '../refusal.ts';
import { toUtc } from '../values.ts';
import { requireActive } from './locations.ts';
import { atTime, park, release, requireTarget } from './places.ts';
import { Existing, type RulesOf } from './rule.ts';

export const parkingZones: RulesOf<'parkingZones'> = {
  filters: {
    available: (where, value) => {
      const free = where.and([where('isActive', '=', true), where.or([where('capacity', 'is', null), where('available', '>', 0)])]);
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
      const free = where.and([where('isActive', '=', true), where('occupiedByCarId', 'is', null)]);
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

async function requireZoneOf(context: Context, locationId: string, zoneId: string | null | undefined): Promise<void> {
  if (!zoneId) return;
  const zone = await find(context, 'parkingZones', zoneId);
  if (zone?.locationId !== locationId)
    throw invalid([{ path: 'zoneId', rule: 'same_location', message: 'must be a zone of the same location as the spot' }]);
}

export const parkingAssignments: RulesOf<'parkingAssignments'> = {
  filters: {
    active: (where, value) => where('endedAt', value ? 'is' : 'is not', null),
  },
  async create(context, { body }) {
    const car = await find(context, 'cars', body.carId);
    if (!car) throw new Error('The car was checked before');
    const target = requireTarget(body);
    const { assignment, kept } = await park(context, {
      car,
      target,
      at: atTime(context, body.startedAt, 'startedAt'),
      notes: body.notes ?? null,
    });
    return kept ? new Existing(assignment) : assignment;
  },
  async update(context, { record, body }, proceed) {
    if (body.endedAt === undefined || (record.endedAt !== null && body.endedAt !== null && toUtc(body.endedAt) === record.endedAt))
      return proceed();
    if (record.endedAt !== null) {
      throw new Refusal('not_parked', 'This assignment has ended and is never reopened; make a new one', { endedAt: record.endedAt });
    }
    if (body.endedAt === null) return proceed();
    const car = await find(context, 'cars', record.carId);
    if (!car) throw new Error('An assignment names its car');
    const ended = await release(context, { car, at: atTime(context, body.endedAt, 'endedAt') });
    if (!ended) throw new Error('An open assignment can be ended');
    return body.notes === undefined ? ended : change(context, 'parkingAssignments', ended, { notes: body.notes });
  },
};
