/** Terms in a column with what is said of each beside it, or below it where a terminal is too narrow for both. */

/** What is said of a term, as lines of at most so many cells. */
export type Entry = readonly [term: string, about: (room: number) => readonly string[]];

/** Less than this beside a term would be a word a line. */
const readable = 24;
const below = 6;

export function twoColumns(entries: readonly Entry[], width: number, { atLeast = 0 } = {}): string[] {
  const column = Math.max(atLeast, ...entries.map(([term]) => term.length));
  const room = width - column - 4;
  if (room < readable)
    return entries.flatMap(([term, about]) => [`  ${term}`, ...about(Math.max(1, width - below)).map((line) => ' '.repeat(below) + line)]);
  return entries.flatMap(([term, about]) => {
    const lines = about(room);
    return (lines.length > 0 ? lines : ['']).map((line, index) => `  ${(index === 0 ? term : '').padEnd(column)}  ${line}`.trimEnd());
  });
}
