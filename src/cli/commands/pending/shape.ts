import { z } from 'zod';
import { photoUploadResult } from '../counter/shape.ts';
import { dropoffResult } from '../dropoff/shape.ts';
import { exitCode } from '../files/shape.ts';
import { moveResult } from '../move/shape.ts';
import { pickupResult } from '../pickup/shape.ts';
import { undoResult } from '../undo/shape.ts';

const resumed = z.strictObject({
  id: z.string(),
  command: z.enum(['dropoff', 'pickup', 'move', 'undo', 'photos', 'mcp']),
  what: z.string().describe('Such as `drop-off of HH-RS 73`.'),
  status: z
    .enum(['finished', 'unfinished', 'refused', 'gone', 'not_tried'])
    .describe(
      '`refused`: it stays open until a person tries again or forgets it. `gone`: another process finished it. `not_tried`: an earlier one of the same car was refused, or the server went away.',
    ),
  result: z
    .union([
      dropoffResult,
      pickupResult,
      moveResult,
      undoResult,
      z.array(photoUploadResult),
      z.looseObject({ id: z.string() }),
    ])
    .nullable()
    .describe('What the command itself would have printed.'),
  error: z.strictObject({ code: z.string(), message: z.string(), exitCode }).nullable(),
});
export type Resumed = z.infer<typeof resumed>;

export const resumedResult = z.array(resumed);
