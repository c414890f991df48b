/** The stored cars with their series of appointments, and what is due of them. */
import type { Client } from '../../../client/client.ts';
import { byId, isSameId } from '../../../client/ids.ts';
import type { RecordFor } from '../../../contract/contract.ts';
import { type Car, titleOf } from '../../../facility/car-names.ts';
import { isCare, isOpen } from '../../../facility/care.ts';
import { customerName } from '../../../facility/customer-name.ts';
import { latenessOf } from '../../../facility/day.ts';
import { compareNaturally } from '../../../facility/natural.ts';
import { placesOf, whereIs } from '../../../facility/places.ts';
import type { Context } from '../../context.ts';
import { missingFieldError } from '../../errors/missing-path.ts';
import type { Row } from '../../output/view.ts';
import { gather } from '../../resources/methods.ts';
import { localTimeZone, timeInZone } from '../counter/time-zones.ts';
import { type AreaFlags, resolveArea } from '../live/area.ts';
import { ifOpen, parkedCars, readPlaces, recordsOf } from '../live/read.ts';

const consequence = 'no series can be recognised';

/** `types`: every one of the server. Exit 9 where it doesn't tell what a series is recognised by. */
export async function readSeries(
  client: Client,
  types: readonly RecordFor<'eventTypes'>[],
  query: { readonly startTo?: string } = {},
) {
  const [cars, places] = await Promise.all([parkedCars(client, consequence), readPlaces(client)]);
  const appointments = await gather(client.appointments.all(query));
  for (const field of ['carId', 'appointmentTypeId', 'recurrenceFrequency', 'status'] as const)
    if (appointments.length > 0 && appointments.every((one) => one[field] === undefined))
      throw missingFieldError(`the ${field} of appointments`, consequence);
  cars.sort((a, b) => compareNaturally(titleOf(a), titleOf(b)));
  const [storedCars, knownTypes] = [byId(cars), byId(types)];
  const series = appointments.flatMap((appointment) => {
    const { id, carId, appointmentTypeId, recurrenceFrequency } = appointment;
    const car = storedCars.get(carId);
    if (!car || !recurrenceFrequency || !appointmentTypeId) return [];
    const type = knownTypes.get(appointmentTypeId);
    if (!type) throw missingFieldError(`the event type of the appointment ${id}`, consequence);
    return [{ appointment, car, type }];
  });
  const siteOf = (car: Car) => {
    const { zone, location } = whereIs(places, car);
    const timezone = location?.timezone;
    const timeZone = timezone && timeInZone(timezone, '2026-01-01') ? timezone : localTimeZone();
    const row = { car: titleOf(car), carId: car.id, location: location?.name ?? null };
    return { zoneId: zone?.id, locationId: location?.id, timeZone, row };
  };
  return { cars, places, series, siteOf };
}

const dayMs = 86_400_000;

/** By start. */
export async function careDue(
  context: Context,
  { days = 7, ...area }: AreaFlags & { readonly days?: number },
): Promise<Row[]> {
  const now = context.io.now();
  const { zoneId, locationId } = await resolveArea(context, area);
  const client = await context.client();
  const types = await gather(client.eventTypes.all());
  const last = new Date(now.getTime() + days * dayMs).toISOString();
  // No zone is more than a day off.
  const startTo = new Date(Date.parse(last) + 2 * dayMs).toISOString();
  const { places, series, siteOf } = await readSeries(client, types, { startTo });
  const found = series.flatMap(({ appointment, car, type }) => {
    const { id, status, startAt } = appointment;
    const site = siteOf(car);
    if (!startAt || !isOpen(appointment) || status === 'pending_approval' || !isCare(type))
      return [];
    if (zoneId !== undefined && !isSameId(site.zoneId, zoneId)) return [];
    if (locationId !== undefined && !isSameId(site.locationId, locationId)) return [];
    const [at = '', end = ''] = [startAt, last].map((time) => timeInZone(site.timeZone, time));
    if (at.slice(0, 10) > end.slice(0, 10)) return [];
    const state = latenessOf(appointment, now) ? 'overdue' : 'due';
    return [{ car, row: { state, at, type: type.value, ...site.row, startAt, id } }];
  });
  found.sort(
    ({ row: a }, { row: b }) =>
      Date.parse(a.startAt) - Date.parse(b.startAt) || compareNaturally(a.car, b.car),
  );
  // What was missed before is done by the same work.
  const lastOverdue = new Map(
    found
      .filter(({ row }) => row.state === 'overdue')
      .map(({ row }) => [`${row.carId} ${row.type}`, row.id]),
  );
  const shown = found.filter(
    ({ row }) => row.state === 'due' || lastOverdue.get(`${row.carId} ${row.type}`) === row.id,
  );
  const ids = shown.map(({ car }) => car.customerId);
  const owners = await ifOpen(recordsOf(ids, (query) => client.customers.all(query)));
  if (!owners) context.warn("Without the owners: the key or the server doesn't show customers.");
  const nameOf = placesOf(places);
  return shown.map(({ car, row }) => {
    const owner = owners?.get(car.customerId ?? '');
    const customer = (owner && customerName(owner)) || null;
    return { ...row, place: nameOf(car)?.name ?? null, customer, phone: owner?.phone ?? null };
  });
}
