/** The appointments of a day with the names of their cars, customers and locations. */
import type * as records from '../contract/records.ts';
import {
  carIdsIn,
  customerIdsIn,
  type Day,
  isWithin,
  nameDay,
  recentTo,
  sectionsOf,
  sessionsToName,
  timeOf,
  type Visit,
} from '../facility/day.ts';
import { photosOf } from '../facility/photo-checklist.ts';
import { placesOf } from '../facility/places.ts';
import { type Places, readPlaces, readTypes } from './facility-reader.ts';
import { follow, followByIds } from './followed.ts';
import { readAll, readByIds } from './read.ts';
import { dayKey, rangeOf } from './times.ts';

export interface DayReport
  extends Pick<Day, 'late' | 'waitingForApproval' | 'walkIns' | 'withoutPhotos'> {
  /** `2026-11-22`. */
  readonly date: string;
  readonly next: readonly Visit[];
  readonly done: readonly Visit[];
  readonly locations: Places['locations'];
}

/** Read once, then what has changed. A wall neither reads nor shows customers, requests and cars that came. */
export function dayReader(
  date: string,
  { isWall }: { readonly isWall: boolean },
): () => Promise<DayReport> {
  const day = rangeOf(date);
  const recent = recentTo(day);
  const isRequest = ({ status }: records.Appointment) => !isWall && status === 'pending_approval';
  const readAppointments = follow(
    async (updatedAfter) =>
      updatedAfter
        ? readAll('appointments', { updatedAfter })
        : (
            await Promise.all([
              readAll('appointments', { startFrom: recent.from, startTo: recent.to }),
              isWall ? [] : readAll('appointments', { status: 'pending_approval' }),
            ])
          ).flat(),
    (appointment) => isRequest(appointment) || isWithin(recent, appointment.startAt),
  );
  const readSessions = follow(
    (updatedAfter) =>
      readAll(
        'event-sessions',
        updatedAfter ? { updatedAfter } : { status: 'open', updatedAfter: day.from },
      ),
    ({ status }) => status === 'open',
  );
  /** Names of photos, by the state of their session. */
  const named = new Map<string, readonly string[]>();
  const stateOf = ({ id, photoCount, updatedAt }: records.EventSession) =>
    `${id} ${photoCount} ${updatedAt}`;
  const readCars = followByIds('cars');
  const readCustomers = followByIds('customers');
  return async () => {
    const [types, appointments, sessions, places] = await Promise.all([
      readTypes(),
      readAppointments(),
      isWall ? new Map<string, records.EventSession>() : readSessions(),
      readPlaces(),
    ]);
    const lists = {
      types,
      appointments: [...appointments.values()],
      sessions: [...sessions.values()],
      checklistOf: photosOf,
    };
    const unnamed = sessionsToName(lists, day).filter((one) => !named.has(stateOf(one)));
    const found = await readByIds(
      'team/photo-names',
      unnamed.map(({ id }) => id),
    );
    for (const one of unnamed) named.set(stateOf(one), found.get(one.id)?.names ?? []);
    const photosIn = (session: records.EventSession) => named.get(stateOf(session)) ?? [];
    const sections = sectionsOf({ ...lists, photosIn }, { day, now: new Date() });
    const cars = await readCars(carIdsIn(sections));
    const customers = isWall
      ? new Map<string, records.Customer>()
      : await readCustomers(customerIdsIn(sections, cars));
    const { arrivals, departures, other, late, ...rest } = nameDay(sections, {
      types,
      cars,
      customers,
      locations: places.locations,
      placeOf: placesOf(places),
    });
    const lateNow = date === dayKey(new Date()) ? late : [];
    const isLate = new Set(lateNow.map(({ appointment }) => appointment.id));
    const ofDay = [...arrivals, ...departures, ...other].sort(
      (a, b) => timeOf(a.appointment.startAt) - timeOf(b.appointment.startAt),
    );
    const isDone = ({ appointment }: Visit) => appointment.status === 'completed';
    return {
      ...rest,
      date,
      locations: places.locations,
      late: lateNow,
      next: ofDay.filter((visit) => !isDone(visit) && !isLate.has(visit.appointment.id)),
      done: ofDay.filter(isDone),
    };
  };
}
