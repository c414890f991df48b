import { type AppointmentStatus, appointments } from '../../contract/appointments.ts';
import type { RecordFor } from '../../contract/contract.ts';
import type { Context, ReadContext } from '../context.ts';
import { photoKind } from '../files/file-kinds.ts';
import { ApiProblem, invalidValue } from '../problem.ts';
import { change, find, findBy, findOrThrow, insert, newId, remove } from '../records.ts';
import { type EventType, eventTypeByValue, requireTypeInUse } from './event-types.ts';
import { requireLocationInUse } from './locations.ts';
import {
  atTime,
  givenTarget,
  park,
  refuseArchived,
  release,
  requireParkedIn,
  requireTarget,
} from './places.ts';
import { AlreadyExists, type RulesOf } from './rule.ts';
import { openSession } from './sessions.ts';
import { ingestFile, readBytes, releaseBytes } from './stored-bytes.ts';

export const cars: RulesOf<'cars'> = {
  async create(context, { body }, proceed) {
    requireModelYear(body.year, context.now);
    await requireLocationInUse(context, body.locationId);
    return proceed();
  },
  async update(context, { record, body }, proceed) {
    if (body.year !== undefined) requireModelYear(body.year, context.now);
    if (body.status === 'archived' && record.status === 'stored') {
      throw new ApiProblem('car_parked', 'The car is parked; log its pick-up before archiving it', {
        parkingSpotId: record.parkingSpotId,
        parkingZoneId: record.parkingZoneId,
      });
    }
    if (body.locationId !== record.locationId) await requireLocationInUse(context, body.locationId);
    return proceed();
  },
};

/** Decision: next year's models are sold this year. */
function requireModelYear(year: number, now: string): void {
  const latest = Number(now.slice(0, 4)) + 1;
  if (year > latest) throw invalidValue('year', 'too_big', `must be at most ${latest}`);
}

/** A drop-off, move, pick-up or cleaning: event, photo session, parking and the car's status change together or not at all. */
export const carEvents: RulesOf<'carEvents'> = {
  async create(context, { body, parent: car, preconditions }) {
    const type = await eventTypeByValue(context, body.activityType, 'activityType');
    requireTypeInUse(type, 'activityType');
    if (type.scope !== 'vehicle') {
      throw new ApiProblem(
        'event_type_scope_mismatch',
        `The event type ${type.value} isn't for cars: its scope is ${type.scope}`,
        {
          activityType: type.value,
          scope: type.scope,
        },
      );
    }
    refuseArchived(car);
    await requireParkedIn(context, car, preconditions.ifParkedIn);
    const target = type.config.requiresParkingSpot ? requireTarget(body) : givenTarget(body);
    if (type.config.releasesParkingSpot && target) {
      throw new ApiProblem(
        'parking_not_allowed',
        `The event type ${type.value} frees the car's place: leave out the spot and the zone`,
        {
          activityType: type.value,
        },
      );
    }
    const at = atTime(context, body.occurredAt, 'occurredAt');
    const appointment = body.appointmentId
      ? await requireAppointment(context, body.appointmentId, car, type)
      : undefined;

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

/** Statuses in which an appointment can get its event. */
const awaiting: ReadonlySet<AppointmentStatus> = new Set([
  'scheduled',
  'pending_approval',
  'accepted',
  'checked_in',
  'in_progress',
]);

/** An event fulfils an open appointment of the same car and type (decision). */
async function requireAppointment(
  context: Context,
  id: string,
  car: RecordFor<'cars'>,
  type: EventType,
): Promise<RecordFor<'appointments'>> {
  const appointment = await findOrThrow(context, 'appointments', id);
  const { status, carId, appointmentTypeId } = appointment;
  if (carId !== car.id)
    throw new ApiProblem('session_mismatch', 'The appointment is for another car', {
      appointmentId: id,
      carId,
    });
  if (appointmentTypeId !== type.id) {
    const reason = appointmentTypeId ? 'has another event type' : 'has no event type';
    throw new ApiProblem('session_mismatch', `The appointment ${reason}`, {
      appointmentId: id,
      appointmentTypeId,
      eventTypeId: type.id,
    });
  }
  if (!awaiting.has(status)) {
    const allowed = appointments.transitions.to[status];
    throw new ApiProblem(
      'invalid_transition',
      `The appointment is ${status}; set it to ${allowed.join(' or ')} before you log its event`,
      {
        from: status,
        to: 'in_progress',
        allowed,
      },
    );
  }
  return appointment;
}

export const carPhotos: RulesOf<'carPhotos'> = {
  async ingest(context, { parent: car, body }) {
    await requireSessionOf(context, car.id, body.sessionId ?? null);
    return ingestFile(context, photoKind, body);
  },
  async create(context, { parent: car, body, ingested }) {
    if (!ingested) throw new Error('The bytes of a photo are stored before its record');
    const sessionId = body.sessionId ?? null;
    const session = await requireSessionOf(context, car.id, sessionId);
    const same = await findBy(context, 'carPhotos', {
      carId: car.id,
      sessionId,
      sha256: ingested.values.sha256,
    });
    await ingested.store(context, { isNew: !same });
    if (same) return new AlreadyExists(same);
    const photo = await insert(context, 'carPhotos', {
      ...ingested.values,
      carId: car.id,
      sessionId,
    });
    if (session) {
      const started =
        session.status === 'ready' ? { status: 'open' as const, startedAt: context.now } : {};
      await change(context, 'eventSessions', session, {
        ...started,
        photoCount: session.photoCount + 1,
      });
    }
    return photo;
  },
  async delete(context, { record }) {
    await remove(context, 'carPhotos', record.id);
    const session = record.sessionId
      ? await find(context, 'eventSessions', record.sessionId)
      : undefined;
    if (session)
      await change(context, 'eventSessions', session, { photoCount: session.photoCount - 1 });
    await releaseBytes(context, record.sha256);
  },
  content: readBytes,
};

/** The session must be the car's and not cancelled. Its existence is already checked. */
async function requireSessionOf(context: ReadContext, carId: string, sessionId: string | null) {
  if (!sessionId) return undefined;
  const session = await find(context, 'eventSessions', sessionId);
  if (session?.carId !== carId)
    throw new ApiProblem('session_mismatch', 'The session belongs to another car', {
      sessionId,
      carId: session?.carId ?? null,
    });
  if (session.status === 'cancelled')
    throw new ApiProblem('session_closed', 'The session was cancelled', { sessionId });
  return session;
}
