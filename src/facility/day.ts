/** A day of the facility: who comes and goes, who is late, who came without an appointment, and which cars still need photos. */
import { IdSet, isSameId } from '../client/ids.ts';
import type { AppointmentStatus } from '../contract/appointments.ts';
import type { RecordFor } from '../contract/contract.ts';
import type { Car } from './car-names.ts';
import { freesPlace, requiresPlace } from './event-type.ts';
import { missingPhotos } from './photo-checklist.ts';
import type { Place } from './places.ts';

type Appointment = RecordFor<'appointments'>;
type EventSession = RecordFor<'eventSessions'>;

/** Its first and its last millisecond, as ISO 8601. */
export interface DayRange {
  readonly from: string;
  readonly to: string;
}

/** Days for which an appointment that was never completed stays late. */
const lateForDays = 7;

const waiting: ReadonlySet<AppointmentStatus> = new Set(['scheduled', 'accepted']);
const going: ReadonlySet<AppointmentStatus> = new Set(['checked_in', 'in_progress']);
/** Excluded from the day. */
const excluded: ReadonlySet<AppointmentStatus> = new Set([
  'pending_approval',
  'declined',
  'cancelled',
  'no_show',
]);

/** Whether a time lies in the day. Servers write the same time in different zones, so text isn't compared. */
export const isWithin = ({ from, to }: DayRange, iso: unknown): boolean => {
  const time = timeOf(iso);
  return time >= timeOf(from) && time <= timeOf(to);
};

/** Milliseconds since 1970, to compare and sort by; without a time, before all others. */
export function timeOf(iso: unknown): number {
  const time = typeof iso === 'string' ? Date.parse(iso) : Number.NaN;
  return Number.isNaN(time) ? Number.NEGATIVE_INFINITY : time;
}

/** `not_checked_in`: past its start. `not_completed`: past its end and still in progress. */
export interface Lateness {
  readonly reason: 'not_checked_in' | 'not_completed';
  /** Since its start or end. */
  readonly lateMinutes: number;
}

export function latenessOf(
  { status, startAt, endAt }: Appointment,
  now: Date,
): Lateness | undefined {
  const minutesSince = (time: string | null) =>
    time === null ? -1 : Math.floor((now.getTime() - Date.parse(time)) / 60_000);
  const [sinceStart, sinceEnd] = [minutesSince(startAt), minutesSince(endAt)];
  if (waiting.has(status) && sinceStart >= 1)
    return { reason: 'not_checked_in', lateMinutes: sinceStart };
  if (going.has(status) && sinceEnd >= 1) return { reason: 'not_completed', lateMinutes: sinceEnd };
  return undefined;
}

/** What a day is made of. The lists may hold more: what belongs to the day is found in them. */
export interface DayLists {
  readonly types: ReadonlyMap<string, RecordFor<'eventTypes'>>;
  /** Of the day, of the `lateForDays` before, and those that wait for approval. */
  readonly appointments: readonly Appointment[];
  /** That changed since the start of the day. */
  readonly sessions: readonly EventSession[];
  /** The photos that an event of a type should have (default: any photo will do). */
  readonly checklistOf?: (type: RecordFor<'eventTypes'>) => readonly string[];
  /** The names of the photos of a session that `sessionsToName` tells. */
  readonly photosIn?: (session: EventSession) => readonly string[];
}

interface Sections<Visit, Arrival> {
  /** Appointments of the day that park a car, those that free its place, and others, by start. */
  readonly arrivals: readonly Visit[];
  readonly departures: readonly Visit[];
  readonly other: readonly Visit[];
  /** Of the day and the days before. */
  readonly late: readonly (Visit & { readonly late: Lateness })[];
  /** For any day. */
  readonly waitingForApproval: readonly Visit[];
  /** Cars that came on the day without an appointment. */
  readonly walkIns: readonly Arrival[];
  /** Cars that came on the day, and have no photo in any session of the day, or not all of the list. */
  readonly withoutPhotos: readonly (Arrival & { readonly missing: readonly string[] })[];
}

/** The appointments and sessions of a day, before the records that they name are read. */
export type DaySections = Sections<
  { readonly appointment: Appointment },
  { readonly session: Dropoff }
>;
type Dropoff = EventSession & { readonly carId: string };

