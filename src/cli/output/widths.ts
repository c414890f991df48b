import { isPlain, plainWidths, type Widths } from '../terminal/plain-width.ts';

/**
 * Measures these texts and parts of them. Other scripts and emoji need string-width, which takes 30
 * ms to load.
 */
export async function widthsFor(texts: Iterable<string>): Promise<Widths> {
  for (const text of texts) if (!isPlain(text)) return import('../terminal/width.ts');
  return plainWidths;
}
