import type { RecordFor } from '../../contract/contract.ts';
import type { Context } from '../context.ts';
import { insert, newId } from '../records.ts';
import { Refusal } from '../refusal.ts';
import { atTime, givenTarget, park, refuseArchived, release, requireTarget } from './places.ts';
import type { RulesOf } from './rule.ts';

/**
 * A drop-off, a move, a pick-up, a cleaning: event, photo session, parking and the car's status change together or not at all.
 */
export const carEvents: RulesOf<'carEvents'> = {
  async create(context, { body, parent: car }) {
    const type = await eventTypeByValue(context, body.activityType);
    if (!type.isActive)
      throw new Refusal('event_type_inactive', `The event type ${type.value} is no longer used`, { activityType: type.value });
    if (type.scope !== 'vehicle') {
      throw new Refusal('event_type_scope_mismatch', `${type.value} is not performed on a car: its scope is ${type.scope}`, {
        activityType: type.value,
        scope: type.scope,
      });
    }
    refuseArchived(car);
    const target = type.config.requiresParkingSpot ? requireTarget(body) : givenTarget(body);
    if (type.config.releasesParkingSpot && target) {
      throw new Refusal('parking_not_allowed', `${type.value} frees the car's parking, so no spot or zone can be given`, {
        activityType: type.value,
      });
    }
    const at = atTime(context, body.occurredAt, 'occurredAt');

    const eventId = newId();
    const parking = target
      ? (await park(context, { car, target, at, eventId })).assignment
      : type.config.releasesParkingSpot
        ? await release(context, { car, at, eventId })
        : undefined;
    const session = await insert(context, 'eventSessions', {
      eventTypeId: type.id,
      carId: car.id,
      carEventId: eventId,
      status: 'open',
      startedAt: at.at,
      photoCount: 0,
    });
    return insert(context, 'carEvents', {
      id: eventId,
      activityType: type.value,
      parkingSpotId: body.parkingSpotId ?? null,
      parkingZoneId: body.parkingZoneId ?? null,
      notes: body.notes ?? null,
      occurredAt: at.at,
      carId: car.id,
      eventTypeId: type.id,
      sessionId: session.id,
      parkingAssignmentId: parking?.id ?? null,
    });
  },
};

async function eventTypeByValue({ db, team }: Context, value: string): Promise<RecordFor<'eventTypes'>> {
  const type = await db.selectFrom('eventTypes').selectAll().where('teamId', '=', team.id).where('value', '=', value).executeTakeFirst();
  if (!type) throw new Refusal('not_found', `No event type ${value}`, { field: 'activityType' });
  return type;
}
