import { z } from 'zod';
import { kinds } from './plan.ts';

export const facilityChanges = z.array(
  z.strictObject({
    change: z.enum(['create', 'update', 'remove']),
    resource: z.enum(kinds),
    name: z.string().describe('With its location: `Harbour / A1`.'),
    id: z.string().nullable().describe('Null before the record is created.'),
    fields: z
      .record(z.string(), z.strictObject({ from: z.unknown(), to: z.unknown() }))
      .describe('The fields that change; a zone by its name.'),
  }),
);
