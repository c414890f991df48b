import { z } from 'zod';

const text = z.string().nullable();
export const auditResult = z.array(
  z.strictObject({
    finding: z
      .enum(['missing', 'unexpected', 'elsewhere', 'unchecked'])
      .describe(
        '`elsewhere`: it is recorded in another spot or zone. `unexpected`: it is recorded nowhere. `unchecked`: the list leaves the spot out.',
      ),
    car: text.describe('What people call it; what was typed for a car that is not stored here.'),
    carId: text,
    found: text.describe('The spot where it was found.'),
    foundId: text,
    recorded: text.describe('The spot or zone where it is recorded.'),
    recordedId: text,
    moved: z.boolean().describe('--fix moved it to where it was found.'),
  }),
);
export type Finding = z.infer<typeof auditResult>[number];
