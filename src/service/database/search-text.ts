/** How a search compares: texts without case, keys also without spaces and hyphens. The databases have functions of the same names and effect. */

/** White space as in JavaScript, and hyphens: optional in a plate. */
export const separators = `\t\n\v\f\r \u00a0\u1680${range(0x2000, 0x200a)}\u2028\u2029\u202f\u205f\u3000\ufeff-\u00ad${range(0x2010, 0x2015)}\u2212`;

const separator = new RegExp(`[${separators.replace('-', '\\-')}]`, 'g');

export const fold = (text: string): string => text.toLowerCase();
export const squeeze = (text: string): string => fold(text).replace(separator, '');

function range(first: number, last: number): string {
  return Array.from({ length: last - first + 1 }, (_, at) => String.fromCharCode(first + at)).join(
    '',
  );
}

/** The terms of a query. */
export interface SearchTerms {
  /** The whole query as a key; empty when it consists of separators. */
  readonly whole: string;
  /** Lists of words: a record matches when its text contains all words of one list. Each list has a word that is long enough for the index. */
  readonly parts: readonly (readonly string[])[];
  /** Or when its keys begin with all of these; empty if any word is long. */
  readonly beginnings: readonly string[];
}

/** The shortest word that a trigram index finds, in code points. */
const longEnough = 3;
const isLong = (word: string): boolean => [...word].length >= longEnough;

/** Undefined for a query without words, which matches everything. */
export function searchTerms(query: string): SearchTerms | undefined {
  const words = [...new Set(fold(query).split(/\s+/).filter(Boolean))];
  if (words.length === 0) return undefined;
  const whole = squeeze(query);
  const parts = words.some(isLong) ? [words] : [];
  // Finds a part of a plate with or without separators.
  if (isLong(whole) && (words.length > 1 || words[0] !== whole)) parts.push([whole]);
  const beginnings = words.some(isLong) ? [] : words.map(squeeze);
  // No key begins with a separator.
  return { whole, parts, beginnings: beginnings.includes('') ? [] : beginnings };
}

/** Sorts after everything with this beginning: the last code point, which isn't a character. */
export const afterAll = (beginning: string): string => `${beginning}\u{10ffff}`;

/** A key within the lines of keys. */
export const keyLine = (key: string): string => `\n${key}\n`;
