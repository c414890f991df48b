/**
 * JSON allows control characters beyond ASCII, a terminal shouldn't get them, so they are escaped; the parsed value stays the same.
 */
const unsafe = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

export const escapeUnsafe = (json: string): string =>
  json.replace(unsafe, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
