/**
 * Text that a spreadsheet would run when it opens a csv file: it could start a program or send data
 * away, so csv puts an apostrophe before it, which marks text. Phone numbers, handles and notes
 * that begin with a sign stay as they are. See
 * https://owasp.org/www-community/attacks/CSV_Injection.
 */

const apostrophe = "'";

/**
 * The text as a cell. Text that already has the apostrophe gets another one, so that `unguarded`
 * gives it back.
 */
export const guarded = (text: string): string =>
  isFormula(text.replace(/^'+/, '')) ? apostrophe + text : text;

/** The text of a cell that `guarded` wrote. */
export const unguarded = (cell: string): string =>
  cell.startsWith(apostrophe) && isFormula(cell.replace(/^'+/, '')) ? cell.slice(1) : cell;

export function isFormula(text: string): boolean {
  // Spreadsheets take full-width signs and letters for the plain ones.
  const start = text.trimStart().normalize('NFKC');
  return start.startsWith('=') || (/^[+\-@]/.test(start) && isReferring(start));
}

/**
 * Behind a sign: another sheet, file or program, a table, a list, an error, a range of columns or a
 * call. Sums and single cells can do no harm.
 */
const isReferring = (text: string): boolean =>
  /[![{#|']|\p{L}[(:]|[-+*/^&=<>@]\s*[\p{L}_][\p{L}\p{N}_.]*\s+\(/u.test(text);

/**
 * In a csv of commas, a cell with one of these is quoted: some spreadsheets split there, and `cs
 * import` finds the separator in the first line.
 */
export const otherSeparators = /[;\t]/;
