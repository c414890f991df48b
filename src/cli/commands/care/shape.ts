import { z } from 'zod';

const text = z.string().nullable();
const series = {
  type: z.string().describe('The value of the event type.'),
  car: z.string().describe('What people call it.'),
  carId: z.string(),
  at: z.string().describe('The start in local time at the location: 2026-12-01 09:00.'),
  startAt: z.string(),
  location: text,
};
export const careChanges = z.array(
  z.strictObject({
    change: z.literal('create'),
    ...series,
    recurrenceFrequency: z.string(),
    id: text.describe('Of the first appointment; null before it is created.'),
  }),
);
export const careDueResult = z.array(
  z.strictObject({
    state: z.enum(['overdue', 'due']),
    ...series,
    place: text.describe('The spot or zone.'),
    customer: text.describe('The owner.'),
    phone: text.describe('Of the owner.'),
    id: z.string().describe('Of the appointment.'),
  }),
);
