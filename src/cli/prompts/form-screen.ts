/**
 * What a form has written, part by part, so that a part that is asked again doesn't stand on the
 * screen twice.
 */
import type { Context } from '../context.ts';
import { widthOf } from '../terminal/width.ts';

export interface FormScreen<Part> {
  print(part: Part, text: string): void;
  /** Takes parts from the screen; what stood below them moves up. */
  remove(isGone: (part: Part) => boolean): void;
  /** Returns what brings back the parts that stand there now. */
  save(): () => void;
  /** Another text was written below: what stands above it stays. */
  interrupted(): void;
}

interface Block<Part> {
  readonly part: Part;
  /** Ends its line. */
  readonly text: string;
}

/** Parts stand in their order, whenever they are printed. */
export function formScreen<Part>(
  { io, settings }: Pick<Context, 'io' | 'settings'>,
  orderOf: (part: Part) => number,
): FormScreen<Part> {
  let shown: readonly Block<Part>[] = [];
  let interruptions = 0;
  const rowsOf = (line: string) =>
    Math.max(1, Math.ceil(widthOf(line) / (io.columns ?? Number.POSITIVE_INFINITY)));
  const height = ({ text }: Block<Part>) =>
    text
      .split('\n')
      .slice(0, -1)
      .reduce((rows, line) => rows + rowsOf(line), 0);

  function show(blocks: readonly Block<Part>[]): void {
    const changed = blocks.findIndex((block, at) => block !== shown[at]);
    const first = changed === -1 ? blocks.length : changed;
    const erased = shown.slice(first);
    const rows = erased.reduce((sum, block) => sum + height(block), 0);
    // Requests are logged between the questions: what stands there can't be redrawn.
    const [erase, written] = settings.verbose
      ? ['', blocks.filter((block) => !shown.includes(block))]
      : [rows > 0 ? `\u001b[${rows}F\u001b[0J` : '', blocks.slice(first)];
    shown = blocks;
    io.stderr.write(`${erase}${written.map(({ text }) => text).join('')}`);
  }

  return {
    print: (part, text) =>
      show(
        [...shown, { part, text }].sort((one, other) => orderOf(one.part) - orderOf(other.part)),
      ),
    remove: (isGone) => show(shown.filter(({ part }) => !isGone(part))),
    save() {
      const [saved, before] = [shown, interruptions];
      return () => {
        if (interruptions === before) show(saved);
      };
    },
    interrupted() {
      interruptions += 1;
      shown = [];
    },
  };
}
