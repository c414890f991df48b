import { invalid } from '../problem.ts';
import { tooLarge } from './file-kinds.ts';

/**
 * The bytes in the `base64` field of a body (decision; the specification leaves its format open). Accepts the standard and the
 * URL-safe alphabet, padded or not, with line breaks, with or without a `data:` prefix. Throws `photo_too_large` above `limit`
 * bytes, otherwise `validation_failed`.
 */
export function decodeBase64(text: string, limit: number): Uint8Array {
  const digits = withoutPrefix(text).replace(/[\t\n\f\r ]+/g, '');
  const end = digits.length - paddingOf(digits);
  const wrong = digits.slice(0, end).search(/[^A-Za-z0-9+/_-]/);
  if (wrong !== -1)
    throw notBase64('alphabet', `has a character at position ${wrong + 1} that isn't base64`);
  if (end === 0) throw notBase64('required', 'contains no bytes');
  // Four digits are three bytes; a single one left over means a truncated text.
  if (end % 4 === 1 || (end !== digits.length && digits.length % 4 !== 0))
    throw notBase64('length', 'is truncated or wrongly padded');
  const size = Math.floor((end * 3) / 4);
  if (size > limit) throw tooLarge(size, limit);
  return Buffer.from(digits, 'base64');
}

function withoutPrefix(text: string): string {
  const start = text.search(/\S/);
  if (text.slice(start, start + 5).toLowerCase() !== 'data:') return text;
  const comma = text.indexOf(',', start);
  // A prefix is short, so the search for its end is limited.
  const prefix = comma === -1 || comma - start > 255 ? '' : text.slice(start, comma);
  if (!/;base64$/i.test(prefix))
    throw notBase64('data_url', "has a data: prefix that doesn't end in ;base64,");
  return text.slice(comma + 1);
}

function paddingOf(digits: string): number {
  return digits.endsWith('==') ? 2 : digits.endsWith('=') ? 1 : 0;
}

const notBase64 = (rule: string, message: string) => invalid([{ path: 'base64', rule, message }]);
