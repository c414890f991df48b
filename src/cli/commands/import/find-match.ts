/** The record of a request whose answer is lost, among those that the server lists now. */
import { ApiError } from '../../../client/errors.ts';
import { isIdField, isSameId } from '../../../client/ids.ts';
import { isMissing, isUntold } from '../../errors/missing-path.ts';
import { normalizeName } from '../../input/matching.ts';
import { allOf, type Known } from '../../input/three-valued.ts';

/** `unknown`: the server has no way to tell. */
export type Found<T> = { readonly record: T } | 'nothing' | 'unknown';

/** `unknown` where a record doesn't tell whether it matches, and where the server doesn't have the list, or doesn't show it to this key. */
export async function findMatch<T>(
  list: () => AsyncIterable<T> | Promise<Iterable<T>>,
  matches: (record: T) => Known,
): Promise<Found<T>> {
  let isOpen = false;
  try {
    for await (const record of await list()) {
      const isMatch = matches(record);
      if (isMatch) return { record };
      isOpen ||= isMatch === undefined;
    }
  } catch (error) {
    if (isMissing(error) || isUntold(error) || (error instanceof ApiError && error.status === 403))
      return 'unknown';
    throw error;
  }
  return isOpen ? 'unknown' : 'nothing';
}

/** Whether a record has the values that were sent; undefined where it doesn't show one of them, and where there are none. */
export function hasValues(record: object, sent: object): Known {
  const values = Object.entries(sent).filter(([, value]) => !isEmpty(value));
  if (values.length === 0) return undefined;
  return allOf(
    values.map(([field, value]) =>
      isSameValue(field, value, (record as Record<string, unknown>)[field]),
    ),
  );
}

const isEmpty = (value: unknown) =>
  value === undefined ||
  value === null ||
  value === '' ||
  (Array.isArray(value) && value.length === 0);

function isSameValue(field: string, sent: unknown, stored: unknown): Known {
  if (stored === undefined || stored === null) return undefined;
  if (typeof sent === 'object' || typeof stored === 'object')
    return JSON.stringify(sent) === JSON.stringify(stored) || undefined;
  if (isIdField(field)) return isSameId(sent, stored);
  if (isTime(sent) && isTime(stored)) return isSameTime(stored, sent);
  return typeof sent === 'string'
    ? isSameText(String(stored), sent)
    : String(stored) === String(sent);
}

/** A server may keep whole seconds, cut off or rounded. Two other times within a second prove nothing, and neither does a record without its time. */
export function isSameTime(stored: unknown, sent: string): Known {
  if (!isTime(stored)) return undefined;
  const [one, other] = [Date.parse(stored), Date.parse(sent)];
  if (Math.abs(one - other) >= 1_000) return false;
  return one === other || one % 1_000 === 0 || undefined;
}

/** A server may trim, capitalise or space a text in its own way. */
export const isSameText = (stored: string, sent: string): boolean =>
  normalizeName(stored) === normalizeName(sent);

export const isTime = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:?\d\d)$/.test(value);
