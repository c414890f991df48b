/** The result of `cs today`, and its rows for CSV. Sections that couldn't be read are null; `notRead` has the reasons. */
import type { RecordFor } from '../../../contract/contract.ts';
import { type CarIdentity, carCells } from '../../lookup/car.ts';
import type { Row, View } from '../../output/view.ts';
import type { PlaceIdentity } from '../counter/place.ts';

type Appointment = RecordFor<'appointments'>;
interface Named {
  readonly id: string;
  readonly name: string;
}

export interface Visit {
  readonly appointment: Appointment;
  readonly eventType: Named | null;
  readonly car: CarIdentity | null;
  readonly customer: Named | null;
  readonly location: Named | null;
}

export interface LateVisit extends Visit {
  /** `not_checked_in`: past its start. `not_completed`: past its end and still in progress. */
  readonly reason: 'not_checked_in' | 'not_completed';
  /** Since its start or end. */
  readonly lateMinutes: number;
}

export interface CarWithoutPhotos {
  readonly car: CarIdentity;
  readonly spot: PlaceIdentity | null;
  readonly zone: PlaceIdentity | null;
  readonly droppedOffAt: string;
  /** The session for its photos, and the event that opened it. */
  readonly sessionId: string;
  readonly eventId: string | null;
}

export interface Sections {
  /** Appointments of the day by start: of types that park a car, that free its place, and others. */
  readonly arrivals: Visit[] | null;
  readonly departures: Visit[] | null;
  readonly other: Visit[] | null;
  /** Of the day and the seven days before. */
  readonly late: LateVisit[] | null;
  /** Cars dropped off on the day, still here, without a photo in any session of the day. */
  readonly withoutPhotos: CarWithoutPhotos[] | null;
  /** For any day. */
  readonly waitingForApproval: Visit[] | null;
}

export type SectionName = keyof Sections;

export interface DayReport extends Sections {
  /** `2026-03-01`, and its first and last millisecond in this machine's time zone. */
  readonly date: string;
  readonly from: string;
  readonly to: string;
  readonly location: Named | null;
  readonly notRead: { readonly sections: readonly SectionName[]; readonly code: string; readonly message: string }[];
}

export const dayRowView: View = {
  one: 'line of the day',
  many: 'lines of the day',
  columns: [],
  title: () => '',
  fields: [
    ...['section', 'at', 'until', 'licensePlate', 'car', 'customer', 'location', 'place', 'type', 'title', 'status'],
    ...['reason', 'lateMinutes', 'appointmentId', 'carId', 'sessionId'],
  ],
};

/** A row for each appointment and car. Sections that couldn't be read have no rows; the exit code reports them. */
export function dayRows({ arrivals, departures, other, late, withoutPhotos, waitingForApproval }: DayReport): Row[] {
  const visits = { arrivals, departures, other, late, waitingForApproval };
  return [
    ...Object.entries(visits).flatMap(([section, some]) => (some ?? []).map((visit) => ({ section, ...visitRow(visit) }))),
    ...(withoutPhotos ?? []).map((one) => ({ section: 'withoutPhotos', ...carRow(one) })),
  ];
}

function visitRow(visit: Visit & Partial<Pick<LateVisit, 'reason' | 'lateMinutes'>>): Row {
  const { appointment, eventType, car, customer, location, reason, lateMinutes } = visit;
  const { id: appointmentId, startAt: at, endAt: until, title, status, carId } = appointment;
  const names = { type: eventType?.name, customer: customer?.name, location: location?.name };
  return { ...carCells(car), carId, at, until, ...names, title, status, reason, lateMinutes, appointmentId };
}

const carRow = ({ car, spot, zone, droppedOffAt, sessionId }: CarWithoutPhotos): Row => ({
  ...carCells(car),
  at: droppedOffAt,
  place: spot?.name ?? zone?.name,
  sessionId,
});
