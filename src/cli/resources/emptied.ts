/** Fields that a change emptied without naming them: a server may take the fields that were sent for the whole record. */
import { isEmpty } from '../../client/compare.ts';
import type { Resource } from '../../contract/resource.ts';
import { isUnreadable } from '../errors/missing-path.ts';
import type { Row } from '../output/view.ts';
import { joinList } from '../terminal/text.ts';
import type { Methods } from './methods.ts';

interface Changed {
  /** The record before the change, where its name was looked up. */
  readonly before: Row | undefined;
  /** The answer. */
  readonly record: Row;
  readonly body: Row;
  /** Of the parents and the record. */
  readonly ids: readonly string[];
}

/**
 * All that weren't sent, could be changed and had a value, if every one of them is empty now: one alone may follow from what was sent. An
 * answer may leave fields out, so the record is read again before anything is said.
 */
export async function emptiedFields(
  methods: Methods,
  { fields, operations }: Resource,
  changed: Changed,
): Promise<readonly string[]> {
  const { before, record, body, ids } = changed;
  if (!before || !operations.get) return [];
  const kept = Object.keys(fields).filter(
    (name) =>
      fields[name]?.update && fields[name].read && !(name in body) && !isEmpty(before[name]),
  );
  // One that is absent isn't shown.
  const areEmpty = (now: Row) =>
    kept.length > 1 && kept.every((name) => now[name] !== undefined && isEmpty(now[name]));
  if (!areEmpty(record)) return [];
  const now: Row | undefined = await methods.get(...ids).catch((error: unknown) => {
    if (!isUnreadable(error)) throw error;
    return undefined;
  });
  return now && areEmpty(now) ? kept : [];
}

export const emptiedWarning = (what: string, fields: readonly string[]): string =>
  `The server emptied ${joinList(fields)} of the ${what}, though the change didn't name them: it takes a change for the whole record. Send every field that must stay.`;
