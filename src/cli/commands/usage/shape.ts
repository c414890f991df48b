import { z } from 'zod';

const text = z.string().nullable();
export const usageResult = z.array(
  z.strictObject({
    month: z.string().describe('Such as 2026-11.'),
    id: text.describe(
      'Of the customer, car or zone; null for cars without an owner and spots without a zone.',
    ),
    name: text.describe("Null without an id, and where the server doesn't tell it."),
    customerId: text.optional().describe('The owner, with --by car.'),
    customer: text.optional().describe('The name of the owner, with --by car.'),
    locationId: text.optional().describe('The location, with --by zone.'),
    location: text.optional().describe('The name of the location, with --by zone.'),
    cars: z.int().describe('Cars with one of the days.'),
    days: z.int(),
  }),
);
