/** How many cells of a terminal a text takes. */
import stringWidth from 'string-width';

const ascii = /^[\x20-\x7e]*$/;

/** Most text is ASCII, where letters are cells; only the rest has to be looked at character by character. */
export const widthOf = (text: string): number => (ascii.test(text) ? text.length : stringWidth(text));

/** Made when text that is not ASCII has to be cut: it takes milliseconds. */
let graphemes: Intl.Segmenter | undefined;

/** At most `size` cells, the cut shown; never through the middle of a character. */
export function cut(text: string, size: number): string {
  if (widthOf(text) <= size) return text;
  if (size < 1) return '';
  if (ascii.test(text)) return `${text.slice(0, size - 1).trimEnd()}…`;
  let kept = '';
  let used = 0;
  graphemes ??= new Intl.Segmenter();
  for (const { segment } of graphemes.segment(text)) {
    const wide = widthOf(segment);
    if (used + wide > size - 1) break;
    kept += segment;
    used += wide;
  }
  return `${kept.trimEnd()}…`;
}

/** Filled with spaces to `size` cells; what is longer stays as it is. */
export function pad(text: string, size: number, align: 'left' | 'right' = 'left'): string {
  const space = ' '.repeat(Math.max(0, size - widthOf(text)));
  return align === 'left' ? text + space : space + text;
}
