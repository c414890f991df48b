/**
 * The width of any text in terminal cells. string-width takes 30 ms to load: `widthsFor` loads this
 * file only where it is needed.
 */
import stringWidth from 'string-width';
import { isPlain, plainWidths, type Widths } from './plain-width.ts';

export const widthOf: Widths['widthOf'] = (text) =>
  isPlain(text) ? text.length : stringWidth(text);

/** Created on first use: it takes milliseconds. */
let graphemes: Intl.Segmenter | undefined;

export const cut: Widths['cut'] = (text, size) => {
  if (isPlain(text)) return plainWidths.cut(text, size);
  if (widthOf(text) <= size) return text;
  if (size < 1) return '';
  let result = '';
  let used = 0;
  graphemes ??= new Intl.Segmenter();
  for (const { segment } of graphemes.segment(text)) {
    const wide = widthOf(segment);
    if (used + wide > size - 1) break;
    result += segment;
    used += wide;
  }
  return `${result.trimEnd()}…`;
};

export const pad: Widths['pad'] = (text, size, align = 'left') => {
  const space = ' '.repeat(Math.max(0, size - widthOf(text)));
  return align === 'left' ? text + space : space + text;
};

/** Cuts or pads text to a width in terminal cells. */
export const fill = (text: string, width: number): string => pad(cut(text, width), width);

/** Cells of the widest text, at most `room`. */
export const widest = (texts: readonly string[], room = Number.POSITIVE_INFINITY): number =>
  Math.max(1, Math.min(room, Math.max(0, ...texts.map(widthOf))));
