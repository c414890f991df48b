/** What a search compares: texts without their case, and keys also without spaces and hyphens. The databases have functions of the same names and effect. */

/** White space as JavaScript has it, and hyphens: what people put into a plate or leave out. */
export const separators = `\t\n\v\f\r \u00a0\u1680${range(0x2000, 0x200a)}\u2028\u2029\u202f\u205f\u3000\ufeff-\u00ad${range(0x2010, 0x2015)}\u2212`;

const separator = new RegExp(`[${separators.replace('-', '\\-')}]`, 'g');

export const fold = (text: string): string => text.toLowerCase();
export const squeeze = (text: string): string => fold(text).replace(separator, '');

function range(first: number, last: number): string {
  return Array.from({ length: last - first + 1 }, (_, at) => String.fromCharCode(first + at)).join('');
}

/** What a query asks for. */
export interface SearchTerms {
  /** The key that the query as a whole may be; empty when it holds separators only. */
  readonly whole: string;
  /** Lists of words: a record is found when its text holds all of one of them. One of each at least is long enough for the index. */
  readonly parts: readonly (readonly string[])[];
  /** Or when its keys begin with all of these; empty unless every word is short. */
  readonly beginnings: readonly string[];
}

/** A trigram index finds words from this length on, in code points. */
const longEnough = 3;
const isLong = (word: string): boolean => [...word].length >= longEnough;

/** Undefined for a query without words, which narrows nothing. */
export function searchTerms(query: string): SearchTerms | undefined {
  const words = [...new Set(fold(query).split(/\s+/).filter(Boolean))];
  if (words.length === 0) return undefined;
  const whole = squeeze(query);
  const parts = words.some(isLong) ? [words] : [];
  // So that part of a plate is found however it is written.
  if (isLong(whole) && (words.length > 1 || words[0] !== whole)) parts.push([whole]);
  const beginnings = words.some(isLong) ? [] : words.map(squeeze);
  // No key begins with a separator.
  return { whole, parts, beginnings: beginnings.includes('') ? [] : beginnings };
}

/** Behind everything that begins so: the last code point there is, which is not a character. */
export const afterAll = (beginning: string): string => `${beginning}\u{10ffff}`;

/** A key as it stands among others. */
export const keyLine = (key: string): string => `\n${key}\n`;
