/** JSON for scripts and people: two spaces, a line feed at the end. */
import { itemsOf, type RecordFormat } from './format.ts';
import { escapeUnsafe } from './unsafe.ts';

export const toJson = (value: unknown): string => `${escapeUnsafe(JSON.stringify(value, null, 2) ?? 'null')}\n`;
/** One value on one line. */
export const toJsonLine = (value: unknown): string => `${escapeUnsafe(JSON.stringify(value) ?? 'null')}\n`;

/** Characters of a list that are held back, so that of one that cannot be read to its end nothing is printed. */
const heldBack = 4 * 1024 * 1024;

/**
 * One document: the array of the records, or the record. What is longer than a few megabytes is written as it comes; if that ends
 * midway, no bracket closes it, so that it cannot pass for the whole.
 */
export function jsonFormat(): RecordFormat {
  let held = '';
  let begun = false;
  return {
    records(rows) {
      if (rows.length === 0) return '';
      // Without its brackets, an array is its items as they stand in a longer one.
      held += (begun ? ',' : '[') + escapeUnsafe(JSON.stringify(rows, null, 2).slice(1, -2));
      begun = true;
      if (held.length < heldBack) return '';
      const text = held;
      held = '';
      return text;
    },
    end: () => (begun ? `${held}\n]\n` : '[]\n'),
    one: toJson,
  };
}

/** A record a line. */
export function ndjsonFormat(): RecordFormat {
  const lines = (items: readonly unknown[]) => {
    let text = '';
    for (const item of items) text += `${JSON.stringify(item) ?? 'null'}\n`;
    return escapeUnsafe(text);
  };
  return { records: lines, end: () => '', one: (value) => lines(itemsOf(value)) };
}
