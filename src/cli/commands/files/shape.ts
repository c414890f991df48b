/** The failure of a file, as results show it. Loaded by `cs schema` alone; other files use its type. */
import { z } from 'zod';
import { exitCodes } from '../../errors/codes.ts';
import type { ExitCode } from '../../errors/exit.ts';

export const exitCode = z.literal(Object.keys(exitCodes).map(Number) as ExitCode[]);

export const uploadFailure = z.strictObject({
  code: z.string(),
  message: z.string(),
  exitCode,
  unknownOutcome: z.boolean().describe('Whether it may be stored. Sending a photo again is safe.'),
});
export type UploadFailure = z.infer<typeof uploadFailure>;
