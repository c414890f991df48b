/** A range of names, such as A1..A40: a record for each. */
import { namesBetween } from '../../facility/name-range.ts';
import { usage } from '../errors/exit.ts';

/** The names of a range; undefined for a text that is one name. Fails with exit 2 for a range that nobody can mean. */
export function namesInRange(text: unknown, flag: string): readonly string[] | undefined {
  if (typeof text !== 'string' || !/\d\.\.|\.\..*\d$/.test(text.trim())) return undefined;
  const [, first = '', last = ''] = /^(.*?)\.\.(.*)$/.exec(text) ?? [];
  const names = namesBetween(first, last);
  if (typeof names !== 'string') return names;
  throw usage(
    `${flag}: "${text}" isn't a range of names: ${names}.`,
    'write it like A1..A40 or A01..A12',
  );
}
