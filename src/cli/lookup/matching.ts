/** When two spellings are the same name, and how to find one through the server's search. */

/** Names are the same whatever the case and the number of spaces. */
export const fold = (text: string): string => text.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase();
/** Only letters and digits: plates are typed with and without their spaces and dashes. */
export const normalizeName = (text: string): string => fold(text).replace(/[^\p{L}\p{M}\p{N}]/gu, '');

/**
 * What to search for, until something that matches is found: as it was typed, then without what stands between letters and digits.
 * A server that takes spaces and hyphens to the letter finds a plate that was typed without them by its digits.
 */
export function searchesFor(text: string): string[] {
  const squeezed = normalizeName(text);
  const digits = text.replace(/\D+/g, ' ').trim();
  const others = [squeezed, digits].filter((search) => search !== '' && search !== fold(text));
  return [...new Set([text, ...others])].map((search) => search.slice(0, 200));
}
