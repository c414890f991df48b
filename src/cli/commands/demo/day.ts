/** A day for `cs today`: arrivals, departures, a late one, a request, and a car without photos. */
import type { Client, RecordFor } from '../../../client/client.ts';
import type { CreateFor } from '../../../contract/contract.ts';
import { dayOf } from '../../input/day.ts';

type Car = RecordFor<'cars'>;

const minute = 60_000;

/** Fills the day of this time once. Returns false if it has appointments already. */
export async function fillDay(client: Client, now: Date): Promise<boolean> {
  const day = dayOf(now);
  const ofDay = await Array.fromAsync(
    client.appointments.all({ startFrom: day.from, startTo: day.to }),
  );
  if (ofDay.some(({ status }) => status !== 'pending_approval')) return false;
  await completeEarlierDays(client, day.from);
  const cars = (await Array.fromAsync(client.cars.all())).reverse();
  const here = cars.filter(({ status }) => status === 'stored');
  // The first car that isn't here is the one that the demo drops off.
  const [, ...away] = cars.filter(({ status }) => status !== 'stored');
  const withoutPhotos = away.pop();
  if (withoutPhotos) await dropOffWithoutPhotos(client, withoutPhotos, now);
  for (const appointment of planDay({ here, away }, now))
    await client.appointments.create(appointment);
  if ((await client.appointments.list({ status: 'pending_approval', limit: 1 })).data.length === 0)
    for (const request of planRequests(here, now)) await client.appointments.create(request);
  return true;
}

/** Yesterday's appointments would all be late. */
async function completeEarlierDays(client: Client, before: string): Promise<void> {
  for (const status of ['scheduled', 'accepted', 'checked_in', 'in_progress'] as const) {
    const open = await Array.fromAsync(client.appointments.all({ status, startTo: before }));
    for (const { id } of open) await client.appointments.update(id, { status: 'completed' });
  }
}

/** In the zone without spots, which is never full. */
async function dropOffWithoutPhotos(client: Client, car: Car, now: Date): Promise<void> {
  const zones = await Array.fromAsync(client.parkingZones.all());
  const zone = zones.find(({ capacity }) => capacity === null);
  if (!zone) return;
  const occurredAt = startWithinDay(now, -95).toISOString();
  await client.carEvents.create(car.id, {
    activityType: 'drop_off',
    parkingZoneId: zone.id,
    occurredAt,
    notes: 'Photos follow.',
  });
}

type NewAppointment = CreateFor<'appointments'>;

function planDay(
  { here, away }: { here: readonly Car[]; away: readonly Car[] },
  now: Date,
): NewAppointment[] {
  const visits: [Car | undefined, string, NewAppointment['status'], inMinutes: number][] = [
    [away[0], 'drop_off', 'scheduled', -50],
    [away[1], 'drop_off', 'accepted', 30],
    [away[2], 'drop_off', 'scheduled', 105],
    [here[0], 'pick_up', 'checked_in', -10],
    [here[1], 'pick_up', 'scheduled', 75],
    [here[2], 'interior_cleaning', 'in_progress', -30],
  ];
  return visits.flatMap(([car, eventType, status, inMinutes]) =>
    car ? [appointment(car, { eventType, status, start: startWithinDay(now, inMinutes) })] : [],
  );
}

function planRequests(here: readonly Car[], now: Date): NewAppointment[] {
  const tomorrow = new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1, 10);
  return here
    .slice(3, 4)
    .map((car) =>
      appointment(car, { eventType: 'inspection', status: 'pending_approval', start: tomorrow }),
    );
}

const durations: Readonly<Record<string, number>> = { interior_cleaning: 90, inspection: 45 };

function appointment(
  { id: carId, customerId }: Car,
  {
    eventType,
    status,
    start,
  }: { eventType: string; status: NewAppointment['status']; start: Date },
): NewAppointment {
  const endAt = new Date(start.getTime() + (durations[eventType] ?? 30) * minute).toISOString();
  return {
    carId,
    customerId: customerId ?? undefined,
    eventType,
    status,
    startAt: start.toISOString(),
    endAt,
  };
}

/** That many minutes from now, on a full five minutes, and never on another day. */
function startWithinDay(now: Date, inMinutes: number): Date {
  const { from, to } = dayOf(now);
  const step = 5 * minute;
  const wanted = Math.round((now.getTime() + inMinutes * minute) / step) * step;
  return new Date(Math.min(Math.max(wanted, Date.parse(from)), Date.parse(to) + 1 - step));
}
