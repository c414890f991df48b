import type { z } from 'zod';
import { carEventResult, placeResult } from '../counter/shape.ts';

export const dropoffResult = carEventResult(
  'Where the car is parked: a spot or a zone, the other one is null.',
  {
    wasParkedIn: placeResult
      .nullable()
      .describe('Where the car was already, if the drop-off moved it; otherwise null.'),
  },
);
export type DropoffResult = z.infer<typeof dropoffResult>;
