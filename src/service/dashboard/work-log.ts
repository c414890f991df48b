/** What admins and staff do with the cars, in the log of their team. */
import type { Operation } from '../../contract/operations.ts';
import { type AuditEntry, audit } from '../audit.ts';
import type { Context } from '../context.ts';
import { find } from '../records.ts';

/** By operation: the action, the field with the id of its subject, and what is told of it. */
const entries: Readonly<
  Record<string, { action: AuditEntry['action']; subject: string; tells: readonly string[] }>
> = {
  'carEvents.create': { action: 'car.event', subject: 'carId', tells: ['activityType'] },
  'parkingAssignments.create': { action: 'car.move', subject: 'carId', tells: [] },
  'carPhotos.create': { action: 'car.photo', subject: 'carId', tells: ['filename'] },
  'appointments.update': {
    action: 'appointment.change',
    subject: 'id',
    tells: ['status', 'startAt'],
  },
  'locations.create': { action: 'place.add', subject: 'id', tells: ['name'] },
  'parkingZones.create': { action: 'place.add', subject: 'id', tells: ['name'] },
  'parkingSpots.create': { action: 'place.add', subject: 'id', tells: ['name'] },
};

export async function noteWork(
  context: Context,
  actor: string,
  { id }: Operation,
  written: Readonly<Record<string, unknown>>,
): Promise<void> {
  const entry = entries[id];
  if (!entry) throw new Error(`The log has no words for ${id}`);
  const { action, subject, tells } = entry;
  const car =
    typeof written.carId === 'string' ? await find(context, 'cars', written.carId) : undefined;
  const name = car && (car.licensePlate ?? car.nickname ?? car.vin ?? `${car.make} ${car.model}`);
  await audit(context, actor, {
    action,
    subject: written[subject] as string,
    details: {
      ...(name !== undefined && { car: name }),
      ...Object.fromEntries(tells.map((field) => [field, written[field]])),
    },
  });
}
