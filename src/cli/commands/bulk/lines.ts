/** Streams text files by line or chunk. */
import { open } from 'node:fs/promises';
import { CliError } from '../../errors/exit.ts';
import { decodePieces, type TextSource } from '../../input/decode.ts';

/**
 * The lines of a file without line ends and byte order mark. Only LF and CRLF end a line: other line separators are legal in JSON.
 * Exit 3 for bytes that are invalid in the encoding (default: UTF-8), and for a line that is too long for memory.
 */
export async function* readLines(
  path: string,
  source: TextSource = { name: path },
): AsyncGenerator<string, void> {
  let rest = '';
  let number = 1;
  for await (const text of readText(path, source)) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() as string;
    number += lines.length;
    if (rest.length > maxRowLength) throw tooLong(number);
    for (const line of lines) yield line.endsWith('\r') ? line.slice(0, -1) : line;
  }
  if (rest !== '') yield rest;
}

/** In characters. */
export const maxRowLength = 16_000_000;

export const tooLong = (line: number): CliError =>
  new CliError({
    code: 'invalid_file',
    message: `Line ${line} begins a row of more than ${maxRowLength / 1e6} million characters.`,
    hint: 'check the format of the file, and that each row and each quote in it ends',
  });

const chunkBytes = 64 * 1024;

/** The text of a file in chunks, never split within a character. */
export const readText = (path: string, source: TextSource): AsyncGenerator<string, void> =>
  decodePieces(readChunks(path), source);

async function* readChunks(path: string): AsyncGenerator<Uint8Array, void> {
  const file = await open(path, 'r');
  try {
    // One buffer for all chunks saves garbage collection.
    const buffer = Buffer.allocUnsafe(chunkBytes);
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, chunkBytes);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

/** Joins texts into larger chunks of bytes. All chunks share one buffer: use each before the next is read. */
export async function* encodeChunks(
  texts: AsyncIterable<string> | Iterable<string>,
): AsyncGenerator<Uint8Array, void> {
  const encoder = new TextEncoder();
  const buffer = new Uint8Array(chunkBytes);
  let filled = 0;
  for await (const whole of texts) {
    for (let text = whole; text !== ''; ) {
      const { read, written } = encoder.encodeInto(text, buffer.subarray(filled));
      filled += written;
      text = text.slice(read);
      if (text === '') break;
      yield buffer.subarray(0, filled);
      filled = 0;
    }
  }
  if (filled > 0) yield buffer.subarray(0, filled);
}
