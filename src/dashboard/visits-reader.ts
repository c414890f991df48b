/** Appointments with the names of their cars, customers and places, by start. */
import type * as records from '../contract/records.ts';
import { timeOf, type Visit } from '../facility/day.ts';
import { placesOf } from '../facility/places.ts';
import { readPlaces, readTypes } from './facility-reader.ts';
import { type Query, readAll, readByIds } from './read.ts';

/** Of these states, an appointment is still to come or under way. */
const open: ReadonlySet<string> = new Set([
  'pending_approval',
  'scheduled',
  'accepted',
  'checked_in',
  'in_progress',
]);
export const isOpen = ({ status }: Pick<records.Appointment, 'status'>): boolean =>
  open.has(status);

/** Of one or several searches, each appointment once. */
export async function readVisits(wanted: readonly Query[]): Promise<Visit[]> {
  const [found, types, places] = await Promise.all([
    Promise.all(wanted.map((query) => readAll('appointments', query))),
    readTypes(),
    readPlaces(),
  ]);
  const appointments = [...new Map(found.flat().map((one) => [one.id, one])).values()];
  const cars = await readByIds(
    'cars',
    appointments.map(({ carId }) => carId),
  );
  const customerOf = ({ carId, customerId }: records.Appointment) =>
    customerId ?? cars.get(carId ?? '')?.customerId;
  const customers = await readByIds('customers', appointments.map(customerOf));
  const placeOf = placesOf(places);
  return appointments
    .map((appointment): Visit => {
      const car = cars.get(appointment.carId ?? '');
      return {
        appointment,
        car,
        customer: customers.get(customerOf(appointment) ?? ''),
        place: car && placeOf(car),
        type: types.get(appointment.appointmentTypeId ?? ''),
        location: places.locations.get(appointment.locationId ?? ''),
      };
    })
    .sort((a, b) => timeOf(a.appointment.startAt) - timeOf(b.appointment.startAt));
}