export function sectionsOf(
  lists: DayLists,
  { day, now }: { readonly day: DayRange; readonly now: Date },
): DaySections {
  const { types, appointments } = lists;
  const byStart = appointments.toSorted(
    (a, b) => timeOf(a.startAt) - timeOf(b.startAt) || (a.id < b.id ? -1 : 1),
  );
  const ofDay = byStart.filter(
    ({ startAt, status }) => isWithin(day, startAt) && !excluded.has(status),
  );
  const kind = ({ appointmentTypeId }: Appointment) => {
    const type = types.get(appointmentTypeId ?? '') ?? {};
    return requiresPlace(type) ? 'arrival' : freesPlace(type) ? 'departure' : 'other';
  };
  const ofKind = (wanted: ReturnType<typeof kind>) =>
    ofDay.filter((one) => kind(one) === wanted).map((appointment) => ({ appointment }));
  const arrivals = ofKind('arrival');
  const recent = recentTo(day);
  return {
    arrivals,
    departures: ofKind('departure'),
    other: ofKind('other'),
    late: byStart
      .filter(({ startAt }) => isWithin(recent, startAt))
      .flatMap((appointment) => {
        const late = latenessOf(appointment, now);
        return late ? [{ appointment, late }] : [];
      }),
    waitingForApproval: byStart
      .filter(({ status }) => status === 'pending_approval')
      .map((appointment) => ({ appointment })),
    ...cameOn(lists, { day, expected: arrivals }),
  };
}

/**
 * Whether work on a car on this day may be for an appointment: for an open one of the day, or for a `late` one of the days
 * before whose work hasn't begun. One without a start is of every day.
 */
export function dueOn(
  day: DayRange,
  { status, startAt }: Pick<Appointment, 'status' | 'startAt'>,
): 'today' | 'late' | undefined {
  if (!waiting.has(status) && !going.has(status)) return undefined;
  if (startAt === null || isWithin(day, startAt)) return 'today';
  return status !== 'in_progress' && isWithin(recentTo(day), startAt) ? 'late' : undefined;
}

/** The day with the days before it, whose appointments can still be late. */
export function recentTo({ from, to }: DayRange): DayRange {
  const since = new Date(from);
  since.setDate(since.getDate() - lateForDays);
  return { from: since.toISOString(), to };
}

/** Sessions of the day, by start; those of drop-offs; and what a type's events should show. */
function ofDay({ types, sessions, checklistOf = () => [] }: DayLists, day: DayRange) {
  const all = sessions
    .filter((one): one is Dropoff => one.carId !== null && isWithin(day, one.startedAt))
    .sort((a, b) => timeOf(a.startedAt) - timeOf(b.startedAt));
  const typeOf = ({ eventTypeId }: EventSession) => types.get(eventTypeId);
  const listOf = (session: EventSession) => {
    const type = typeOf(session);
    return type ? checklistOf(type) : [];
  };
  return { all, listOf, dropoffs: all.filter((one) => requiresPlace(typeOf(one) ?? {})) };
}

const isSameCar = (a: Dropoff) => (b: Dropoff) => isSameId(a.carId, b.carId);

/** The sessions whose photos must be known by name to tell which are missing. */
export function sessionsToName(lists: DayLists, day: DayRange): Dropoff[] {
  const { all, listOf, dropoffs } = ofDay(lists, day);
  const listed = dropoffs.filter((one) => listOf(one).length > 0);
  return all.filter((one) => one.photoCount > 0 && listed.some(isSameCar(one)));
}

/** One line for each car: a walk-in with its first drop-off, a car without photos with its last one, since photos can still be taken for that. */
function cameOn(
  lists: DayLists,
  { day, expected }: { day: DayRange; expected: DaySections['arrivals'] },
): Pick<DaySections, 'walkIns' | 'withoutPhotos'> {
  const { all, listOf, dropoffs } = ofDay(lists, day);
  const announced = new IdSet(
    [
      ...all.filter(({ appointmentId }) => appointmentId),
      ...expected.map(({ appointment }) => appointment),
    ].flatMap(({ carId }) => carId ?? []),
  );
  // Where no session shows its appointment, nothing tells who came without one.
  const isKnown = dropoffs.some(({ appointmentId }) => appointmentId !== undefined);
  const walkIns = dropoffs.filter(({ carId }) => isKnown && !announced.has(carId));
  const photographed = (car: Dropoff) =>
    all.filter((one) => one.photoCount > 0 && isSameCar(car)(one));
  return {
    walkIns: walkIns
      .filter((one) => walkIns.find(isSameCar(one)) === one)
      .map((session) => ({ session })),
    withoutPhotos: dropoffs
      .filter((one) => dropoffs.findLast(isSameCar(one)) === one)
      .flatMap((session) => {
        const sessions = photographed(session);
        const { photosIn } = lists;
        const missing =
          sessions.length === 0 || photosIn
            ? missingPhotos(
                listOf(session),
                sessions.flatMap((one) => photosIn?.(one) ?? []),
              )
            : [];
        return sessions.length === 0 || missing.length > 0 ? [{ session, missing }] : [];
      }),
  };
}

