/** What differs between Node and other places that run JavaScript. The build puts platform-fetch.ts in its place for those. */
export { openConnection } from './connection.ts';

/** A multiple of 3 bytes, which is base64 without padding; small, so that its text is soon forgotten. */
const pieceSize = 48 * 1024;

/** `before`, the bytes as base64, and `after`. */
export function base64Within(before: string, bytes: Uint8Array, after: string): Uint8Array {
  const base64Length = Math.ceil(bytes.length / 3) * 4;
  const whole = Buffer.allocUnsafe(
    Buffer.byteLength(before) + base64Length + Buffer.byteLength(after),
  );
  let end = whole.write(before);
  for (let start = 0; start < bytes.length; start += pieceSize)
    end += whole.write(toBase64(bytes.subarray(start, start + pieceSize)), end, 'latin1');
  whole.write(after, end);
  return whole;
}

export const toBase64 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
