/**
 * Rows that become JSON on their way from the database, without objects made of them: for a list that is most of the work.
 * A result whose last column is called so arrives at the driver as one row with one text, its rows as JSON with commas between.
 */
import { EventEmitter } from 'node:events';
import pg from 'pg';

export const jsonRows = 'rows as json';

/** Types of messages, by their letters. */
const [rowDescription, dataRow, commandComplete, errorResponse] = Array.from('TDCE', (letter) => letter.charCodeAt(0));
/** A letter, and a length that counts itself. */
const headerSize = 5;
const mark = Buffer.from(`${jsonRows}\0`);

/** A client whose connection rewrites such results. */
export class JsonRowsClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config);
    const { connection } = this as unknown as { connection: { attachListeners(stream: EventEmitter): void } };
    const attach = connection.attachListeners.bind(connection);
    connection.attachListeners = (stream) => attach(rewritten(stream));
  }
}

function rewritten(stream: EventEmitter): EventEmitter {
  const result = new EventEmitter();
  const rewriter = new Rewriter((part) => result.emit('data', part));
  stream.on('data', (chunk: Buffer) => rewriter.take(chunk));
  stream.on('end', () => result.emit('end'));
  return result;
}

/** Hands on the messages that a database sends, those as they are that belong to no such result. What is handed on must be read at once. */
export class Rewriter {
  readonly #handOn: (part: Buffer) => void;
  /** The beginning of a message that must be whole to be understood. */
  #held: Buffer | undefined;
  /** What is still to come of one that need not be. */
  #passing = 0;
  #rows: JsonWriter | undefined;
  /** Where rows are written, again and again. */
  #room = Buffer.allocUnsafeSlow(256 * 1024);

  constructor(handOn: (part: Buffer) => void) {
    this.#handOn = handOn;
  }