export interface DayNames {
  readonly types: ReadonlyMap<string, RecordFor<'eventTypes'>>;
  readonly cars: ReadonlyMap<string, Car>;
  readonly customers: ReadonlyMap<string, RecordFor<'customers'>>;
  readonly locations: ReadonlyMap<string, RecordFor<'locations'>>;
  readonly placeOf: (car: Car) => Place | undefined;
}

interface Named {
  readonly car: Car | undefined;
  /** Of the appointment, otherwise the owner. */
  readonly customer: RecordFor<'customers'> | undefined;
  /** Where the car is parked. */
  readonly place: Place | undefined;
}

export interface Visit extends Named {
  readonly appointment: Appointment;
  readonly type: RecordFor<'eventTypes'> | undefined;
  readonly location: RecordFor<'locations'> | undefined;
  readonly late?: Lateness;
}

export interface Arrival extends Named {
  readonly car: Car;
  readonly session: EventSession;
}

export type Day = Sections<Visit, Arrival>;

/** The ids of the cars of a day. */
export const carIdsIn = (sections: DaySections): string[] =>
  [
    ...visitsIn(sections).map(({ appointment }) => appointment.carId),
    ...[...sections.walkIns, ...sections.withoutPhotos].map(({ session }) => session.carId),
  ].filter((id) => id !== null);

/** Those of the appointments, otherwise the owners. */
export const customerIdsIn = (
  sections: DaySections,
  cars: ReadonlyMap<string, Car>,
): (string | null | undefined)[] => [
  ...visitsIn(sections).map(({ appointment }) => appointment.customerId),
  ...carIdsIn(sections).map((id) => cars.get(id)?.customerId),
];

export const visitsIn = <V>(sections: Sections<V, unknown>): V[] => [
  ...sections.arrivals,
  ...sections.departures,
  ...sections.other,
  ...sections.late,
  ...sections.waitingForApproval,
];

function named(names: DayNames, carId: string | null, customerId?: string | null): Named {
  const car = names.cars.get(carId ?? '');
  const customer = names.customers.get(customerId ?? car?.customerId ?? '');
  return { car, customer, place: car && names.placeOf(car) };
}

/** An appointment with the names of its records. */
export function nameVisit<V extends { readonly appointment: Appointment }>(
  visit: V,
  names: DayNames,
): V & Visit {
  const { appointmentTypeId, carId, customerId, locationId } = visit.appointment;
  return {
    ...visit,
    ...named(names, carId, customerId),
    type: names.types.get(appointmentTypeId ?? ''),
    location: names.locations.get(locationId ?? ''),
  };
}

/** With `locationId`, only the cars that came to that location; the appointments are those that were read. */
export function nameDay(sections: DaySections, names: DayNames, locationId?: string): Day {
  const visitOf = <V extends DaySections['arrivals'][number]>(visit: V) => nameVisit(visit, names);
  const arrivalOf = <A extends DaySections['walkIns'][number]>(arrival: A): (A & Arrival)[] => {
    const { car, place, customer } = named(names, arrival.session.carId);
    const isHere = locationId === undefined || isSameId(place?.record.locationId, locationId);
    return car && isHere ? [{ ...arrival, car, place, customer }] : [];
  };
  return {
    arrivals: sections.arrivals.map(visitOf),
    departures: sections.departures.map(visitOf),
    other: sections.other.map(visitOf),
    late: sections.late.map(visitOf),
    waitingForApproval: sections.waitingForApproval.map(visitOf),
    walkIns: sections.walkIns.flatMap(arrivalOf),
    // Those that have left can't be photographed.
    withoutPhotos: sections.withoutPhotos
      .flatMap(arrivalOf)
      .filter(({ car }) => car.status === 'stored'),
  };
}
