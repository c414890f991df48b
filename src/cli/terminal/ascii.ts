/** What is drawn, for a terminal that knows no more than ASCII. */
import type { Io } from './io.ts';

/** One cell for one cell, so that a picture keeps its shape. */
const plain: Readonly<Record<string, string>> = {
  ...{ '┌': '+', '┬': '+', '┐': '+', '├': '+', '┼': '+', '┤': '+', '└': '+', '┴': '+', '┘': '+', '─': '-', '│': '|' },
  ...{ '○': 'o', '●': '#', '✕': 'x', '▮': '#', '▯': '.', '✓': '+', '❯': '>', '•': '*' },
  ...{ '·': '-', '–': '-', '…': '~', '↑': '^', '↓': 'v', '“': '"', '”': '"' },
};
const drawn = new RegExp(`[${Object.keys(plain).join('')}]`, 'gu');

/**
 * As C libraries do, by the first of LC_ALL, LC_CTYPE and LANG that says something; but where none does, as in most containers, the
 * terminal is most likely one of today.
 */
export function supportsUnicode({ env, platform }: Pick<Io, 'env' | 'platform'>): boolean {
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG;
  return platform === 'win32' || !locale || /utf-?8/i.test(locale);
}

/** The signs that this terminal can show in place of those that were drawn. */
export const asciiFallback = (io: Pick<Io, 'env' | 'platform'>): ((text: string) => string) =>
  supportsUnicode(io) ? (text) => text : (text) => text.replace(drawn, (sign) => plain[sign] as string);
