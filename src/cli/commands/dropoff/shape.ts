import type { z } from 'zod';
import { carEventResult } from '../counter/shape.ts';

export const dropoffResult = carEventResult(
  'Where the car is parked: a spot or a zone, the other one is null.',
);
export type DropoffResult = z.infer<typeof dropoffResult>;
