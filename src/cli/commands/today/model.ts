/** The rows of `cs today` for CSV, and the keys of its lines in the live view. */

import type { Row, View } from '../../output/view.ts';
import { carCells } from '../../resources/car.ts';
import type { CarWithoutPhotos, DayReport, LateVisit, SectionName, Visit } from './shape.ts';

export const dayRowView: View = {
  one: 'line of the day',
  many: 'lines of the day',
  columns: [],
  title: () => '',
  fields: [
    ...[
      'section',
      'at',
      'until',
      'licensePlate',
      'car',
      'customer',
      'location',
      'place',
      'type',
      'title',
      'status',
    ],
    ...['reason', 'lateMinutes', 'appointmentId', 'carId', 'sessionId'],
  ],
};

/** A row for each appointment and car. Sections that couldn't be read have no rows; the exit code reports them. */
export function dayRows({
  arrivals,
  departures,
  other,
  late,
  withoutPhotos,
  waitingForApproval,
}: DayReport): Row[] {
  const visits = { arrivals, departures, other, late, waitingForApproval };
  return [
    ...Object.entries(visits).flatMap(([section, some]) =>
      (some ?? []).map((visit) => ({ section, ...visitRow(visit) })),
    ),
    ...(withoutPhotos ?? []).map((one) => ({ section: 'withoutPhotos', ...carRow(one) })),
  ];
}

function visitRow(visit: Visit & Partial<Pick<LateVisit, 'reason' | 'lateMinutes'>>): Row {
  const { appointment, eventType, car, customer, location, reason, lateMinutes } = visit;
  const { id: appointmentId, startAt: at, endAt: until, title, status, carId } = appointment;
  const names = { type: eventType?.name, customer: customer?.name, location: location?.name };
  return {
    ...carCells(car),
    carId,
    at,
    until,
    ...names,
    title,
    status,
    reason,
    lateMinutes,
    appointmentId,
  };
}

const carRow = ({ car, spot, zone, droppedOffAt, sessionId }: CarWithoutPhotos): Row => ({
  ...carCells(car),
  at: droppedOffAt,
  place: spot?.name ?? zone?.name,
  sessionId,
});

/** An appointment can be in several sections. */
export const keyOfVisit = (section: SectionName, { id }: Visit['appointment']): string =>
  `${section} ${id}`;
export const keyOfCar = ({ sessionId }: CarWithoutPhotos): string => `withoutPhotos ${sessionId}`;
