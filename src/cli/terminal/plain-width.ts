/** The width in terminal cells of text whose characters all take one: Latin letters and their punctuation. */

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
