/** The appointments of a day with the names of their cars, customers and locations. */
import type * as records from '../contract/records.ts';
import {
  byStart,
  dropoffsWithoutPhotos,
  isWithin,
  type Lateness,
  lateForDays,
  sectionsOf,
} from '../facility/day.ts';
import { follow, followByIds } from './followed.ts';
import { readAll, readByIds } from './read.ts';
import { dayKey, endOfDay, shiftDay, startOfDay } from './times.ts';

export interface Visit {
  readonly appointment: records.Appointment;
  readonly type: string;
  readonly car: records.Car | undefined;
  readonly customer: string | undefined;
  readonly location: string | undefined;
  readonly late?: Lateness;
}

export interface DayReport {
  /** `2026-11-22`. */
  readonly date: string;
  readonly late: readonly Visit[];
  readonly next: readonly Visit[];
  readonly done: readonly Visit[];
  readonly withoutPhotos: readonly {
    readonly car: records.Car;
    readonly place: string | undefined;
    readonly droppedOffAt: string;
  }[];
  readonly waitingForApproval: readonly Visit[];
}

/** Read once, then what has changed. A wall neither reads nor shows customers, requests and cars without photos. */
export function dayReader(
  date: string,
  { isWall }: { readonly isWall: boolean },
): (signal: AbortSignal) => Promise<DayReport> {
  const day = { from: startOfDay(date).toISOString(), to: endOfDay(date).toISOString() };
  const recent = { from: startOfDay(shiftDay(date, -lateForDays)).toISOString(), to: day.to };
  const readTypes = follow((updatedAfter, signal) =>
    readAll('event-types', { updatedAfter }, signal),
  );
  const isRequest = ({ status }: records.Appointment) => !isWall && status === 'pending_approval';
  const readAppointments = follow(
    async (updatedAfter, signal) =>
      updatedAfter
        ? readAll('appointments', { updatedAfter }, signal)
        : (
            await Promise.all([
              readAll('appointments', { startFrom: recent.from, startTo: recent.to }, signal),
              isWall ? [] : readAll('appointments', { status: 'pending_approval' }, signal),
            ])
          ).flat(),
    (appointment) => isRequest(appointment) || isWithin(recent, appointment.startAt),
  );
  const readSessions = follow(
    (updatedAfter, signal) =>
      readAll(
        'event-sessions',
        updatedAfter ? { updatedAfter } : { status: 'open', updatedAfter: day.from },
        signal,
      ),
    ({ status }) => status === 'open',
  );
  const readCars = followByIds('cars');
  const readCustomers = followByIds('customers');
  const readLocations = followByIds('locations');
  return async (signal) => {
    const [types, appointments, sessions] = await Promise.all([
      readTypes(signal),
      readAppointments(signal),
      isWall ? new Map<string, records.EventSession>() : readSessions(signal),
    ]);
    const all = [...appointments.values()];
    const requests = all.filter(isRequest);
    const { arrivals, departures, other, late } = sectionsOf(
      all.filter(({ startAt }) => isWithin(recent, startAt)),
      { day, now: new Date(), types },
    );
    const isToday = date === dayKey(new Date());
    const ofDay = [...arrivals, ...departures, ...other].sort(byStart);
    const shown = [
      ...ofDay,
      ...(isToday ? late.map(({ appointment }) => appointment) : []),
      ...requests,
    ];
    const dropoffs = dropoffsWithoutPhotos([...sessions.values()], { day, types });
    const [cars, customers, locations] = await Promise.all([
      readCars([...shown.map(({ carId }) => carId), ...dropoffs.keys()], signal),
      isWall
        ? new Map<string, records.Customer>()
        : readCustomers(
            shown.map(({ customerId }) => customerId),
            signal,
          ),
      readLocations(
        shown.map(({ locationId }) => locationId),
        signal,
      ),
    ]);
    const here = [...dropoffs.keys()]
      .flatMap((id) => cars.get(id) ?? [])
      .filter(({ status }) => status === 'stored');
    const placeOf = await placeReader(here, signal);
    const lateness = new Map(late.map(({ appointment, ...one }) => [appointment.id, one]));
    const visitOf = (appointment: records.Appointment): Visit => {
      const type = types.get(appointment.appointmentTypeId ?? '');
      const customer = customers.get(appointment.customerId ?? '');
      const late = isToday ? lateness.get(appointment.id) : undefined;
      return {
        appointment,
        type: type?.name ?? type?.value ?? 'Appointment',
        car: cars.get(appointment.carId ?? ''),
        customer: customer && customerName(customer),
        location: locations.get(appointment.locationId ?? '')?.name,
        ...(late && { late }),
      };
    };
    const isOpen = ({ id, status }: records.Appointment) =>
      status !== 'completed' && !(isToday && lateness.has(id));
    return {
      date,
      late: isToday ? late.map(({ appointment }) => visitOf(appointment)) : [],
      next: ofDay.filter(isOpen).map(visitOf),
      done: ofDay.filter(({ status }) => status === 'completed').map(visitOf),
      withoutPhotos: here.map((car) => ({
        car,
        place: placeOf(car),
        droppedOffAt: String(dropoffs.get(car.id)?.startedAt),
      })),
      waitingForApproval: requests.sort(byStart).map(visitOf),
    };
  };
}

export const customerName = ({
  firstName,
  lastName,
  companyName,
  email,
  phone,
}: records.Customer): string =>
  [firstName, lastName].filter(Boolean).join(' ') || (companyName ?? email ?? phone ?? '');

/** The spot or zone of each car with its location, where another spot may have the same name: `A1, Harbour`. */
export async function placeReader(
  cars: readonly Pick<records.Car, 'parkingSpotId' | 'parkingZoneId'>[],
  signal: AbortSignal,
): Promise<(car: Pick<records.Car, 'parkingSpotId' | 'parkingZoneId'>) => string | undefined> {
  const [spots, zones] = await Promise.all([
    readByIds(
      'parking/spots',
      cars.map(({ parkingSpotId }) => parkingSpotId),
      signal,
    ),
    readByIds(
      'parking/zones',
      cars.map(({ parkingZoneId }) => parkingZoneId),
      signal,
    ),
  ]);
  const locations = await readByIds(
    'locations',
    [...spots.values(), ...zones.values()].map(({ locationId }) => locationId),
    signal,
  );
  return ({ parkingSpotId, parkingZoneId }) => {
    const place = spots.get(parkingSpotId ?? '') ?? zones.get(parkingZoneId ?? '');
    return place && [place.name, locations.get(place.locationId)?.name].filter(Boolean).join(', ');
  };
}
