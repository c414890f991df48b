/**
 * A cell of tsv, with backslash escapes as in jq and database tools, so that `cut` and `awk` see a record per line. A quote at its
 * beginning is escaped too: there a spreadsheet takes it for a quoted cell.
 */
const escapes: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
  '"': '\\"',
};
const characters: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(escapes).map(([character, sequence]) => [sequence, character]),
);

export const escaped = (cell: string): string =>
  cell.replace(/^"|[\\\t\n\r]/g, (character) => escapes[character] as string);
export const unescaped = (cell: string): string =>
  cell.replace(/\\./g, (sequence) => characters[sequence] ?? sequence);
