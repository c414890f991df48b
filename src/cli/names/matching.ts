/** When two spellings are the same name, and how to find one through the server's search. */

/** Names are the same whatever the case and the number of spaces. */
export const fold = (text: string): string => text.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase();
/** Only letters and digits: plates are typed with and without their spaces and dashes. */
export const squeeze = (text: string): string => fold(text).replace(/[^\p{L}\p{M}\p{N}]/gu, '');

/**
 * What to search for, until something that matches is found. The server's search takes spaces and dashes to the letter,
 * so a plate that was typed without them is found by its digits.
 */
export function searchesFor(text: string): string[] {
  const digits = text.replace(/\D+/g, ' ').trim();
  return [text, ...(digits !== '' && digits !== text ? [digits] : [])].map((search) => search.slice(0, 200));
}
