/** A day of the facility: which appointments belong to it, which are late, and which cars still need photos. */
import { idSetOf } from '../client/id-set.ts';
import { IdMap } from '../client/ids.ts';
import type { AppointmentStatus } from '../contract/appointments.ts';
import type { RecordFor } from '../contract/contract.ts';
import { freesPlace, requiresPlace } from './event-type.ts';

type Appointment = RecordFor<'appointments'>;
type EventSession = RecordFor<'eventSessions'>;
/** By id. */
type Types = ReadonlyMap<string, RecordFor<'eventTypes'>>;

/** Its first and its last millisecond, as ISO 8601. */
export interface DayRange {
  readonly from: string;
  readonly to: string;
}

/** Days for which an appointment that was never completed stays late. */
export const lateForDays = 7;

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

function latenessOf({ status, startAt, endAt }: Appointment, now: Date): Lateness | undefined {
  const minutesSince = (time: string | null) =>
    time === null ? -1 : Math.floor((now.getTime() - Date.parse(time)) / 60_000);
  const [sinceStart, sinceEnd] = [minutesSince(startAt), minutesSince(endAt)];
  if (waiting.has(status) && sinceStart >= 1)
    return { reason: 'not_checked_in', lateMinutes: sinceStart };
  if (going.has(status) && sinceEnd >= 1) return { reason: 'not_completed', lateMinutes: sinceEnd };
  return undefined;
}

interface DaySections {
  /** Appointments of the day that park a car, those that free its place, and others, by start. */
  readonly arrivals: readonly Appointment[];
  readonly departures: readonly Appointment[];
  readonly other: readonly Appointment[];
  /** Of the day and the days before. */
  readonly late: readonly (Lateness & { readonly appointment: Appointment })[];
}

/** `recent`: the appointments of the day and of the `lateForDays` before. */
export function sectionsOf(
  recent: readonly Appointment[],
  { day, now, types }: { day: DayRange; now: Date; types: Types },
): DaySections {
  const ofDay = recent
    .filter(({ startAt, status }) => isWithin(day, startAt) && !excluded.has(status))
    .sort(byStart);
  const kind = ({ appointmentTypeId }: Appointment) => {
    const type = types.get(appointmentTypeId ?? '') ?? {};
    return requiresPlace(type) ? 'arrival' : freesPlace(type) ? 'departure' : 'other';
  };
  const ofKind = (wanted: string) => ofDay.filter((one) => kind(one) === wanted);
  const late = recent.toSorted(byStart).flatMap((appointment) => {
    const lateness = latenessOf(appointment, now);
    return lateness ? [{ appointment, ...lateness }] : [];
  });
  return {
    arrivals: ofKind('arrival'),
    departures: ofKind('departure'),
    other: ofKind('other'),
    late,
  };
}

export const byStart = (a: Appointment, b: Appointment): number =>
  timeOf(a.startAt) - timeOf(b.startAt) || a.id.localeCompare(b.id);

/**
 * By car, the latest drop-off of the day where no session of the day has a photo: photos can still be taken for it. A photo without a
 * session has no day and doesn't count.
 */
export function dropoffsWithoutPhotos(
  sessions: readonly EventSession[],
  { day, types }: { day: DayRange; types: Types },
): IdMap<EventSession> {
  const ofDay = sessions.filter(
    ({ carId, startedAt }) => carId !== null && isWithin(day, startedAt),
  );
  const photographed = idSetOf(
    ofDay.flatMap(({ photoCount, carId }) => (photoCount > 0 && carId !== null ? [carId] : [])),
  );
  const dropoffs = ofDay
    .filter(
      ({ carId, eventTypeId }) =>
        requiresPlace(types.get(eventTypeId) ?? {}) && carId !== null && !photographed.has(carId),
    )
    .sort((a, b) => timeOf(a.startedAt) - timeOf(b.startedAt));
  return new IdMap(dropoffs.map((session) => [session.carId as string, session]));
}
