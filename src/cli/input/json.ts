/**
 * JSON in which an integer above 2^53 is text, since a number would round it to another.
 * @throws SyntaxError
 */
export const parseJson = (text: string): unknown =>
  /\d{16}/.test(text) ? JSON.parse(text, withTextInteger) : JSON.parse(text);

/** `source`: the digits as they came. */
const withTextInteger = (_: string, value: unknown, { source = '' }: { source?: string } = {}) =>
  Number.isInteger(value) && !Number.isSafeInteger(value) && /^-?\d+$/.test(source)
    ? source
    : value;

/** The first key that an object has twice (`JSON.parse` takes the last one), in quotes, and the number of that object in an array. */
export function repeatedKey(json: string): { key: string; object: number } | undefined {
  const open: Set<string>[] = [];
  let object = 0;
  for (const [token, text, isKey] of json.matchAll(/[{}]|("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?/g)) {
    if (token === '{') {
      if (open.length === 0) object += 1;
      open.push(new Set());
    } else if (token === '}') open.pop();
    else if (text && isKey) {
      const key = text.includes('\\') ? JSON.stringify(JSON.parse(text)) : text;
      if (open.at(-1)?.has(key)) return { key, object };
      open.at(-1)?.add(key);
    }
  }
  return undefined;
}
