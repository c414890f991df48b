/** The width of text with one cell per character: Latin letters and punctuation. */

export interface Widths {
  widthOf(text: string): number;
  /** Cuts to `size` cells with a visible mark, between characters. */
  cut(text: string, size: number): string;
  /** Pads with spaces to `size` cells; longer text stays unchanged. */
  pad(text: string, size: number, align?: 'left' | 'right'): string;
}

/**
 * ASCII, Latin letters with their accents, and the dashes, dots and arrows that this program writes
 * itself.
 */
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
