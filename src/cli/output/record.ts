/** One record for a person: every field with a value. */

import type { Styles } from '../terminal/style.ts';
import { alignValue, quoted, sanitize, words } from '../terminal/text.ts';
import { type CellContext, cellText, type Row } from './view.ts';
import { widthsFor } from './widths.ts';

export interface RecordOptions {
  readonly row: Row;
  readonly context: CellContext;
  readonly styles: Styles;
  /** Reference fields, with their resource. */
  readonly references: Readonly<Record<string, string>>;
  /** Width of the terminal in cells; `undefined` without a terminal. */
  readonly width: number | undefined;
}

/** Matches to the end: text that only starts like a time is text. */
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

export async function renderRecord({
  row,
  context,
  styles,
  references,
  width,
}: RecordOptions): Promise<string> {
  const lines = Object.entries(row)
    .filter(([, value]) => value !== null && value !== undefined && value !== '')
    .flatMap(([name, value]) => entries(words(sanitize(name)), value, references[name], context));
  const { widthOf } = await widthsFor(lines.map(([name]) => name));
  const margin = Math.max(0, ...lines.map(([name]) => widthOf(name))) + 2;
  const layOut = (value: Value, room: number | undefined) =>
    typeof value === 'string' ? quoted(value, room) : timeText(value, { context, styles, room });
  return lines
    .map(([name, value]) => {
      const gap = ' '.repeat(margin - widthOf(name));
      return `${styles.dim(name)}${gap}${alignValue((room) => layOut(value, room), { width, margin })}\n`;
    })
    .join('');
}

/** A text, or a point in time. */
type Value = string | { readonly iso: string };

/**
 * `2026-03-01 14:30, 2 hours ago (2026-03-01T13:30:00.000Z)`: on a terminal with room for it, how
 * far a near time is away.
 */
function timeText(
  { iso }: { readonly iso: string },
  { context, styles, room }: { context: CellContext; styles: Styles; room: number | undefined },
): string {
  const [time, exact, distance] = [
    context.time(iso),
    `(${cellText(iso)})`,
    context.relativeTime(iso),
  ];
  const beside = `, ${distance}`;
  const fits = distance !== '' && room !== undefined && `${time}${beside} ${exact}`.length <= room;
  return fits ? `${time}${styles.dim(beside)} ${exact}` : quoted(`${time} ${exact}`, room);
}

function entries(
  name: string,
  value: unknown,
  reference: string | undefined,
  context: CellContext,
): [string, Value][] {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return Object.entries(value)
      .filter(([, inner]) => inner !== null && inner !== '')
      .flatMap(([inner, content]) =>
        entries(`${name} ${words(sanitize(inner)).toLowerCase()}`, content, undefined, context),
      );
  if (reference) {
    const [label, id] = [cellText(context.label(reference, value)), cellText(value)];
    return [[name.replace(/ ID$/, ''), label === id ? label : `${label} (${id})`]];
  }
  if (typeof value === 'string' && timestamp.test(value)) return [[name, { iso: value }]];
  // Only free text keeps its line breaks.
  return [[name, typeof value === 'string' ? value : cellText(value)]];
}
