/** How many cells of a terminal any text takes. Where a screen can do without, `widthsFor` saves loading this. */
import stringWidth from 'string-width';
import { isPlain, plainWidths, type Widths } from './plain-width.ts';

export const widthOf: Widths['widthOf'] = (text) => (isPlain(text) ? text.length : stringWidth(text));

/** Made when such text has to be cut: it takes milliseconds. */
let graphemes: Intl.Segmenter | undefined;

export const cut: Widths['cut'] = (text, size) => {
  if (isPlain(text)) return plainWidths.cut(text, size);
  if (widthOf(text) <= size) return text;
  if (size < 1) return '';
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
};

export const pad: Widths['pad'] = (text, size, align = 'left') => {
  const space = ' '.repeat(Math.max(0, size - widthOf(text)));
  return align === 'left' ? text + space : space + text;
};
