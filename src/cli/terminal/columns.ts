import { plateCells } from '../output/view.ts';
import { cut, pad, widthOf } from './width.ts';

/** Cut or padded to a width in terminal cells. */
export const fill = (text: string, width: number): string => pad(cut(text, width), width);

/** Cells for a plate: all of one, and of a nickname that stands in its place as many as leave room for the rest. */
export const plateRoom = (width: number): number => Math.max(plateCells, Math.floor(width / 3));

/** Cells that the widest text takes, at most `room`. */
export const widest = (texts: readonly string[], room = Number.POSITIVE_INFINITY): number =>
  Math.max(1, Math.min(room, Math.max(0, ...texts.map(widthOf))));
