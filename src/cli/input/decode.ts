/** Bytes that people give as text: decoded strictly, since a character that was replaced is lost without a word. */
import { isUtf8 } from 'node:buffer';
import { CliError } from '../errors/exit.ts';

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

/**
 * The text without its byte order mark, in pieces that never end within a character.
 * Exit 3, with the line and the column, at the first byte that the encoding doesn't have.
 */
export async function* decodePieces(
  bytes: AsyncIterable<Uint8Array>,
  source: TextSource,
): AsyncGenerator<string, void> {
  let decoder: Decoder | undefined;
  let head = Buffer.alloc(0);
  for await (const piece of bytes) {
    if (decoder) yield decoder.write(asBuffer(piece));
    else {
      // The first bytes tell what it is, and may come one by one.
      head = Buffer.concat([head, piece]);
      if (head.length < headBytes) continue;
      const first = await begin(head, source);
      decoder = first.decoder;
      yield decoder.write(first.text);
    }
  }
  yield decoder ? decoder.end() : await decodeText(head, source);
}

/** As many as the longest sign of what a file is. */
const headBytes = 4;

/** All of a text at once. */
export async function decodeText(bytes: Uint8Array, source: TextSource): Promise<string> {
  const { decoder, text } = await begin(asBuffer(bytes), source);
  return decoder.write(text) + decoder.end();
}

const asBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

interface Decoder {
  write(bytes: Buffer): string;
  end(): string;
}

/** What decodes a file, and what of its first bytes is text. */
async function begin(
  head: Buffer,
  source: TextSource,
): Promise<{ decoder: Decoder; text: Buffer }> {
  refuseOtherFiles(head, source);
  const mark = marks.find(({ bytes }) => bytes.every((byte, index) => head[index] === byte));
  const encoding = encodingOf(mark?.encoding, source);
  if (encoding === 'utf-8') refuseUnmarked(head, source);
  const place = new Place(source, encoding);
  const make =
    encoding === 'utf-8'
      ? utf8
      : encoding === 'utf-16le' || encoding === 'utf-16be'
        ? utf16
        : oneByte;
  return { decoder: await make(place, encoding), text: head.subarray(mark?.bytes.length ?? 0) };
}

/** Files that are often taken for text, by their first bytes. */
const otherFiles: readonly {
  readonly magic: readonly number[];
  readonly what: string;
  readonly hint: (source: TextSource) => string;
}[] = [
  {
    magic: [0x1f, 0x8b],
    what: 'is compressed with gzip',
    hint: ({ unpacked }) =>
      unpacked ? `unpack it first: \`${unpacked}\`` : 'unpack it first with gunzip',
  },
  {
    magic: [0x50, 0x4b, 0x03, 0x04],
    what: 'is a zip archive or an .xlsx spreadsheet',
    hint: () =>
      'save the sheet as "CSV UTF-8" in the spreadsheet program, or unpack the archive first',
  },
  {
    magic: [0xd0, 0xcf, 0x11, 0xe0],
    what: 'is an .xls spreadsheet or another Office file',
    hint: () => 'save the sheet as "CSV UTF-8" in the spreadsheet program',
  },
];

function refuseOtherFiles(head: Uint8Array, source: TextSource): void {
  const found = otherFiles.find(({ magic }) => magic.every((byte, index) => head[index] === byte));
  if (!found) return;
  throw new CliError({
    code: 'not_text',
    message: `${source.name} ${found.what}, not text.`,
    hint: found.hint(source),
    details: { file: source.name },
  });
}

const marks: readonly { readonly encoding: Encoding; readonly bytes: readonly number[] }[] = [
  { encoding: 'utf-8', bytes: [0xef, 0xbb, 0xbf] },
  { encoding: 'utf-16le', bytes: [0xff, 0xfe] },
  { encoding: 'utf-16be', bytes: [0xfe, 0xff] },
];

/** The encoding that was asked for. Exit 3 where the byte order mark says another one. */
function encodingOf(marked: Encoding | undefined, source: TextSource): Encoding {
  const { encoding = 'utf-8' } = source;
  // Without a mark, programs that save UTF-16 write the low byte first.
  if (encoding === 'utf-16' && marked !== 'utf-8') return marked ?? 'utf-16le';
  return marked === undefined || marked === encoding ? encoding : refuseMark(marked, source);
}

function refuseMark(marked: Encoding, source: TextSource): never {
  const shown = marked.toUpperCase();
  throw new CliError({
    code: 'wrong_encoding',
    message: `${source.name} is ${shown}: its first bytes are the byte order mark of ${shown}.`,
    hint: !source.hasFlag
      ? (source.hint ?? 'save it as UTF-8')
      : marked === 'utf-8'
        ? 'leave --encoding out'
        : `add \`--encoding ${marked.slice(0, 6)}\``,
    details: { file: source.name },
  });
}

/** UTF-16 without a mark would pass as UTF-8 with U+0000 in it, which no text has. */
function refuseUnmarked([first, second, third, fourth]: Uint8Array, source: TextSource): void {
  const unmarked =
    second === 0 && fourth === 0 ? 'utf-16le' : first === 0 && third === 0 ? 'utf-16be' : undefined;
  if (unmarked === undefined) return;
  throw new CliError({
    code: 'wrong_encoding',
    message: `${source.name} isn't UTF-8: every second one of its first bytes is 00, as in UTF-16.`,
    hint: source.hasFlag ? `add \`--encoding ${unmarked}\`` : (source.hint ?? 'save it as UTF-8'),
    details: { file: source.name },
  });
}

/** Where in the text decoding is, for the error that names the first wrong byte. */
class Place {
  readonly #source: TextSource;
  readonly #encoding: Encoding;
  #line = 1;
  #column = 1;
  #afterReturn = false;

