/** A range of names, such as A1 to A40 or A01 to A12: a record for each. */

/** Enough for a hall. A typing error such as A1 to A5000 must not make thousands. */
const most = 500;

/** The names from the first to the last, or why that is no range. */
export function namesBetween(first: string, last: string): readonly string[] | string {
  const [from, to] = [first, last].map((name) => /^(.*?)(\d+)$/.exec(name.trim()));
  if (!from || !to) return 'it needs a number at both ends';
  const [, prefix = '', start = ''] = from;
  const [, other = '', end = ''] = to;
  const count = Number(end) - Number(start) + 1;
  if (prefix !== other) return 'its ends begin differently';
  if ((start.startsWith('0') || end.startsWith('0')) && start.length !== end.length)
    return 'its numbers have different lengths';
  if (count < 1) return 'its first number is above its last';
  if (count > most) return `it has ${count} names, and ${most} at once are possible`;
  return Array.from(
    { length: count },
    (_, index) => `${prefix}${String(Number(start) + index).padStart(start.length, '0')}`,
  );
}
