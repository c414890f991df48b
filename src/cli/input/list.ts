/** What stands between the commas: `red, old` has two. */
export const listIn = (typed: string | readonly string[]): string[] =>
  [typed]
    .flat()
    .flatMap((text) => text.split(','))
    .map((text) => text.trim())
    .filter(Boolean);
