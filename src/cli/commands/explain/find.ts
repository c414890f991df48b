/** Everything that is known of a code, an HTTP status or an exit code. */
import { ApiError, ProtocolError } from '../../../client/errors.ts';
import { contract } from '../../../contract/contract.ts';
import { walk } from '../../../contract/operations.ts';
import { type ProblemCode, problems } from '../../../contract/problems.ts';
import { codesOf } from '../../../openapi/problems.ts';
import { commandCodes } from '../../errors/codes/command-codes.ts';
import { serviceCodes } from '../../errors/codes/service-codes.ts';
import { statusExplanation } from '../../errors/codes/status-codes.ts';
import { CliError, type ExitCode, exitCodeOf, exitCodes } from '../../errors/exit.ts';
import { nearest } from '../../terminal/text.ts';

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

function codeInfo(code: string): CodeInfo {
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

/** What a gateway said, or a server that gives its refusals no code: the command makes one of the status, such as `http_502`. */
function statusCode(status: number): CodeInfo | undefined {
  if (!(status >= 400 && status <= 599)) return undefined;
  const place = { status, method: 'GET', path: '/', unknownOutcome: false };
  const code = `http_${status}`;
  // A page of HTML, and a refusal as JSON.
  const exits = [new ProtocolError('', place), new ApiError('', { ...place, code, details: null })].map(exitCodeOf);
  return {
    code,
    from: ['command'],
    status,
    exitCodes: [...new Set(exits)],
    ...statusExplanation(status),
    operations: [],
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

const answered = [...walk(contract)].flatMap((operation) => {
  const { id, method, path } = operation;
  return [...new Set(codesOf(operation))].map((code) => ({ code, operation: { id, method, path: `/api/v1${path}` } }));
});
const operationsByCode = Map.groupBy(answered, ({ code }) => code);
const operationsWith = (code: ProblemCode) => operationsByCode.get(code)?.map(({ operation }) => operation) ?? [];

/** What a word means: a code; all codes of a status such as 422; or an exit code such as 7. Exit 2 for anything else. */
export function explainWord(
  word: string,
): { code: CodeInfo } | { status: number; codes: CodeInfo[] } | { exitCode: ExitCode; means: string; codes: CodeInfo[] } {
  const text = word.trim().toLowerCase().replaceAll('-', '_');
  const all = everyCode();
  const code = all.find((one) => one.code === text);
  if (code) return { code };
  const [, http, digits = text] = /^(http_)?([1-5]\d{2})$/.exec(text) ?? [];
  const number = Number(digits);
  const withStatus = all.filter(({ status }) => status === number);
  if (http === undefined && withStatus.length > 0) return { status: number, codes: withStatus };
  const refused = statusCode(number);
  if (refused) return { code: refused };
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
