/** Bytes that people give as text: decoded strictly, since a character that was replaced is lost without a word. */
import { CliError } from '../errors/exit.ts';

/** `latin1` is windows-1252, as browsers read it: its other characters are controls that no text has. */
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
      const first = begin(head, source);
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
  const { decoder, text } = begin(asBuffer(bytes), source);
  return decoder.write(text) + decoder.end();
}

const asBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

interface Decoder {
  write(bytes: Buffer): string;
  end(): string;
}

/** What decodes a file, and what of its first bytes is text. */
function begin(head: Buffer, source: TextSource): { decoder: Decoder; text: Buffer } {
  refuseOtherFiles(head, source);
  const mark = marks.find(({ bytes }) => bytes.every((byte, index) => head[index] === byte));
  const encoding = encodingOf(mark?.encoding, source);
  if (encoding === 'utf-8') refuseUnmarked(head, source);
  return {
    decoder: decoderOf(encoding, new Place(source, encoding)),
    text: head.subarray(mark?.bytes.length ?? 0),
  };
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
    code: 'invalid_file',
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
    code: 'invalid_file',
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
    code: 'invalid_file',
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
      code: 'invalid_file',
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
  if (encoding === 'utf-8')
    return 'if a spreadsheet program saved it, add `--encoding windows-1252`';
  return 'give the encoding that it was saved with, or save it as UTF-8 and leave --encoding out';
}

/** No encoding has a longer character. */
const longest = 4;
/** These bytes of windows-1252 have no character; the decoder makes control characters of them, which nobody types. */
const undefinedBytes = /[\x80-\x9f]/;

function decoderOf(encoding: Encoding, place: Place): Decoder {
  const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
  const isOneByte = decoder.encoding === 'windows-1252';
  const unit = decoder.encoding.startsWith('utf-16') ? 2 : 1;
  /** The beginning of a character whose other bytes are in the next piece. */
  let rest = Buffer.alloc(0);

  /** Undefined where a byte is wrong, or the last character isn't whole. */
  function textOf(bytes: Uint8Array): string | undefined {
    try {
      const text = decoder.decode(bytes);
      return isOneByte && undefinedBytes.test(text) ? undefined : text;
    } catch {
      return undefined;
    }
  }

  /** The decoder doesn't tell where a wrong byte is, so the characters are tried one by one. */
  function refuse(bytes: Uint8Array): never {
    let [text, at] = ['', 0];
    for (let end = 1; end <= longest; end += 1) {
      const character = textOf(bytes.subarray(at, at + end));
      if (character === undefined) continue;
      text += character;
      at += end;
      end = 0;
    }
    place.refuse(text, bytes.subarray(at, at + unit));
  }

  return {
    write(piece) {
      const bytes = rest.length > 0 ? Buffer.concat([rest, piece]) : piece;
      for (let held = 0; held < longest && held <= bytes.length; held += 1) {
        const text = textOf(bytes.subarray(0, bytes.length - held));
        if (text === undefined) continue;
        // A copy: the memory of a piece is used again for the next one.
        rest = Buffer.from(bytes.subarray(bytes.length - held));
        return place.pass(text);
      }
      refuse(bytes);
    },
    end: () => (rest.length > 0 ? refuse(rest) : ''),
  };
}

/** The other way round, for a file that the same command is to read again. */
export async function* encodePieces(
  texts: AsyncIterable<string>,
  encoding: Encoding,
): AsyncGenerator<Uint8Array, void> {
  if (encoding.startsWith('utf-16')) {
    const bytesOf = (text: string) => {
      const bytes = Buffer.from(text, 'utf16le');
      return encoding === 'utf-16be' ? bytes.swap16() : bytes;
    };
    yield bytesOf('\ufeff');
    for await (const text of texts) yield bytesOf(text);
  } else if (encoding === 'utf-8') {
    for await (const text of texts) yield Buffer.from(text);
  } else {
    const decoder = new TextDecoder(encoding);
    const bytes = new Map(
      Array.from({ length: 256 }, (_, byte) => [decoder.decode(Uint8Array.of(byte)), byte]),
    );
    for await (const text of texts)
      yield Uint8Array.from(text, (character) => bytes.get(character) ?? 0x3f);
  }
}
