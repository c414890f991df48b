/** How many cells of a terminal a text takes, for text whose every character takes one: no more than Latin letters and their signs. */

export interface Widths {
  widthOf(text: string): number;
  /** At most `size` cells, the cut shown; never through the middle of a character. */
  cut(text: string, size: number): string;
  /** Filled with spaces to `size` cells; what is longer stays as it is. */
  pad(text: string, size: number, align?: 'left' | 'right'): string;
}

/** ASCII, Latin letters with their accents, and the dashes, dots and arrows that this program writes itself. */
const plain = /^[\x20-\x7e\u00a1-\u00ac\u00ae-\u02ff\u2013\u2014\u2026\u2190-\u2193]*$/;

export const isPlain = (text: string): boolean => plain.test(text);

export const plainWidths: Widths = {
  widthOf: (text) => text.length,
  cut(text, size) {
    if (text.length <= size) return text;
    return size < 1 ? '' : `${text.slice(0, size - 1).trimEnd()}…`;
  },
  pad: (text, size, align = 'left') => (align === 'left' ? text.padEnd(size) : text.padStart(size)),
};

/** For these texts and parts of them. Other scripts and emoji need string-width, which takes 30 ms to load. */
export async function widthsFor(texts: Iterable<string>): Promise<Widths> {
  for (const text of texts) if (!isPlain(text)) return import('./width.ts');
  return plainWidths;
}
