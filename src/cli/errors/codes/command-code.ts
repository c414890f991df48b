import type { ExitCode } from '../exit.ts';
import { type Explanation, explained } from './explanation.ts';

export interface CommandCode extends Explanation {
  /** What a command ends with; several where it depends on what was asked. */
  readonly exitCodes: readonly ExitCode[];
}

export const ends = (exitCodes: ExitCode | readonly ExitCode[], means: string, next: string): CommandCode => ({
  exitCodes: [exitCodes].flat() as ExitCode[],
  ...explained(means, next),
});
