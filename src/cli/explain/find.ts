/** Everything that is known of a code, an HTTP status or an exit code. */
import { ApiError } from '../../client/errors.ts';
import { contract } from '../../contract/contract.ts';
import { walk } from '../../contract/operations.ts';
import { type ProblemCode, problems } from '../../contract/problems.ts';
import { codesOf } from '../../openapi/refusals.ts';
import { CliError, type ExitCode, exitCodeOf, exitCodes } from '../exit.ts';
import { nearest } from '../text.ts';
import { commandCodes } from './command-codes.ts';
import { serviceCodes } from './service-codes.ts';

export interface CodeInfo {
  readonly code: string;
  /** Who says it: the service, or the command by itself; some both. */
  readonly from: readonly ('service' | 'command')[];
  /** The HTTP status that it comes with; null when it is no answer. */
  readonly status: number | null;
  readonly exitCodes: readonly ExitCode[];
  readonly means: string;
  readonly next: string;
  /** The operations that can answer with it. */
  readonly operations: readonly { readonly id: string; readonly method: string; readonly path: string }[];
}

const isProblem = (code: string): code is ProblemCode => Object.hasOwn(problems, code);

/** Every code, those of the service first. */
export const everyCode = (): CodeInfo[] => [...Object.keys(problems), ...Object.keys(commandCodes)].map(codeInfo);

export function codeInfo(code: string): CodeInfo {
  if (!isProblem(code))
    return { code, from: ['command'], status: null, operations: [], ...(commandCodes[code] as (typeof commandCodes)[string]) };
  const { status } = problems[code];
  return {
    code,
    from: foundHere.has(code) ? ['service', 'command'] : ['service'],
    status,
    exitCodes: [exitCodeOf(new ApiError('', { code, status, method: 'GET', path: '/', details: null, unknownOutcome: false }))],
    ...serviceCodes[code],
    operations: operationsWith(code),
  };
}

/** Codes of the service that the command says too, when it sees beforehand what the service would answer. */
const foundHere: ReadonlySet<string> = new Set([
  'validation_failed',
  'invalid_json',
  'conflicting_fields',
  'not_found',
  'duplicate',
  'missing_scope',
  'occurred_at_in_future',
  'parking_inactive',
  'parking_zone_full',
  'parking_spot_occupied',
  'parking_required',
  'parking_not_allowed',
  'event_type_inactive',
  'event_type_scope_mismatch',
  'photo_too_large',
]);

const operationsWith = (code: ProblemCode) =>
  [...walk(contract)]
    .filter((operation) => codesOf(operation).includes(code))
    .map(({ id, method, path }) => ({ id, method, path: `/api/v1${path}` }));

/** What a word means: a code; all codes of a status such as 422; or an exit code such as 7. Exit 2 for anything else. */
export function explainWord(
  word: string,
): { code: CodeInfo } | { status: number; codes: CodeInfo[] } | { exitCode: ExitCode; means: string; codes: CodeInfo[] } {
  const text = word.trim().toLowerCase().replaceAll('-', '_');
  const all = everyCode();
  const code = all.find((one) => one.code === text);
  if (code) return { code };
  const [, http] = /^(?:http_)?(\d{3})$/.exec(text) ?? [];
  const number = Number(http ?? text);
  if (http !== undefined && all.some(({ status }) => status === number))
    return { status: number, codes: all.filter(({ status }) => status === number) };
  if (/^\d{1,3}$/.test(text) && Object.hasOwn(exitCodes, text)) {
    const exitCode = number as ExitCode;
    return { exitCode, means: exitCodes[exitCode], codes: all.filter((one) => one.exitCodes.includes(exitCode)) };
  }
  const [close] = nearest(
    text,
    all.map((one) => one.code),
  );
  throw new CliError({
    code: 'usage',
    message: `"${word}" is no code that is known here.`,
    hint: close ? `did you mean ${close}?` : '`cs explain` lists all of them; `cs help exit-codes` the exit codes',
    exitCode: 2,
  });
}
