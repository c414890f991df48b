/** JSON without rounded integers. A number of JavaScript holds integers up to 2^53: a larger one would be rounded to another. */

/**
 * Integers that a number can't hold are text.
 * @throws SyntaxError, and RangeError for values nested too deep or an integer that the platform would round
 */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  requireShallow(value, 0);
  // The slow way only where there may be such an integer.
  return largeInteger.test(text) ? JSON.parse(text, withTextInteger) : value;
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

/** `source`: the digits as they were sent. Older browsers don't tell. */
function withTextInteger(_: string, value: unknown, { source }: { source?: string } = {}): unknown {
  if (!Number.isInteger(value) || Number.isSafeInteger(value)) return value;
  if (source === undefined)
    throw new RangeError(`an integer near ${value}, which this platform would round`);
  return /^-?\d+$/.test(source) ? source : value;
}
