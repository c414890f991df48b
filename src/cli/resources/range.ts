/** A range of names, such as A1..A40: a record for each. */
import { usage } from '../errors/exit.ts';

/** Enough for a hall. A typing error such as A1..A5000 must not make thousands. */
const most = 500;

/**
 * The names of a range; undefined for a text that is one name. Fails with exit 2 for a range that
 * nobody can mean.
 */
export function namesInRange(text: unknown, flag: string): string[] | undefined {
  if (typeof text !== 'string' || !/\d\.\.|\.\..*\d$/.test(text.trim())) return undefined;
  const ends = /^(.*?)(\d+)\.\.(.*?)(\d+)$/.exec(text.trim());
  const [, prefix = '', from = '', other = '', to = ''] = ends ?? [];
  const count = Number(to) - Number(from) + 1;
  const isPadded = from.startsWith('0') || to.startsWith('0');
  const problem = !ends
    ? 'it needs a number at both ends'
    : prefix !== other
      ? 'its ends begin differently'
      : isPadded && from.length !== to.length
        ? 'its numbers have different lengths'
        : count < 1
          ? 'its first number is above its last'
          : count > most
            ? `it has ${count} names, and ${most} at once are possible`
            : undefined;
  if (problem)
    throw usage(
      `${flag}: "${text}" isn't a range of names: ${problem}.`,
      'write it like A1..A40 or A01..A12',
    );
  return Array.from(
    { length: count },
    (_, index) => `${prefix}${String(Number(from) + index).padStart(from.length, '0')}`,
  );
}
