import type { Issue } from '../../contract/problems.ts';
import { toUtc } from '../values.ts';

/** Tolerated difference between callers' clocks and the service's, in milliseconds (decision). */
export const clockToleranceMs = 5 * 60_000;

interface Span {
  readonly startAt?: string | null;
  readonly endAt?: string | null;
}

/** Issues of a start and an end: the end must be after the start (decision). */
export function issuesOfSpan({ startAt, endAt }: Span): Issue[] {
  if (!startAt || !endAt || toUtc(endAt) > toUtc(startAt)) return [];
  return [{ path: 'endAt', rule: 'after_start', message: 'must be after startAt' }];
}
