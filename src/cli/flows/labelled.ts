import type { Context } from '../command.ts';
import { breakWords, sanitizeLines } from '../text.ts';
import { labelWidth } from './prompts.ts';

const indent = 2;
const margin = ' '.repeat(indent + labelWidth + 1);
/** Narrower than this, a value is left to the terminal. */
const leastRoom = 16;

/** Lines of label and value, the values in one column; empty values are left out. */
export function labelled(
  { paint, io }: Pick<Context, 'paint' | 'io'>,
  lines: readonly (readonly [label: string, value: string | null | undefined])[],
): string {
  const room = io.columns === undefined ? undefined : Math.max(leastRoom, io.columns - margin.length);
  return lines
    .filter(([, value]) => value)
    .map(([label, value]) => {
      const safe = sanitizeLines(value as string);
      // A command stays one line, so that it can be copied.
      const broken = /^cs |`/m.test(safe) ? safe : breakWords(safe, room);
      // Notes may have several lines; they stand under the first.
      return `${' '.repeat(indent)}${paint.dim(label.padEnd(labelWidth))} ${broken.replaceAll('\n', `\n${margin}`)}\n`;
    })
    .join('');
}
