/** Compares spellings of names, and finds names through the server's search. */

/** Ignores case and repeated spaces. */
export const fold = (text: string): string => text.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase();
/** Keeps only letters and digits: people type plates with and without spaces and dashes. */
export const normalizeName = (text: string): string => fold(text).replace(/[^\p{L}\p{M}\p{N}]/gu, '');

/**
 * Search texts, in order, until one matches: as typed, then letters and digits alone, then digits alone. The last finds a plate that was
 * typed without separators on a server that compares them literally.
 */
export function searchesFor(text: string): string[] {
  const squeezed = normalizeName(text);
  const digits = text.replace(/\D+/g, ' ').trim();
  const others = [squeezed, digits].filter((search) => search !== '' && search !== fold(text));
  return [...new Set([text, ...others])].map((search) => search.slice(0, 200));
}
