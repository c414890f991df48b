import { z } from 'zod';
import { recordSchema } from '../../resources/record-schema.ts';
import { carEventResult } from '../counter/shape.ts';

const { event, photos, missingPhotos, sessionId, ...fields } = carEventResult(
  'Where the car is again: both null if it is not parked.',
).shape;

export const undoResult = z.strictObject({
  ...fields,
  undone: z.strictObject({
    command: z.enum(['dropoff', 'pickup', 'move']),
    what: z.string().describe('Such as `drop-off of HH-RS 73`.'),
    id: z.string().describe('Of the event, or of the assignment of a move.'),
    at: z.string().nullable(),
  }),
  event: event.nullable().describe('Null if it moved the car.'),
  assignment: recordSchema('parkingAssignments').nullable().describe('Null if it logged an event.'),
  photos: photos.optional().describe('Empty, with an event.'),
  missingPhotos: missingPhotos.optional().describe('Empty, with an event.'),
  sessionId: sessionId.optional(),
});
export type UndoResult = z.infer<typeof undoResult>;
