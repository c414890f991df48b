import { z } from 'zod';
import { exitCode } from '../files/shape.ts';

const finding = z.strictObject({
  name: z.string().describe('Scripts rely on it, so it never changes.'),
  state: z
    .enum(['ok', 'note', 'warning', 'problem', 'skipped'])
    .describe(
      "`ok`: works. `note`: worth knowing, nothing to fix. `warning`: works, but should be fixed. `problem`: doesn't work. `skipped`: couldn't be checked.",
    ),
  found: z.string(),
  lines: z.array(z.string()).describe('Details, one per line.'),
  hint: z.string().nullable(),
  unknown: z.string().optional().describe("The part of the check that wasn't possible."),
  exitCode: exitCode.nullable().describe('Only for a problem.'),
});
export type Finding = z.infer<typeof finding>;
export type State = Finding['state'];

const drift = z.strictObject({
  missingOperations: z.array(z.string()).describe('In this cs, not on the server: `POST /cars`.'),
  unknownOperations: z.array(z.string()).describe('On the server, not in this cs.'),
});
export type Drift = z.infer<typeof drift>;

export const doctorReport = z.strictObject({
  ok: z.boolean().describe('No problem was found.'),
  exitCode,
  profile: z.string().nullable(),
  baseUrl: z.string(),
  checks: z.array(finding),
  drift: drift
    .nullable()
    .describe("Null if the server has no API description, or couldn't be asked."),
});
