import { z } from 'zod';
import { recordSchema } from '../../resources/record-schema.ts';
import { carIdentity, placeFields } from '../counter/shape.ts';

const named = z.strictObject({
  id: z.string(),
  name: z.string().nullable().describe("Null where the server doesn't tell it."),
});

const visitFields = {
  appointment: recordSchema('appointments'),
  eventType: named.nullable(),
  car: carIdentity.nullable(),
  customer: named.nullable(),
  location: named.nullable(),
};
const visit = z.strictObject(visitFields);
export type Visit = z.infer<typeof visit>;

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

const carWithoutPhotos = z.strictObject({
  car: carIdentity,
  ...placeFields,
  droppedOffAt: z.string(),
  sessionId: z.string().describe('The session for its photos.'),
  eventId: z.string().nullable().describe('The event that opened the session.'),
});
export type CarWithoutPhotos = z.infer<typeof carWithoutPhotos>;

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
  withoutPhotos: z
    .array(carWithoutPhotos)
    .nullable()
    .describe(
      'Cars dropped off on the day, still here, without a photo in any session of the day.',
    ),
  waitingForApproval: z.array(visit).nullable().describe('For any day.'),
};
const sections = z.strictObject(sectionFields);
/** Null where a section couldn't be read. */
export type Sections = z.infer<typeof sections>;
export type SectionName = keyof Sections;

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
