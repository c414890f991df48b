/**
 * Bytes that people give as text: decoded strictly, since a character that was replaced is lost
 * without a word.
 */
import { CliError } from '../errors/exit.ts';

/**
 * `latin1` is windows-1252, as browsers read it: its other characters are controls that no text
 * has.
 */
export const encodings = [
  'utf-8',
  'windows-1252',
  'latin1',
  'utf-16',
  'utf-16le',
  'utf-16be',
] as const;
export type Encoding = (typeof encodings)[number];

export interface TextSource {
  /** As messages call it: a path, or `stdin`. */
  readonly name: string;
  /** (default: utf-8) */
  readonly encoding?: Encoding;
  /** Whether the command has `--encoding`, so that hints can name it. */
  readonly hasFlag?: boolean;
  /** What to do, where saving it as UTF-8 doesn't help. */
  readonly hint?: string;
  /** A command that reads what gzip unpacks, for the hint. */
  readonly unpacked?: string;
}

/** What the first bytes tell of files that are often taken for text. */
const otherFiles = [
  [[0x1f, 0x8b], 'compressed with gzip', 'unpack it first with gunzip'],
  [
    [0x50, 0x4b, 0x03, 0x04],
    'a zip archive or an .xlsx spreadsheet',
    'save the sheet as "CSV UTF-8" in the spreadsheet program, or unpack the archive first',
  ],
  [
    [0xd0, 0xcf, 0x11, 0xe0],
    'an .xls spreadsheet or another Office file',
    'save the sheet as "CSV UTF-8" in the spreadsheet program',
  ],
] as const;
const marks = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
] as const;

/**
 * The text without its byte order mark. Exit 3, with the line and the column, at the first byte
 * that the encoding doesn't have.
 */
export async function decodeText(bytes: Uint8Array, source: TextSource): Promise<string> {
  const [mark = [], marked] = startOf(bytes, marks) ?? [];
  const encoding = encodingOf(bytes, source, marked);
  const body = bytes.subarray(mark.length);
  const text = wholeText(body, encoding);
  if (text === undefined || sizeOf(text, encoding) < body.length)
    throw wrongByte(body, source, encoding);
  return text;
}

/** The encoding that was asked for. Exit 3 where the first bytes say another one. */
function encodingOf(
  head: Uint8Array,
  { name, encoding = 'utf-8', hasFlag, hint = 'save it as UTF-8', unpacked }: TextSource,
  marked: Encoding | undefined,
): Encoding {
  const [, what, next] = startOf(head, otherFiles) ?? [];
  if (what) {
    const unpack = what.includes('gzip') && unpacked && `unpack it first: \`${unpacked}\``;
    throw invalid(name, `is ${what}, not text.`, unpack || next);
  }
  if (marked && marked !== encoding && (encoding !== 'utf-16' || marked === 'utf-8')) {
    const shown = marked.toUpperCase();
    const flag =
      marked === 'utf-8' ? 'leave --encoding out' : `add \`--encoding ${marked.slice(0, 6)}\``;
    throw invalid(
      name,
      `is ${shown}: its first bytes are the byte order mark of ${shown}.`,
      hasFlag ? flag : hint,
    );
  }
  // UTF-16 without a mark would pass as UTF-8 with U+0000 in it, which no text has.
  const low = head[1] === 0 && head[3] === 0;
  if (encoding === 'utf-8' && (low || (head[0] === 0 && head[2] === 0)))
    throw invalid(
      name,
      "isn't UTF-8: every second one of its first bytes is 00, as in UTF-16.",
      hasFlag ? `add \`--encoding utf-16${low ? 'le' : 'be'}\`` : hint,
    );
  // Without a mark, programs that save UTF-16 write the low byte first.
  return encoding === 'utf-16' ? (marked ?? 'utf-16le') : encoding;
}

/**
 * The decoder doesn't tell where a wrong byte is: it is behind the longest beginning that it takes.
 */
function wrongByte(
  bytes: Uint8Array,
  { name, hasFlag, hint = 'save it as UTF-8' }: TextSource,
  encoding: Encoding,
): CliError {
  let [good, bad] = [0, bytes.length + 1];
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (wholeText(bytes.subarray(0, middle), encoding) === undefined) bad = middle;
    else good = middle;
  }
  const text = wholeText(bytes.subarray(0, good), encoding) as string;
  const at = sizeOf(text, encoding);
  const wrong = Array.from(bytes.subarray(at, at + sizeOf('a', encoding)), (byte) =>
    byte.toString(16).toUpperCase().padStart(2, '0'),
  );
  // As the rows of a file and the characters in an editor are counted.
  const lines = text.split(/\r\n?|\n/);
  const [line, column] = [lines.length, [...(lines.at(-1) as string)].length + 1];
  const isUtf8 = encoding === 'utf-8';
  const flag = isUtf8
    ? 'if a spreadsheet program saved it, add `--encoding windows-1252`'
    : 'give the encoding that it was saved with, or save it as UTF-8 and leave --encoding out';
  return invalid(
    name,
    `isn't ${isUtf8 ? 'UTF-8' : encoding}: line ${line}, column ${column} has the byte ${wrong.join(' ')}.`,
    hasFlag ? flag : hint,
    { line, column },
  );
}

function invalid(name: string, problem: string, hint: string | undefined, place = {}): CliError {
  const details = { file: name, ...place };
  return new CliError({ code: 'invalid_file', message: `${name} ${problem}`, hint, details });
}

const startOf = <T extends readonly [readonly number[], ...unknown[]]>(
  head: Uint8Array,
  known: readonly T[],
): T | undefined => known.find(([bytes]) => bytes.every((byte, index) => head[index] === byte));

const isOneByte = (encoding: Encoding) => encoding === 'latin1' || encoding === 'windows-1252';

/** The text as far as its characters are whole. Undefined where a byte is wrong. */
function wholeText(bytes: Uint8Array, encoding: Encoding): string | undefined {
  try {
    const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
    const text = decoder.decode(bytes, { stream: true });
    // Bytes of windows-1252 without a character become control characters, which nobody types.
    return isOneByte(encoding) && /[\x80-\x9f]/.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}

const sizeOf = (text: string, encoding: Encoding): number =>
  encoding === 'utf-8' ? Buffer.byteLength(text) : text.length * (isOneByte(encoding) ? 1 : 2);

/** The other way round, for a file that the same command is to read again. */
export function encodeText(text: string, encoding: Encoding = 'utf-8'): Uint8Array {
  if (encoding === 'utf-8') return Buffer.from(text);
  if (encoding.startsWith('utf-16')) {
    const bytes = Buffer.from(`\ufeff${text}`, 'utf16le');
    return encoding === 'utf-16be' ? bytes.swap16() : bytes;
  }
  const decoder = new TextDecoder(encoding);
  const bytes = new Map(
    Array.from({ length: 256 }, (_, byte) => [decoder.decode(Uint8Array.of(byte)), byte]),
  );
  return Uint8Array.from(text, (character) => bytes.get(character) ?? 0x3f);
}
