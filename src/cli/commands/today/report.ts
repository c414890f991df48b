/** The day as `cs today` prints it for a script. */
import type { RecordFor } from '../../../contract/contract.ts';
import { identityOf } from '../../../facility/car-names.ts';
import { customerName } from '../../../facility/customer-name.ts';
import type { Arrival, Day as FacilityDay, Visit } from '../../../facility/day.ts';
import { missingPathText } from '../../errors/missing-path.ts';
import type { Day } from '../../input/day.ts';
import { type Row, resultView } from '../../output/view.ts';
import { carCells } from '../../resources/view.ts';
import { placeResult } from '../counter/place.ts';
import type { Gap } from '../live/read.ts';
import type { ArrivalResult, DayReport, LateVisit, SectionName, VisitResult } from './shape.ts';

/** The sections that a list fills. */
const filledBy: Readonly<Record<Gap['of'], readonly SectionName[]>> = {
  appointments: ['arrivals', 'departures', 'other', 'late', 'waitingForApproval'],
  cars: ['walkIns', 'withoutPhotos'],
};

export function reportOf(
  found: FacilityDay,
  gaps: readonly Gap[],
  { day, location }: { day: Day; location: RecordFor<'locations'> | undefined },
): DayReport {
  const notRead = gaps.map(({ of, error }) => ({
    sections: [...filledBy[of]],
    code: error.code,
    message: error.status === 403 ? error.message : missingPathText(error.path),
  }));
  const missing = new Set(notRead.flatMap(({ sections }) => sections));
  const section = <T, R>(name: SectionName, some: readonly T[], result: (one: T) => R) =>
    missing.has(name) ? null : some.map(result);
  return {
    ...day,
    location: named(location),
    arrivals: section('arrivals', found.arrivals, visitResult),
    departures: section('departures', found.departures, visitResult),
    other: section('other', found.other, visitResult),
    late: section('late', found.late, (visit) => ({ ...visitResult(visit), ...visit.late })),
    walkIns: section('walkIns', found.walkIns, arrivalResult),
    withoutPhotos: section('withoutPhotos', found.withoutPhotos, (one) => ({
      ...arrivalResult(one),
      missingPhotos: [...one.missing],
    })),
    waitingForApproval: section('waitingForApproval', found.waitingForApproval, visitResult),
    notRead,
  };
}

const named = (record: { id: string; name?: string | null; value?: string } | undefined) =>
  record ? { id: record.id, name: record.name ?? record.value ?? null } : null;

const customerResult = (customer: Visit['customer']): VisitResult['customer'] =>
  customer
    ? { id: customer.id, name: customerName(customer) || null, phone: customer.phone ?? null }
    : null;

const visitResult = ({
  appointment,
  type,
  car,
  customer,
  location,
  place,
}: Visit): VisitResult => ({
  appointment,
  eventType: named(type),
  car: car ? identityOf(car) : null,
  customer: customerResult(customer),
  location: named(location),
  ...placeResult(place),
});

const arrivalResult = ({ car, customer, place, session }: Arrival): ArrivalResult => ({
  car: identityOf(car),
  customer: customerResult(customer),
  ...placeResult(place),
  droppedOffAt: String(session.startedAt),
  sessionId: session.id,
  eventId: session.carEventId,
});

export const rowView = resultView(
  'line of the day',
  [
    ...['section', 'at', 'until', 'licensePlate', 'car', 'customer', 'phone', 'location', 'place'],
    ...['type', 'title', 'status', 'reason', 'lateMinutes', 'missingPhotos'],
    ...['appointmentId', 'carId', 'sessionId'],
  ],
  'lines of the day',
);

/** A row for each appointment and car. Sections that couldn't be read have no rows; the exit code reports them. */
export function rowsOf(report: DayReport): Row[] {
  const { arrivals, departures, other, late, walkIns, withoutPhotos, waitingForApproval } = report;
  const sections = {
    arrivals,
    departures,
    other,
    late,
    waitingForApproval,
    walkIns,
    withoutPhotos,
  };
  return Object.entries(sections).flatMap(([section, some]) =>
    (some ?? []).map((one: VisitResult | ArrivalResult) => {
      const { car, customer, spot, zone } = one;
      const row = {
        ...one,
        section,
        ...carCells(car),
        customer: customer?.name,
        phone: customer?.phone,
      };
      const place = spot?.name ?? zone?.name;
      if (!('appointment' in one)) return { ...row, place, at: one.droppedOffAt };
      const {
        id: appointmentId,
        startAt: at,
        endAt: until,
        title,
        status,
        carId,
      } = one.appointment;
      const names = { type: one.eventType?.name, location: one.location?.name };
      const { reason, lateMinutes } = one as Partial<LateVisit>;
      const late = { reason, lateMinutes };
      return { ...row, ...names, ...late, place, carId, at, until, title, status, appointmentId };
    }),
  );
}