  take(chunk: Buffer): void {
    const bytes = this.#held ? Buffer.concat([this.#held, chunk]) : chunk;
    this.#held = undefined;
    let from = 0;
    let at = Math.min(this.#passing, bytes.length);
    this.#passing -= at;
    const replace = (end: number, by?: Buffer) => {
      if (from < at) this.#handOn(bytes.subarray(from, at));
      if (by) this.#handOn(by);
      from = end;
    };
    while (at + headerSize <= bytes.length) {
      const type = bytes[at];
      const end = at + 1 + bytes.readUInt32BE(at + 1);
      const mine = type === rowDescription || (type === dataRow && this.#rows);
      if (mine && end > bytes.length) break;
      if (type === rowDescription && bytes.subarray(at, end).includes(mark)) {
        this.#rows = new JsonWriter(columnsOf(bytes, at + headerSize), this.#room);
        replace(end, description);
      } else if (type === dataRow && this.#rows) {
        this.#rows.add(bytes, at + headerSize, end);
        replace(end);
      } else if (this.#rows && (type === commandComplete || type === errorResponse)) {
        replace(at, type === commandComplete ? this.#rows.row() : undefined);
        this.#rows = undefined;
      }
      at = end;
    }
    if (at > bytes.length) {
      this.#passing = at - bytes.length;
      at = bytes.length;
    }
    replace(at);
    if (at < bytes.length) this.#held = bytes.subarray(at);
  }
}

interface Column {
  /** With what stands before it: `{"id":` or `,"name":`. */
  readonly opening: Buffer;
  readonly type: number;
}

/** Of a row description, without the mark. Each has a name that ends with 0, and then 18 bytes, the type at the seventh. */
function columnsOf(bytes: Buffer, start: number): Column[] {
  const columns: Column[] = [];
  let at = start + 2;
  for (let left = bytes.readUInt16BE(start) - 1; left > 0; left--) {
    const end = bytes.indexOf(0, at);
    const name = JSON.stringify(bytes.toString('utf8', at, end));
    columns.push({ opening: Buffer.from(`${columns.length === 0 ? '{' : ','}${name}:`), type: bytes.readUInt32BE(end + 7) });
    at = end + 19;
  }
  return columns;
}

/** One column of text. */
const description = (() => {
  const name = Buffer.from('text\0');
  const message = Buffer.alloc(headerSize + 2 + name.length + 18);
  message.writeUInt8(rowDescription as number);
  message.writeUInt32BE(message.length - 1, 1);
  message.writeUInt16BE(1, headerSize);
  name.copy(message, headerSize + 2);
  const at = headerSize + 2 + name.length;
  message.writeUInt32BE(pg.types.builtins.TEXT, at + 6);
  message.writeInt16BE(-1, at + 10);
  message.writeInt32BE(-1, at + 12);
  return message;
})();

const { BOOL, INT2, INT4, INT8, NUMERIC, JSON: JSON_TEXT } = pg.types.builtins;
/** What the database writes as JSON does. */
const bare: ReadonlySet<number> = new Set([INT2, INT4, INT8, NUMERIC, JSON_TEXT]);
const [quote, backslash, letterT] = Array.from('"\\t', (letter) => letter.charCodeAt(0));
const [empty, yes, no] = ['null', 'true', 'false'].map((word) => Buffer.from(word)) as [Buffer, Buffer, Buffer];
/** What stands for the characters that JSON has no other way to write. */
const escapes: readonly Buffer[] = Array.from({ length: 128 }, (_, code) =>
  Buffer.from(JSON.stringify(String.fromCharCode(code)).slice(1, -1)),
);
/** A byte becomes at most \u0000; a value gets two quotes, or is a word. */
const growth = 6;

/** Before the text: the header, how many columns there are, and the length of this one. */
const front = headerSize + 2 + 4;

class JsonWriter {
  readonly #columns: readonly Column[];
  readonly #overhead: number;
  #out: Buffer;
  #at = front;

  /** What it writes is to be read before another one writes in the same room. */
  constructor(columns: readonly Column[], room: Buffer) {
    this.#columns = columns;
    this.#out = room;
    this.#overhead = columns.reduce((sum, { opening }) => sum + opening.length + growth, growth);
  }

  /** A row that stands from `start` to `end`: how many columns, then of each its length, or -1, and its text. */
  add(bytes: Buffer, start: number, end: number): void {
    this.#ensure(this.#overhead + (end - start) * growth);
    const out = this.#out;
    let at = this.#at;
    if (at > front) out[at++] = 0x2c;
    let from = start + 2;
    for (const { opening, type } of this.#columns) {
      const length = bytes.readInt32BE(from);
      from += 4;
      at = copy(opening, 0, opening.length, out, at);
      if (length < 0) at = copy(empty, 0, empty.length, out, at);
      else {
        if (bare.has(type)) at = copy(bytes, from, from + length, out, at);
        else if (type === BOOL) {
          const word = bytes[from] === letterT ? yes : no;
          at = copy(word, 0, word.length, out, at);
        } else at = copyText(bytes, from, from + length, out, at);
        from += length;
      }
    }
    out[at++] = 0x7d;
    this.#at = at;
  }

  /** All of them, as one row with one column. */
  row(): Buffer {
    const message = this.#out.subarray(0, this.#at);
    message.writeUInt8(dataRow as number);
    message.writeUInt32BE(message.length - 1, 1);
    message.writeUInt16BE(1, headerSize);
    message.writeUInt32BE(message.length - front, headerSize + 2);
    return message;
  }

  #ensure(more: number): void {
    if (this.#at + more <= this.#out.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#out.length * 2, this.#at + more));
    this.#out.copy(larger, 0, 0, this.#at);
    this.#out = larger;
  }
}

/** Byte by byte: what is copied is short, and a call to the system's way of copying takes longer. */
function copy(bytes: Buffer, start: number, end: number, out: Buffer, to: number): number {
  let at = to;
  for (let from = start; from < end; from++) out[at++] = bytes[from] as number;
  return at;
}

function copyText(bytes: Buffer, start: number, end: number, out: Buffer, to: number): number {
  let at = to;
  out[at++] = quote as number;
  for (let from = start; from < end; from++) {
    const code = bytes[from] as number;
    if (code >= 0x20 && code !== quote && code !== backslash) out[at++] = code;
    else {
      const escaped = escapes[code] as Buffer;
      at = copy(escaped, 0, escaped.length, out, at);
    }
  }
  out[at++] = quote as number;
  return at;
}
