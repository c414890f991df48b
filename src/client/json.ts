/**
 * JSON without rounded integers. A number of JavaScript holds integers up to 2^53: a larger id would be rounded to that of another record.
 */

interface Source {
  /** The digits as they were sent. Older browsers don't tell. */
  readonly source?: string;
}

/** Integers that a number can't hold are text. */
export const parseJson = (text: string): unknown => withTextIntegers(parseExactly(text));

/**
 * Integers that a number can't hold are bigints.
 * @throws RangeError where the platform would round them, and for values nested too deep
 */
export function parseExactly(text: string): unknown {
  const value: unknown = JSON.parse(text);
  requireShallow(value, 0);
  // The slow way only where there may be such an integer.
  return largeInteger.test(text) ? JSON.parse(text, withExactInteger) : value;
}

/** Far above any record. Whatever walks a value later, a printer or a comparison, then needs no limit of its own. */
const maxDepth = 100;

function requireShallow(value: unknown, depth: number): void {
  if (typeof value !== 'object' || value === null) return;
  if (depth === maxDepth) throw new RangeError(`JSON nested more than ${maxDepth} levels deep`);
  for (const inner of Object.values(value)) requireShallow(inner, depth + 1);
}

/** 16 digits that don't begin a text. */
const largeInteger = /[:,[\s]-?\d{16}/;

function withExactInteger(_name: string, value: unknown, { source }: Source = {}): unknown {
  if (!Number.isInteger(value) || Number.isSafeInteger(value)) return value;
  if (source === undefined)
    throw new RangeError(`an integer near ${value}, which this platform would round`);
  return /^-?\d+$/.test(source) ? BigInt(source) : value;
}

/** Returns the same value where it has no bigint. */
export function withTextIntegers(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return value;
  // In place: the value was just read, and a list can be large.
  const holder = value as Record<string, unknown>;
  for (const name of Object.keys(holder)) {
    const inner = holder[name];
    if (typeof inner === 'bigint' || typeof inner === 'object')
      holder[name] = withTextIntegers(inner);
  }
  return holder;
}

/** Bigints are integers in the text. */
export const toExactJson = (value: unknown): string =>
  JSON.stringify(value, (_name, inner: unknown) =>
    typeof inner === 'bigint' ? integerOf(inner) : inner,
  );

/** Text where the platform can't write such an integer: ids are text in the specification. */
function integerOf(value: bigint): unknown {
  const { rawJSON } = JSON as { rawJSON?: (text: string) => unknown };
  return rawJSON ? rawJSON(String(value)) : String(value);
}
