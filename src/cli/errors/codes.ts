/**
 * The table of all error codes, with exit code, meaning and next step. `cs explain`, the hint of an error and the exit code of the
 * process come from here.
 */
import type { ProblemCode } from '../../contract/problems.ts';
import type { CodeInfo, ExitCode } from './codes/code.ts';
import {
  commandLineCodes,
  connectionCodes,
  counterCodes,
  dataCodes,
  journalCodes,
} from './codes/command.ts';
import { bulkCodes, fileCodes } from './codes/files.ts';
import { serviceCodes } from './codes/service.ts';

export const codes = {
  ...serviceCodes,
  ...commandLineCodes,
  ...connectionCodes,
  ...fileCodes,
  ...bulkCodes,
  ...counterCodes,
  ...journalCodes,
  ...dataCodes,
};
export type ErrorCode = keyof typeof codes;

export const isServiceCode = (code: string): code is ProblemCode =>
  Object.hasOwn(serviceCodes, code);

/** Nothing for a code that only the server knows. */
export const codeInfo = (code: string): CodeInfo | undefined =>
  Object.hasOwn(codes, code) ? codes[code as ErrorCode] : undefined;

/** The default first. */
export const exitCodesOf = ({ exit }: CodeInfo): readonly [ExitCode, ...ExitCode[]] =>
  [exit].flat() as [ExitCode, ...ExitCode[]];

/** The next step as it follows `hint:`. */
export function hintOf({ hint, next }: { readonly hint?: string; readonly next: string }): string {
  const [first = ''] = (hint ?? next).split(/\.(?: |$)/, 1);
  return hint ?? first.charAt(0).toLowerCase() + first.slice(1);
}
