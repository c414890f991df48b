import { z } from 'zod';
import { recordSchema } from '../../resources/record-schema.ts';
import { carIdentity, placeFields } from '../counter/shape.ts';

const named = z.strictObject({
  id: z.string(),
  name: z.string().nullable().describe("Null where the server doesn't tell it."),
});

const customer = z.strictObject({
  ...named.shape,
  phone: z.string().nullable().describe("Null where the server doesn't tell it."),
});

const visitFields = {
  appointment: recordSchema('appointments'),
  eventType: named.nullable(),
  car: carIdentity.nullable(),
  customer: customer.nullable().describe('Of the appointment, otherwise the owner of the car.'),
  location: named.nullable(),
  spot: placeFields.spot.describe('Where the car is parked.'),
  zone: placeFields.zone.describe('Where the car is parked, if not on a spot.'),
};
const visit = z.strictObject(visitFields);
export type VisitResult = z.infer<typeof visit>;

const lateVisit = z.strictObject({
  ...visitFields,
  reason: z
    .enum(['not_checked_in', 'not_completed'])
    .describe(
      '`not_checked_in`: past its start. `not_completed`: past its end and still in progress.',
    ),
  lateMinutes: z.int().describe('Since its start or end.'),
});
export type LateVisit = z.infer<typeof lateVisit>;

const arrival = z.strictObject({
  car: carIdentity,
  customer: customer.nullable().describe('The owner.'),
  ...placeFields,
  droppedOffAt: z.string(),
  sessionId: z.string().describe('The session for its photos.'),
  eventId: z.string().nullable().describe('The event that opened the session.'),
});
export type ArrivalResult = z.infer<typeof arrival>;

const sectionFields = {
  arrivals: z
    .array(visit)
    .nullable()
    .describe('Appointments of the day that park a car, by start.'),
  departures: z
    .array(visit)
    .nullable()
    .describe('Appointments of the day that free the place of a car, by start.'),
  other: z.array(visit).nullable().describe('Other appointments of the day, by start.'),
  late: z.array(lateVisit).nullable().describe('Of the day and the seven days before.'),
  walkIns: z
    .array(arrival)
    .nullable()
    .describe('Cars dropped off on the day that had no appointment.'),
  withoutPhotos: z
    .array(
      z.strictObject({
        ...arrival.shape,
        missingPhotos: z
          .array(z.string())
          .describe('Names of the list of the event type; empty without a list.'),
      }),
    )
    .nullable()
    .describe(
      'Cars dropped off on the day, still here, without a photo in any session of the day, or without one of the list of its event type.',
    ),
  waitingForApproval: z.array(visit).nullable().describe('For any day.'),
};
export type SectionName = keyof typeof sectionFields;

export const dayReport = z.strictObject({
  date: z.string().describe('Such as 2026-03-01.'),
  from: z.string().describe("First millisecond of the day in this machine's time zone."),
  to: z.string().describe('Last millisecond of the day.'),
  location: named.nullable(),
  ...sectionFields,
  notRead: z
    .array(
      z.strictObject({
        sections: z.array(z.enum(Object.keys(sectionFields) as SectionName[])),
        code: z.string(),
        message: z.string(),
      }),
    )
    .describe("Why sections couldn't be read; these are null."),
});
export type DayReport = z.infer<typeof dayReport>;
