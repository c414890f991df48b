import { cut, pad, widthOf } from '../render/width.ts';

/** Cut or padded to a width in terminal cells. */
export const fill = (text: string, width: number): string => pad(cut(text, width), width);

/** Cells that the widest text takes, at most `room`. */
export const widest = (texts: readonly string[], room = Number.POSITIVE_INFINITY): number =>
  Math.max(1, Math.min(room, Math.max(0, ...texts.map(widthOf))));
