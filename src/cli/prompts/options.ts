/** What a list offers. */
import { grouped } from '../terminal/text.ts';

export interface Option<T> {
  /** Sanitized by the caller, since it may be styled. */
  readonly name: string;
  /** Shown as the answer (default: the name). */
  readonly short?: string;
  readonly value: T;
  /** Shown below the list while the cursor is on this option. */
  readonly about?: string | undefined;
  /** Ignores an Enter that was pressed before the option was on the screen. */
  readonly deliberate?: boolean;
  /** Number of headings above it that it belongs to (default: 0). */
  readonly depth?: number;
}

/** A title above the options that follow. */
export interface Heading {
  readonly heading: string;
  /** Number of headings above it that it belongs to (default: 0). */
  readonly depth?: number;
}

export type Item = Option<unknown> | Heading;

export const isOption = (item: Item | undefined): item is Option<unknown> =>
  item !== undefined && 'value' in item;

/** The last line of a list that is cut. */
export const moreHeading = (count: number): Heading[] =>
  count > 0 ? [{ heading: ` … and ${grouped(count)} more: keep typing to narrow the list` }] : [];

/** The last line of a list that goes on above or below the screen. */
export function moreAround(above: number, below: number): Heading {
  const counts = [
    above > 0 && `${grouped(above)} more above`,
    below > 0 && `${grouped(below)} more below`,
  ].filter(Boolean);
  return { heading: counts.length > 0 ? ` … and ${counts.join(', ')}` : '' };
}
