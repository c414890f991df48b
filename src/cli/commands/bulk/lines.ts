/** Text as it comes in, line by line. */
import { open } from 'node:fs/promises';
import { decodePieces, type TextSource } from '../../input/decode.ts';

/**
 * The lines of a file, without their ends and without a byte order mark. Only line feeds end a line, with or without a carriage
 * return: other signs that some take for one are legal within JSON. Exit 3 for a file that isn't in its encoding (default: UTF-8).
 */
export async function* readLines(path: string, source: TextSource = { name: path }): AsyncGenerator<string, void> {
  let rest = '';
  for await (const text of readText(path, source)) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() as string;
    for (const line of lines) yield line.endsWith('\r') ? line.slice(0, -1) : line;
  }
  if (rest !== '') yield rest;
}

const pieceBytes = 64 * 1024;

/** The text of a file in pieces of any size, never through the middle of a character. */
export const readText = (path: string, source: TextSource): AsyncGenerator<string, void> => decodePieces(readPieces(path), source);

async function* readPieces(path: string): AsyncGenerator<Uint8Array, void> {
  const file = await open(path, 'r');
  try {
    // One buffer for all: of a new one for each piece, many would wait to be collected.
    const buffer = Buffer.allocUnsafe(pieceBytes);
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, pieceBytes);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

/** Texts put together to pieces that are worth writing, as bytes. The same memory holds each piece in turn: it is to be used before the next is asked for. */
export async function* inPieces(texts: AsyncIterable<string> | Iterable<string>): AsyncGenerator<Uint8Array, void> {
  const encoder = new TextEncoder();
  const buffer = new Uint8Array(pieceBytes);
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
