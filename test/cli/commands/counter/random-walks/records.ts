/** What a service holds before and after a walk, and what of it a summary says. */
import type { RecordFor } from '../../../../../src/contract/contract.ts';
import type { Counter } from '../counter.ts';

interface Records {
  readonly cars: RecordFor<'cars'>[];
  readonly customers: RecordFor<'customers'>[];
  readonly appointments: RecordFor<'appointments'>[];
  readonly assignments: RecordFor<'parkingAssignments'>[];
  readonly spots: RecordFor<'parkingSpots'>[];
  readonly events: RecordFor<'carEvents'>[];
  readonly photos: RecordFor<'carPhotos'>[];
}

export async function readRecords({ make }: Counter): Promise<Records> {
  const [cars, customers, appointments, assignments, spots] = await Promise.all(
    ['/cars', '/customers', '/appointments', '/parking/assignments', '/parking/spots'].map((path) =>
      make.read(`${path}?limit=200`),
    ),
  );
  const below = async (what: string) =>
    (
      await Promise.all(cars.map(({ id }: { id: string }) => make.read(`/cars/${id}/${what}`)))
    ).flat();
  return {
    cars,
    customers,
    appointments,
    assignments,
    spots,
    events: await below('events'),
    photos: await below('photos'),
  };
}

/** The records of `after` that are new or have changed. */
export function changesBetween(before: Records, after: Records): Records {
  const known = new Set(
    Object.values(before).flatMap((list: readonly object[]) =>
      list.map((record) => JSON.stringify(record)),
    ),
  );
  const changed = (list: readonly object[]) =>
    list.filter((record) => !known.has(JSON.stringify(record)));
  return Object.fromEntries(
    Object.entries(after).map(([name, list]) => [name, changed(list)]),
  ) as unknown as Records;
}

export const countOf = (records: Records): number =>
  Object.values(records).reduce((sum, list) => sum + list.length, 0);

export type Command = 'dropoff' | 'pickup' | 'move' | 'appointments';

/** The rows of the summary that would be true of these changes; undefined for a row that it must not have. */
export async function rowsOf(
  { make, hall, harbour }: Counter,
  command: Command,
  { before, changes }: { readonly before: Records; readonly changes: Records },
): Promise<Record<string, string | undefined>> {
  const types: RecordFor<'eventTypes'>[] = await make.read('/event-types');
  const typeName = (is: (type: RecordFor<'eventTypes'>) => boolean) =>
    types.find(is)?.name ?? undefined;
  const carText = async (id: string) => {
    const { licensePlate, year, make: maker, model, nickname } = await make.read(`/cars/${id}`);
    return [licensePlate, `${year} ${maker} ${model}`, nickname && `“${nickname}”`]
      .filter(Boolean)
      .join(' · ');
  };
  const place = async (spotId: string | null | undefined, zoneId: string | null | undefined) => {
    const name = spotId
      ? `${(await make.read(`/parking/spots/${spotId}`)).name} · ${hall.name}`
      : zoneId
        ? hall.name
        : undefined;
    return name && `${name} · ${harbour.name}`;
  };
  if (command === 'appointments') {
    const [made] = changes.appointments;
    return {
      Event: typeName(({ id }) => id === made?.appointmentTypeId) ?? 'no type',
      Car: made?.carId ? await carText(made.carId) : undefined,
      Time: localTime(made?.startAt),
    };
  }
  const [assignment] = changes.assignments.filter(({ endedAt }) => endedAt === null);
  if (command === 'move')
    return { Place: await place(assignment?.parkingSpotId, assignment?.parkingZoneId) };
  const [event] = changes.events;
  const [customer] = changes.customers;
  const carId = event?.carId ?? '';
  const wasKnown = before.cars.some(({ id }) => id === carId);
  const left = before.assignments.find((one) => one.carId === carId && one.endedAt === null);
  const appointment = before.appointments.find(({ id }) => id === event?.appointmentId);
  const { color, mileage } = await make.read(`/cars/${carId}`);
  return {
    Car: (await carText(carId)) + (wasKnown ? '' : ' (new)'),
    Colour: wasKnown ? undefined : (color ?? undefined),
    // No car of the walk had one before.
    Mileage: mileage?.toString(),
    ...(customer && {
      Owner: `${[customer.firstName, customer.lastName].join(' ')} · ${customer.phone} (new)`,
    }),
    Event: `${typeName(({ value }) => value === event?.activityType)} · now`,
    ...(command === 'dropoff'
      ? { Place: await place(event?.parkingSpotId, event?.parkingZoneId) }
      : { 'Parked in': await place(left?.parkingSpotId, left?.parkingZoneId) }),
    Fulfils: appointment && `today ${localTime(appointment.startAt)?.slice(-5)}`,
    Notes: event?.notes ?? undefined,
    Photos: changes.photos.length === 0 ? undefined : `${changes.photos.length} photo`,
  };
}

/** What of the summary is compared: not the size of the photos, nor the end of an appointment. */
export function compared(
  command: Command,
  rows: Readonly<Record<string, string>>,
): Record<string, string | undefined> {
  const of = (label: string, kept = /.*/) => kept.exec(rows[label] ?? '')?.[0] || undefined;
  if (command === 'move') return { Place: of('Place') };
  if (command === 'appointments')
    return { Event: of('Event'), Car: of('Car'), Time: of('Time', /\d{4}-\d\d-\d\d \d\d:\d\d/) };
  return {
    Car: of('Car'),
    Colour: of('Colour'),
    Mileage: of('Mileage'),
    ...(rows.Owner?.endsWith('(new)') && { Owner: rows.Owner }),
    Event: of('Event'),
    ...(command === 'dropoff' ? { Place: of('Place') } : { 'Parked in': of('Parked in') }),
    Fulfils: of('Fulfils', /^today \d\d:\d\d/),
    Notes: of('Notes'),
    Photos: of('Photos', /^\d+ photo/),
  };
}

function localTime(iso: string | null | undefined): string | undefined {
  if (!iso) return undefined;
  const at = new Date(iso);
  const two = (number: number) => String(number).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${two(at.getHours())}:${two(at.getMinutes())}`;
}
