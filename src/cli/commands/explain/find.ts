/** Everything that cs knows about an error code, an HTTP status or an exit code. */
import { ApiError, ProtocolError } from '../../../client/errors.ts';
import { contract } from '../../../contract/contract.ts';
import { walk } from '../../../contract/operations.ts';
import { type ProblemCode, problems } from '../../../contract/problems.ts';
import { codesOf } from '../../../openapi/problems.ts';
import {
  type ErrorCode,
  type ExitCode,
  exitCodes,
  exitCodesOf,
  isServiceCode,
  ownCodes,
  serviceHints,
  statusInfo,
} from '../../errors/codes.ts';
import { usage } from '../../errors/exit.ts';
import { exitCodeOf } from '../../errors/report.ts';
import { nearest } from '../../terminal/text.ts';

export interface Explanation {
  readonly code: string;
  /** The HTTP status of the answer; null for a code of the command. */
  readonly status: number | null;
  readonly exitCodes: readonly ExitCode[];
  readonly means: string;
  /** The next step; null for a code of the command, whose errors say it. */
  readonly next: string | null;
  /** The operations that can return it. */
  readonly operations: readonly {
    readonly id: string;
    readonly method: string;
    readonly path: string;
  }[];
}

/** Every code, those of the service first. */
export const listCodes = (): Explanation[] =>
  ([...Object.keys(problems), ...Object.keys(ownCodes)] as ErrorCode[]).map(explanationOf);

function explanationOf(code: ErrorCode): Explanation {
  const exits = exitCodesOf(code);
  if (!isServiceCode(code))
    return {
      code,
      status: null,
      exitCodes: exits,
      means: ownCodes[code].means,
      next: null,
      operations: [],
    };
  const { status, about } = problems[code];
  return {
    code,
    status,
    exitCodes: exits,
    means: about,
    next: serviceHints[code],
    operations: operationsWith(code),
  };
}

/** For an answer without a code of the service, such as a gateway's, cs makes one of its status: `http_502`. */
function explanationOfStatus(status: number): Explanation | undefined {
  if (!(status >= 400 && status <= 599)) return undefined;
  const place = { status, method: 'GET', path: '/', unknownOutcome: false };
  const code = `http_${status}`;
  // An HTML page, and a refusal as JSON.
  const exits = [
    new ProtocolError('', place),
    new ApiError('', { ...place, code, details: null }),
  ].map(exitCodeOf);
  const { means, hint } = statusInfo(status);
  return { code, status, exitCodes: [...new Set(exits)], means, next: hint, operations: [] };
}

const answered = [...walk(contract)].flatMap((operation) => {
  const { id, method, path } = operation;
  return [...new Set(codesOf(operation))].map((code) => ({
    code,
    operation: { id, method, path: `/api/v1${path}` },
  }));
});
const operationsByCode = Map.groupBy(answered, ({ code }) => code);
const operationsWith = (code: ProblemCode) =>
  operationsByCode.get(code)?.map(({ operation }) => operation) ?? [];

type Found =
  | { readonly code: Explanation }
  | { readonly status: number; readonly codes: Explanation[] }
  | { readonly exitCode: ExitCode; readonly means: string; readonly codes: Explanation[] };

/** Explains a code, all codes of a status such as 422, or all codes of an exit code such as 7. Exit 2 for anything else. */
export function explainWord(word: string): Found {
  const text = word.trim().toLowerCase().replaceAll('-', '_');
  const all = listCodes();
  const code = all.find((one) => one.code === text);
  if (code) return { code };
  const [, http, digits = text] = /^(http_)?([1-5]\d{2})$/.exec(text) ?? [];
  const number = Number(digits);
  const withStatus = all.filter(({ status }) => status === number);
  if (http === undefined && withStatus.length > 0) return { status: number, codes: withStatus };
  const refused = explanationOfStatus(number);
  if (refused) return { code: refused };
  if (/^\d{1,3}$/.test(text) && Object.hasOwn(exitCodes, text)) {
    const exitCode = number as ExitCode;
    return {
      exitCode,
      means: exitCodes[exitCode].means,
      codes: all.filter((one) => one.exitCodes.includes(exitCode)),
    };
  }
  const [close] = nearest(
    text,
    all.map((one) => one.code),
  );
  throw usage(
    `Unknown error code "${word}".`,
    close
      ? `did you mean ${close}?`
      : '`cs explain` lists all codes, `cs help exit-codes` the exit codes',
  );
}
