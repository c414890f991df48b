/** Drawings for a terminal without Unicode. */
import type { Io } from './io.ts';

/** Each replacement has one cell, so that a drawing keeps its shape. */
const plain: Readonly<Record<string, string>> = {
  ...{ '┌': '+', '┬': '+', '┐': '+', '├': '+', '┼': '+', '┤': '+', '└': '+', '┴': '+', '┘': '+', '─': '-', '│': '|' },
  ...{ '○': 'o', '●': '#', '✕': 'x', '▮': '#', '▯': '.', '✓': '+', '❯': '>', '•': '*' },
  ...{ '·': '-', '–': '-', '…': '~', '↑': '^', '↓': 'v', '“': '"', '”': '"' },
};
const drawn = new RegExp(`[${Object.keys(plain).join('')}]`, 'gu');

/**
 * Like C libraries, by the first of LC_ALL, LC_CTYPE and LANG that is set. Without any, as in most containers, a modern terminal is
 * assumed.
 */
export function supportsUnicode({ env, platform }: Pick<Io, 'env' | 'platform'>): boolean {
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG;
  return platform === 'win32' || !locale || /utf-?8/i.test(locale);
}

/** Replaces signs that this terminal can't show. */
export const asciiFallback = (io: Pick<Io, 'env' | 'platform'>): ((text: string) => string) =>
  supportsUnicode(io) ? (text) => text : (text) => text.replace(drawn, (sign) => plain[sign] as string);
