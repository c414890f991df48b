import stringWidth from 'string-width';
import { cut } from '../render/table.ts';

/** Cut or padded to a width in terminal cells. */
export function fill(text: string, width: number): string {
  const shown = cut(text, width);
  return shown + ' '.repeat(Math.max(0, width - stringWidth(shown)));
}

/** Cells that the widest text takes, at most `room`. */
export const widest = (texts: readonly string[], room = Number.POSITIVE_INFINITY): number =>
  Math.max(1, Math.min(room, Math.max(0, ...texts.map((text) => stringWidth(text)))));
