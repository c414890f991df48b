/** The same for browsers, Deno, Bun and workers, with what the web standards have. */
export { openConnection } from './fetch-connection.ts';

/** In pieces, since the arguments of a call are limited. */
const pieceSize = 0x8000;

export function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (let start = 0; start < bytes.length; start += pieceSize)
    text += String.fromCharCode(...bytes.subarray(start, start + pieceSize));
  return btoa(text);
}
