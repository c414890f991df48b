import type { Issue } from '../../contract/problems.ts';
import { toUtc } from '../values.ts';

/** The clocks of callers may differ from the service's by this much, either way, in milliseconds (decision). */
export const clockToleranceMs = 5 * 60_000;

interface Span {
  readonly startAt?: string | null;
  readonly endAt?: string | null;
}

/** What is wrong with when something begins and ends: nothing ends before it began, or as it begins (decision). */
export function issuesOfSpan({ startAt, endAt }: Span): Issue[] {
  if (!startAt || !endAt || toUtc(endAt) > toUtc(startAt)) return [];
  return [{ path: 'endAt', rule: 'after_start', message: 'must be after startAt' }];
}
