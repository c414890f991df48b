/** A range of names, such as A1 to A40 or A01 to A12: a record for each. */

/** Enough for a hall. A typing error such as A1 to A5000 must not make thousands. */
const most = 500;

/** The names from the first to the last, or why that is no range. */
export function namesBetween(first: string, last: string): readonly string[] | string {
  const [prefix, start] = parted(first);
  const [other, end] = parted(last);
  if (start === '' || end === '') return 'it needs a number at both ends';
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

/** What stands before the number at its end, and the number. */
function parted(name: string): [prefix: string, number: string] {
  const trimmed = name.trim();
  const [number = ''] = /(?<!\d)\d+$/.exec(trimmed) ?? [];
  return [trimmed.slice(0, trimmed.length - number.length), number];
}
