/**
 * Text that a spreadsheet would compute when it opens a csv file. Such a cell could run a command
 * or send data away, so csv puts an apostrophe before it, which marks text. Phone numbers, handles
 * and notes that begin with a sign are no formulas. See
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
  return (
    start.startsWith('=') ||
    (/^[+\-@]/.test(start) && (isReferring(start) || isComputed(start.trimEnd())))
  );
}

/**
 * Behind a sign: another sheet, file or program, a table, a list, an error, a range of columns or a
 * call. Prose with these is guarded too.
 */
const isReferring = (text: string): boolean => /[![{#|']|\p{L}[(:]/u.test(text);

const number = /\d+([.,]\d+)?(e[+-]?\d+)?|[.,]\d+/iy;
const call = /[\p{L}_][\p{L}\p{N}_.]*\s*\(/uy;
const cell = /\$?[a-z]{1,3}\$?\d{1,7}(?![\p{L}\p{N}_])/iuy;
const constant = /(true|false)(?![\p{L}\p{N}_])|"[^"]*"/iuy;
/** Before an operand and after it. Brackets are not matched: spreadsheets complete them. */
const opening = /[+\-@(\s]*/y;
const closing = /[)%\s]*/y;
const operator = /<>|<=|>=|[-+*/^&=<>:,;]/y;

/**
 * Reads text that begins with a sign as the formula it would be. A name that stands alone is a
 * word: no spreadsheet knows it.
 */
function isComputed(text: string): boolean {
  let at = 0;
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const [found] = pattern.exec(text) ?? [];
    if (found !== undefined) at += found.length;
    return found;
  };
  for (let operands = 1; ; operands++) {
    const signs = take(opening)?.replace(/\s/g, '') ?? '';
    if (take(call)) return true;
    const isReference = (take(cell) ?? take(constant)) !== undefined;
    if (!isReference && take(number) === undefined) return false;
    take(closing);
    // A single number with a sign is that number.
    if (at === text.length) return isReference || operands > 1 || signs.length > 1;
    if (take(operator) === undefined) return false;
  }
}
