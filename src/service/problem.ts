import { type DashboardProblemCode, dashboardProblems } from '../contract/dashboard/problems.ts';
import { type Issue, type ProblemBody, type ProblemCode, problems } from '../contract/problems.ts';

type Code = ProblemCode | DashboardProblemCode;
const codes = { ...problems, ...dashboardProblems };

/** An error response with the status of its code. Not logged as a fault. */
export class ApiProblem extends Error {
  readonly code: Code;
  readonly details: unknown;

  /** `cause` is for the log alone. */
  constructor(code: Code, message: string, details: unknown = null, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'ApiProblem';
    this.code = code;
    this.details = details;
  }

  get status(): number {
    return codes[this.code].status;
  }

  body(): Omit<ProblemBody, 'code'> & { readonly code: Code } {
    return { error: this.message, code: this.code, details: this.details };
  }
}

/** 422 for one value. */
export const invalidValue = (path: string, rule: string, message: string): ApiProblem =>
  invalid([{ path, rule, message }]);

/** 422 with all issues at once. */
export function invalid(issues: readonly Issue[]): ApiProblem {
  const [first] = issues;
  const more = issues.length > 1 ? `, and ${issues.length - 1} more` : '';
  const message = first
    ? `${first.path || 'body'} ${first.message}${more}`
    : "The request isn't valid";
  return new ApiProblem('validation_failed', message, { issues });
}

/** 404 for a record in the path or, with `field`, for one that the body refers to. The same for another team's record as for none. */
export function notFound(what: string, field?: string): ApiProblem {
  return new ApiProblem(
    'not_found',
    field ? `No ${what} with the id given in ${field}` : `No such ${what}`,
    field ? { field } : null,
  );
}

/** For the operator, who is shown the message and the next step. */
export class Refusal extends Error {
  readonly hint: string;

  constructor(message: string, hint: string, cause?: unknown) {
    super(message, { cause });
    this.hint = hint;
  }
}
