import { type AppointmentStatus, appointments } from '../../contract/appointments.ts';
import type { RecordFor } from '../../contract/contract.ts';
import type { Context } from '../context.ts';
import { change, find, insert, newId } from '../records.ts';
import { Refusal } from '../refusal.ts';
import { type EventType, eventTypeByValue, requireTypeInUse } from './event-types.ts';
import { atTime, givenTarget, park, refuseArchived, release, requireTarget } from './places.ts';
import type { RulesOf } from './rule.ts';
import { openSession } from './sessions.ts';

/**
 * A drop-off, a move, a pick-up, a cleaning: event, photo session, parking and the car's status change together or not at all.
 */
export const carEvents: RulesOf<'carEvents'> = {
  async create(context, { body, parent: car }) {
    const type = await eventTypeByValue(context, body.activityType, 'activityType');
    requireTypeInUse(type);
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
    const appointment = body.appointmentId ? await requireAppointment(context, body.appointmentId, car, type) : undefined;

    const eventId = newId();
    const parking = target
      ? await park(context, { car, target, at, eventId })
      : type.config.releasesParkingSpot
        ? await release(context, { car, at, eventId })
        : undefined;
    const occurredAt = parking?.at ?? at.at;
    const session = appointment
      ? await openSession(context, { appointment, eventId, at: occurredAt })
      : await insert(context, 'eventSessions', {
          eventTypeId: type.id,
          carId: car.id,
          carEventId: eventId,
          status: 'open',
          startedAt: occurredAt,
          photoCount: 0,
        });
    if (appointment) await change(context, 'appointments', appointment, { status: 'in_progress' });
    return insert(context, 'carEvents', {
      id: eventId,
      activityType: type.value,
      parkingSpotId: body.parkingSpotId ?? null,
      parkingZoneId: body.parkingZoneId ?? null,
      notes: body.notes ?? null,
      occurredAt,
      appointmentId: appointment?.id ?? null,
      carId: car.id,
      eventTypeId: type.id,
      sessionId: session.id,
      parkingAssignmentId: parking?.assignment.id ?? null,
    });
  },
};

/** States in which an appointment still waits for its event, or is in the middle of it. */
const awaiting: ReadonlySet<AppointmentStatus> = new Set(['scheduled', 'pending_approval', 'accepted', 'checked_in', 'in_progress']);

/** An event fulfils an appointment of the same car and type that is not over (decision). */
async function requireAppointment(
  context: Context,
  id: string,
  car: RecordFor<'cars'>,
  type: EventType,
): Promise<RecordFor<'appointments'>> {
  const appointment = await find(context, 'appointments', id);
  if (!appointment) throw new Error('The appointment was checked before');
  const { status, carId, appointmentTypeId } = appointment;
  if (carId !== car.id) throw new Refusal('session_mismatch', 'The appointment is for another car', { appointmentId: id, carId });
  if (appointmentTypeId !== type.id) {
    const reason = appointmentTypeId ? 'is of another event type' : 'has no event type';
    throw new Refusal('session_mismatch', `The appointment ${reason}`, { appointmentId: id, appointmentTypeId, eventTypeId: type.id });
  }
  if (!awaiting.has(status)) {
    const allowed = appointments.transitions.to[status];
    throw new Refusal('invalid_transition', `The appointment is ${status}; set it to ${allowed.join(' or ')} before its event is logged`, {
      from: status,
      to: 'in_progress',
      allowed,
    });
  }
  return appointment;
}
