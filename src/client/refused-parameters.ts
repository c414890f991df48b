/** Whether a server refuses the parameters of a list, rather than what they ask for. */

import { check } from '../contract/check.ts';
import type { Issue } from '../contract/problems.ts';
import { defaultLimit, maxLimit } from '../contract/schemas.ts';
import { ApiError, ProtocolError } from './errors.ts';
import type { Condition } from './filters.ts';

interface Refusable {
  readonly conditions: readonly Condition[];
  readonly limit: number | undefined;
}

/** Whether the server may refuse the parameters themselves. A value that the contract doesn't allow is refused for its own sake. */
export function isRefusal(
  error: unknown,
  { conditions, limit = 1 }: Refusable,
): error is ApiError | ProtocolError {
  // An error in another shape than that of the specification refuses, too.
  const isAnswer = error instanceof ApiError || error instanceof ProtocolError;
  if (!isAnswer || (error.status !== 422 && error.status !== 400)) return false;
  const issues = error instanceof ApiError ? ownIssues(error) : undefined;
  if (issues) return issues.some(({ rule }) => rule === 'unknown');
  if (limit < 1 || limit > maxLimit) return false;
  return conditions.every(
    ({ filter, value }) => filter === undefined || 'value' in check(filter.schema, value),
  );
}

/** What our service refuses, by name. The specification leaves `details` open: another server may have issues of another form. */
function ownIssues({ code, details }: ApiError): Issue[] | undefined {
  const issues =
    typeof details === 'object' && details !== null && 'issues' in details
      ? details.issues
      : undefined;
  return code === 'validation_failed' &&
    Array.isArray(issues) &&
    issues.length > 0 &&
    issues.every(isOwnIssue)
    ? issues
    : undefined;
}

const isOwnIssue = (issue: unknown): issue is Issue =>
  typeof issue === 'object' &&
  issue !== null &&
  'path' in issue &&
  typeof issue.path === 'string' &&
  'rule' in issue;

/** The default size of a page, which every server must give. */
export const guaranteedPageSize = defaultLimit;

export interface Sent {
  readonly filters: boolean;
  readonly limit: number | undefined;
}

/** Smaller pages, then those of the server's own size; then the same without filters. */
export function fallbackRequests({ limit }: Sent, filtered: boolean): Sent[] {
  const limits =
    limit === undefined || limit === 1
      ? [limit]
      : limit > guaranteedPageSize
        ? [limit, guaranteedPageSize, undefined]
        : [limit, undefined];
  const all = limits
    .map((one) => ({ filters: true, limit: one }))
    .concat(filtered ? limits.map((one) => ({ filters: false, limit: one })) : []);
  return all.slice(1);
}
