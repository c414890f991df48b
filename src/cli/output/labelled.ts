import type { Context } from '../framework/context.ts';
import { labelWidth } from '../prompts/run.ts';
import { breakWords, quoted, sanitize } from '../terminal/text.ts';

const indent = 2;
const margin = ' '.repeat(indent + labelWidth + 1);
/** With fewer cells, the terminal wraps the value. */
const leastRoom = 16;

/** Lines of label and value, with aligned values; empty values are left out. A list has a line per text. */
export function labelled(
  { paint, io }: Pick<Context, 'paint' | 'io'>,
  lines: readonly (readonly [label: string, value: string | readonly string[] | null | undefined])[],
): string {
  const room = io.columns === undefined ? undefined : Math.max(leastRoom, io.columns - margin.length);
  return lines
    .filter(([, value]) => value && value.length > 0)
    .map(([label, value]) => {
      const broken =
        typeof value === 'string' ? unbroken(value, room) : (value ?? []).map((text) => breakWords(sanitize(text), room)).join('\n');
      // Further lines are aligned with the first.
      return `${' '.repeat(indent)}${paint.dim(label.padEnd(labelWidth))} ${broken.replaceAll('\n', `\n${margin}`)}\n`;
    })
    .join('');
}

/** Commands aren't wrapped, so that they can be copied. */
const unbroken = (value: string, room: number | undefined): string => (/^cs |`/m.test(value) ? sanitize(value) : quoted(value, room));
