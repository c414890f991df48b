/** What differs between Node and other places that run JavaScript. The build puts platform-fetch.ts in its place for those. */
export { openConnection } from './connection.ts';

/** Of few enough bytes to be the arguments of a call elsewhere. */
export const toBase64 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
