import type { Io } from '../terminal/io.ts';
import type { Styles } from '../terminal/style.ts';
import { alignValue, breakWords, quoted, sanitize } from '../terminal/text.ts';

/** Cells of the labels of questions and summaries, so that their values are aligned. A longer label widens its summary. */
export const labelWidth = 10;

const indent = '  ';
/**
 * Lines of label and value, with aligned values; empty values are left out. A list has a line per
 * text.
 */
export function labelled(
  { styles, io }: { readonly styles: Styles; readonly io: Io },
  lines: readonly (readonly [
    label: string,
    value: string | readonly string[] | null | undefined,
    ...unknown[],
  ])[],
): string {
  const shown = lines.flatMap(([label, value]) =>
    value && value.length > 0 ? [[label, value] as const] : [],
  );
  const width = Math.max(labelWidth, ...shown.map(([label]) => label.length));
  const margin = indent.length + width + 1;
  return shown
    .map(([label, value]) => {
      const aligned = alignValue((room) => layOut(value, room), { width: io.columns, margin });
      return `${indent}${styles.dim(label.padEnd(width))} ${aligned}\n`;
    })
    .join('');
}

/** Commands aren't wrapped, so that they can be copied. */
function layOut(value: string | readonly string[], room: number | undefined): string {
  if (typeof value !== 'string')
    return value.map((text) => breakWords(sanitize(text), room)).join('\n');
  return /^cs |`/m.test(value) ? sanitize(value) : quoted(value, room);
}
