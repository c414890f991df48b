import type { Context } from '../command.ts';
import { sanitizeLines } from '../text.ts';
import { labelWidth } from './prompts.ts';

/** Lines of label and value, the values in one column; empty values are left out. */
export function labelled(
  { paint }: Pick<Context, 'paint'>,
  lines: readonly (readonly [label: string, value: string | null | undefined])[],
): string {
  return lines
    .filter(([, value]) => value)
    .map(([label, value]) => {
      // Notes may have several lines; they stand under the first.
      const shown = sanitizeLines(value as string).replaceAll('\n', `\n  ${' '.repeat(labelWidth + 1)}`);
      return `  ${paint.dim(label.padEnd(labelWidth))} ${shown}\n`;
    })
    .join('');
}
