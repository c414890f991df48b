/** JSON with an indent of two spaces and a final line feed. */
import { itemsOf, type RecordFormat } from './format.ts';

/**
 * JSON allows control characters beyond ASCII, a terminal shouldn't get them, so they are escaped;
 * the parsed value stays the same.
 */
const unsafe = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

export const escapeUnsafe = (json: string): string =>
  json.replace(
    unsafe,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

export const toJson = (value: unknown): string =>
  `${escapeUnsafe(JSON.stringify(value, null, 2) ?? 'null')}\n`;
/** One value on one line. */
export const toJsonLine = (value: unknown): string =>
  `${escapeUnsafe(JSON.stringify(value) ?? 'null')}\n`;

/**
 * The number of characters that are buffered, so that a short list that fails midway prints
 * nothing.
 */
const heldBackBytes = 4 * 1024 * 1024;

/**
 * One document: the array of the records, or the record. Above a few megabytes it streams; a
 * failure midway leaves the bracket open, so that a part can't be mistaken for the whole.
 */
export function jsonFormat(): RecordFormat {
  let held = '';
  let begun = false;
  return {
    records(rows) {
      // The items without the array's brackets.
      held += (begun ? ',' : '[') + escapeUnsafe(JSON.stringify(rows, null, 2).slice(1, -2));
      begun = true;
      if (held.length < heldBackBytes) return '';
      const text = held;
      held = '';
      return text;
    },
    end: () => (begun ? `${held}\n]\n` : '[]\n'),
    one: toJson,
  };
}

/** A record per line. */
export function ndjsonFormat(): RecordFormat {
  const lines = (items: readonly unknown[]) => {
    let text = '';
    for (const item of items) text += `${JSON.stringify(item)}\n`;
    return escapeUnsafe(text);
  };
  return { records: lines, end: () => '', one: (value) => lines(itemsOf(value)) };
}
