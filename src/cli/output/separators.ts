/**
 * In a csv of commas, a cell with one of these is quoted: some spreadsheets split there, and `cs
 * import` finds the separator in the first line.
 */
export const otherSeparators = /[;\t]/;
