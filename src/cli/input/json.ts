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
