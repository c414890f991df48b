/** Text for a terminal without Unicode. */
import { Writable } from 'node:stream';
import type { WriteStream } from 'node:tty';
import type { Io } from './io.ts';

/** Each replacement has one cell, so that a drawing keeps its shape. */
const plain: Readonly<Record<string, string>> = {
  ...{
    '┌': '+',
    '┬': '+',
    '┐': '+',
    '├': '+',
    '┼': '+',
    '┤': '+',
    '└': '+',
    '┴': '+',
    '┘': '+',
    '─': '-',
    '│': '|',
  },
  ...{ '○': 'o', '●': '#', '✕': 'x', '▮': '#', '▯': '.', '✓': '+', '❯': '>', '•': '*' },
  ...{ '·': '-', '–': '-', '…': '~', '↑': '^', '↓': 'v', '“': '"', '”': '"' },
  ...{ '＋': '+', '→': '>', '↩': '<', '×': 'x', '✗': 'x', '’': "'", '█': '#', '—': '-' },
  // Letters that Unicode doesn't take apart into a plain one and an accent.
  ...{ Ø: 'O', ø: 'o', Œ: 'O', œ: 'o', Æ: 'A', æ: 'a', ß: 's', ẞ: 'S' },
  ...{ Ł: 'L', ł: 'l', Đ: 'D', đ: 'd', Ð: 'D', ð: 'd', Ħ: 'H', ħ: 'h', ı: 'i' },
};
const drawn = new RegExp(`[${Object.keys(plain).join('')}]`, 'gu');

/**
 * Like C libraries, by the first of LC_ALL, LC_CTYPE and LANG that is set. Without any, as in most
 * containers, a modern terminal is assumed.
 */
export function supportsUnicode({ env, platform }: Pick<Io, 'env' | 'platform'>): boolean {
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG;
  return platform === 'win32' || !locale || /utf-?8/i.test(locale);
}

const wide =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Extended_Pictographic}]/gu;

/**
 * Each sign as one that every terminal shows, as wide as before: drawings by their shape, letters
 * without their accents and strokes, anything else as question marks.
 */
const toAscii = (text: string): string =>
  text
    .replace(drawn, (sign) => plain[sign] as string)
    .replace(wide, '??')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\p{ASCII}]/gu, '?');

/** For text that goes to a terminal. */
export const asciiFallback = (io: Pick<Io, 'env' | 'platform'>): ((text: string) => string) =>
  supportsUnicode(io) ? (text) => text : toAscii;

/** The same process, with a stderr that the terminal can show. */
export function withReadableStderr(io: Io): Io {
  if (!io.stderrIsTerminal || supportsUnicode(io)) return io;
  // A stream for each use: a prompt ends its own.
  return Object.create(io, { stderr: { get: () => asciiStream(io.stderr as WriteStream) } }) as Io;
}

function asciiStream(terminal: WriteStream): Writable {
  const stream = new Writable({
    decodeStrings: false,
    write: (chunk: string | Buffer, _encoding, done) =>
      void terminal.write(toAscii(chunk.toString()), done),
  });
  // Prompts ask their output for its size.
  const size = {
    columns: { get: () => terminal.columns },
    rows: { get: () => terminal.rows },
    isTTY: { value: true },
  };
  return Object.defineProperties(stream, size);
}
