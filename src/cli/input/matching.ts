/** Compares spellings of names, and finds names through the server's search. */

/** Ignores case and repeated spaces. */
export const fold = (text: string): string =>
  text.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase();
/**
 * Keeps only letters and digits, in one form of each: people type plates with and without spaces
 * and dashes, and servers store texts in their own way.
 */
export const normalizeName = (text: string): string =>
  fold(text.normalize('NFKC')).replace(/[^\p{L}\p{M}\p{N}]/gu, '');

/**
 * Whether two spellings with the same letters and digits can be of the same name. One of them may
 * leave out separators: `hhrs73` is HH-RS 73. But `BO-T 7` and `B-OT 7` are the plates of two cars,
 * and spot A1-2 isn't A12. E-mail addresses and file names are compared whole.
 */
export function isSameReading(a: string, b: string): boolean {
  if (normalizeName(a) === '' || normalizeName(a) !== normalizeName(b)) return false;
  if ([a, b].some((text) => text.includes('@') || /\.\p{L}[\p{L}\d]{1,4}$/u.test(text.trim())))
    return fold(a) === fold(b);
  const [one, other] = [breaksIn(a), breaksIn(b)];
  const isWithin = (some: ReadonlySet<number>, all: ReadonlySet<number>) =>
    [...some].every((at) => all.has(at));
  const sameDigits =
    isWithin(one.inDigits, other.inDigits) && isWithin(other.inDigits, one.inDigits);
  return (
    sameDigits &&
    (isWithin(one.inLetters, other.inLetters) || isWithin(other.inLetters, one.inLetters))
  );
}

/**
 * Where separators stand, counted in letters and digits. Those between a letter and a digit say
 * nothing.
 */
function breaksIn(text: string): { inLetters: ReadonlySet<number>; inDigits: ReadonlySet<number> } {
  const groups = fold(text)
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter(Boolean);
  const [inLetters, inDigits] = [new Set<number>(), new Set<number>()];
  let at = 0;
  for (const [index, group] of groups.entries()) {
    const before = groups[index - 1];
    if (before !== undefined) {
      const [left, right] = [/\p{N}$/u.test(before), /^\p{N}/u.test(group)];
      if (left && right) inDigits.add(at);
      else if (!left && !right) inLetters.add(at);
    }
    at += group.length;
  }
  return { inLetters, inDigits };
}

/**
 * Whether a server's search may miss the text within a word: its index may have parts of three
 * characters and more.
 */
export const isShortSearch = (text: string): boolean =>
  fold(text)
    .split(' ')
    .every((word) => [...word].length < 3);

/**
 * Whether the texts of a record hold every word of a search, or its letters and digits in a row.
 */
export function holdsSearch(texts: readonly unknown[], search: string): boolean {
  const known = texts.filter((text) => typeof text === 'string').map(String);
  const [words, squeezed] = [fold(search).split(' '), normalizeName(search)];
  const holdsWord = (word: string) => known.some((text) => fold(text).includes(word));
  return (
    words.every(holdsWord) ||
    (squeezed !== '' && known.some((text) => normalizeName(text).includes(squeezed)))
  );
}

/**
 * Search texts, in order, until one matches: as typed, then letters and digits alone, then digits
 * alone. The last finds a plate that was typed without separators on a server that compares them
 * literally.
 */
export function searchesFor(text: string): string[] {
  const squeezed = normalizeName(text);
  const digits = text.replace(/\D+/g, ' ').trim();
  const others = [squeezed, digits].filter((search) => search !== '' && search !== fold(text));
  return [...new Set([text, ...others])].map((search) => search.slice(0, 200));
}
