import { z } from 'zod';
import { recordSchema } from '../../resources/record-schema.ts';
import { carIdentity, placeResult, replayed } from '../counter/shape.ts';

export const moveResult = z.strictObject({
  car: carIdentity,
  from: placeResult.describe('Both null without the scope to read parking.'),
  to: placeResult,
  moved: z.boolean().describe('False when the car was already there.'),
  assignment: recordSchema('parkingAssignments'),
  replayed,
});
export type MoveResult = z.infer<typeof moveResult>;
