import { z } from 'zod';
import { dropoffResult } from '../dropoff/shape.ts';
import { exitCode } from '../files/shape.ts';
import { moveResult } from '../move/shape.ts';
import { addedPhoto } from '../photos/shape.ts';
import { pickupResult } from '../pickup/shape.ts';

const resumed = z.strictObject({
  id: z.string(),
  command: z.enum(['dropoff', 'pickup', 'move', 'photos']),
  what: z.string().describe('Such as `drop-off of HH-RS 73`.'),
  status: z
    .enum(['finished', 'unfinished', 'refused', 'forgotten', 'gone', 'not_tried', 'planned'])
    .describe(
      '`refused`: for good, so it was ended. `forgotten`: by an answer. `gone`: another process finished it. `not_tried`: an earlier one failed. `planned`: with --dry-run.',
    ),
  result: z
    .union([dropoffResult, pickupResult, moveResult, z.array(addedPhoto)])
    .nullable()
    .describe('What the command itself would have printed.'),
  error: z
    .strictObject({ code: z.string(), message: z.string(), exitCode })
    .nullable()
    .describe('With --dry-run, the conflict that it would meet now.'),
  sends: z
    .array(z.string())
    .describe('With --dry-run, the steps that are left, in order; otherwise empty.'),
  asks: z
    .array(z.string())
    .describe(
      'With --dry-run, the steps that were sent without an answer: the server is asked for them first.',
    ),
  after: z
    .string()
    .nullable()
    .describe('With --dry-run, the id of the entry before it on which it depends.'),
});
export type Resumed = z.infer<typeof resumed>;

export const resumedResult = z.array(resumed);
