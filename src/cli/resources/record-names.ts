/** The names of a record, as completion and work without the server suggest them. */

import type { Row } from '../output/view.ts';
import type { Candidate } from '../state/names.ts';
import { sanitize } from '../terminal/text.ts';
import type { LabelRule } from './labels.ts';

/** The first one is suggested. */
export const namesOf = ({ names }: LabelRule, row: Row): string[] =>
  names(row).filter((name): name is string => typeof name === 'string' && name !== '');

/** Undefined for a record without a name. */
export function candidateOf(
  rule: LabelRule,
  row: Row,
  [value, ...also]: readonly string[] = namesOf(rule, row),
): Candidate | undefined {
  return value === undefined
    ? undefined
    : { value, about: describe(rule, row, value), also, record: recordOf(rule, row) };
}

const recordOf = ({ kept = [] }: LabelRule, row: Row): Row =>
  Object.fromEntries(['id', ...kept].map((field) => [field, row[field]]));

function describe({ detail, label }: LabelRule, row: Row, value: string): string {
  const about = detail?.(row) || label(row);
  return typeof about === 'string' && about !== value ? sanitize(about) : '';
}
