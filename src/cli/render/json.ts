/** JSON for scripts and people: two spaces, a line feed at the end. */

/**
 * Control characters beyond ASCII's own are legal in JSON but not on a terminal, so they are escaped;
 * the value stays the same for whoever parses it.
 */
const unsafe = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;
const escapeUnsafe = (text: string): string =>
  text.replace(unsafe, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);

export const toJson = (value: unknown): string => `${escapeUnsafe(JSON.stringify(value, null, 2) ?? 'null')}\n`;
/** One value on one line. */
export const toJsonLine = (value: unknown): string => `${escapeUnsafe(JSON.stringify(value) ?? 'null')}\n`;