  constructor(source: TextSource, encoding: Encoding) {
    this.#source = source;
    this.#encoding = encoding;
  }

  pass(text: string): string {
    // Lines end with LF, CR or both, as the rows of a file are counted.
    const from = this.#afterReturn && text.startsWith('\n') ? 1 : 0;
    let start = from;
    for (const { index, 0: end } of text.slice(from).matchAll(/\r\n?|\n/g)) {
      this.#line += 1;
      this.#column = 1;
      start = from + index + end.length;
    }
    this.#column += charactersIn(text.slice(start));
    if (text !== '') this.#afterReturn = text.endsWith('\r');
    return text;
  }

  /** `before`: the text between what was passed and the byte. */
  refuse(before: string, bytes: Uint8Array): never {
    this.pass(before);
    const { name } = this.#source;
    const shown = Array.from(bytes, (byte) =>
      byte.toString(16).toUpperCase().padStart(2, '0'),
    ).join(' ');
    const what = this.#encoding === 'utf-8' ? 'UTF-8' : this.#encoding;
    throw new CliError({
      code: 'wrong_encoding',
      message: `${name} isn't ${what}: line ${this.#line}, column ${this.#column} has the byte ${shown}.`,
      hint: hintFor(this.#encoding, this.#source),
      details: { file: name, line: this.#line, column: this.#column },
    });
  }
}

/** As a person counts them in an editor: a character outside the basic plane is one. */
const charactersIn = (text: string): number =>
  text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0);

function hintFor(encoding: Encoding, { hasFlag, hint = 'save it as UTF-8' }: TextSource): string {
  if (!hasFlag) return hint;
  if (encoding === 'utf-8' || encoding === 'latin1')
    return 'if a spreadsheet program saved it, add `--encoding windows-1252`';
  return 'give the encoding that it was saved with, or save it as UTF-8 and leave --encoding out';
}

function utf8(place: Place): Decoder {
  /** The beginning of a character whose other bytes are in the next piece. */
  let rest = Buffer.alloc(0);

  /** Decoding puts U+FFFD in the place of wrong bytes. The first one that isn't in the file itself is where they are. */
  function refuse(text: string, bytes: Buffer): never {
    for (let at = text.indexOf('\ufffd'); ; at = text.indexOf('\ufffd', at + 1)) {
      const offset = Buffer.byteLength(text.slice(0, at));
      if (!bytes.subarray(offset, offset + 3).equals(replacement))
        place.refuse(text.slice(0, at), bytes.subarray(offset, offset + 1));
    }
  }

  return {
    write(piece) {
      const bytes = rest.length > 0 ? Buffer.concat([rest, piece]) : piece;
      const whole = bytes.subarray(0, bytes.length - unfinished(bytes));
      // A copy: the memory of a piece is used again for the next one.
      rest = Buffer.from(bytes.subarray(whole.length));
      const text = whole.toString('utf8');
      if (!isUtf8(whole)) refuse(text, whole);
      return place.pass(text);
    },
    end: () => (rest.length > 0 ? refuse(rest.toString('utf8'), rest) : ''),
  };
}

const replacement = Buffer.from('\ufffd');

/** How many bytes at the end are the beginning of a character. */
function unfinished(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] as number;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? back : 0;
  }
  return 0;
}

/** iconv-lite knows which bytes an encoding doesn't have; the decoder of the web takes latin1 for windows-1252 and control characters for text. */
async function oneByte(place: Place, encoding: Encoding): Promise<Decoder> {
  const { default: iconv } = await import('iconv-lite');
  return {
    write(bytes) {
      const text = iconv.decode(bytes, encoding);
      // In latin1 these bytes are control characters that nobody types: then it is windows-1252, whose quotes and dashes they are.
      const wrong = text.search(encoding === 'latin1' ? /[\x80-\x9f]/ : /\ufffd/);
      if (wrong >= 0) place.refuse(text.slice(0, wrong), bytes.subarray(wrong, wrong + 1));
      return place.pass(text);
    },
    end: () => '',
  };
}

async function utf16(place: Place, encoding: Encoding): Promise<Decoder> {
  const { default: iconv } = await import('iconv-lite');
  const high = encoding === 'utf-16be' ? 0 : 1;
  let rest = Buffer.alloc(0);
  const refuse = (bytes: Buffer, at: number) =>
    place.refuse(
      iconv.decode(bytes.subarray(0, at), encoding, { stripBOM: false }),
      bytes.subarray(at, at + 2),
    );
  return {
    write(piece) {
      const bytes = rest.length > 0 ? Buffer.concat([rest, piece]) : piece;
      let end = bytes.length - (bytes.length % 2);
      // The first half of a pair waits for the other one.
      if (end > 0 && ((bytes[end - 2 + high] as number) & 0xfc) === 0xd8) end -= 2;
      rest = Buffer.from(bytes.subarray(end));
      const text = iconv.decode(bytes.subarray(0, end), encoding, { stripBOM: false });
      const wrong = text.isWellFormed()
        ? -1
        : text.search(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/);
      if (wrong >= 0) refuse(bytes, wrong * 2);
      return place.pass(text);
    },
    end: () => (rest.length > 0 ? refuse(rest, 0) : ''),
  };
}

/** The other way round, for a file that the same command is to read again. */
export async function* encodePieces(
  texts: AsyncIterable<string>,
  encoding: Encoding,
): AsyncGenerator<Uint8Array, void> {
  const { default: iconv } = await import('iconv-lite');
  const name = encoding === 'utf-16' ? 'utf-16le' : encoding;
  if (name.startsWith('utf-16')) yield iconv.encode('\ufeff', name);
  for await (const text of texts) yield iconv.encode(text, name);
}
