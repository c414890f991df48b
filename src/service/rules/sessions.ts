/** The photo session of an appointment: created with it, kept in step with it, opened by its event. */
import type { AppointmentStatus } from '../../contract/appointments.ts';
import type { RecordFor } from '../../contract/contract.ts';
import type { Context } from '../context.ts';
import { ApiProblem } from '../problem.ts';
import { change, findBy, insert } from '../records.ts';

type Appointment = RecordFor<'appointments'>;
type Session = RecordFor<'eventSessions'>;

/** The appointment won't take place, unless it is scheduled again. */
const cancelledStatuses: ReadonlySet<AppointmentStatus> = new Set([
  'declined',
  'cancelled',
  'no_show',
]);

/** Creates the session of an appointment with a type (specification). */
export async function makeSession(context: Context, appointment: Appointment): Promise<void> {
  if (!appointment.appointmentTypeId) return;
  await insert(context, 'eventSessions', {
    appointmentId: appointment.id,
    eventTypeId: appointment.appointmentTypeId,
    carId: appointment.carId,
    customerId: appointment.customerId,
    status: cancelledStatuses.has(appointment.status) ? 'cancelled' : 'ready',
    photoCount: 0,
  });
}

/**
 * Updates the session after its appointment changed: cancelled if the appointment is called off or has no type any more; ready
 * again, or open if work had started, if it is resumed. Started work keeps its car and type.
 */
export async function followAppointment(context: Context, appointment: Appointment): Promise<void> {
  const session = await sessionOf(context, appointment);
  if (!session) return makeSession(context, appointment);
  const { appointmentTypeId, carId, customerId, status } = appointment;
  if (session.startedAt && (session.eventTypeId !== appointmentTypeId || session.carId !== carId)) {
    throw new ApiProblem(
      'session_mismatch',
      'Work has started, so the appointment keeps its car and event type',
      {
        sessionId: session.id,
        carId: session.carId,
        eventTypeId: session.eventTypeId,
      },
    );
  }
  const going = session.startedAt ? 'open' : 'ready';
  await change(context, 'eventSessions', session, {
    eventTypeId: appointmentTypeId ?? session.eventTypeId,
    carId,
    customerId,
    status: appointmentTypeId && !cancelledStatuses.has(status) ? going : 'cancelled',
  });
}

/** Opens an appointment's session for an event. Later events of the appointment share it. */
export async function openSession(
  context: Context,
  { appointment, eventId, at }: { appointment: Appointment; eventId: string; at: string },
): Promise<Session> {
  const session = await sessionOf(context, appointment);
  if (!session) throw new Error('An appointment with a type has a session');
  return change(context, 'eventSessions', session, {
    status: 'open',
    startedAt: session.startedAt ?? at,
    carEventId: session.carEventId ?? eventId,
  });
}

const sessionOf = (context: Context, { id }: Appointment) =>
  findBy(context, 'eventSessions', { appointmentId: id });
