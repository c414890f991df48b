/** Limits of sizes, and sizes as text: a megabyte is 1,000,000 bytes, as phones and file managers count. */
const megabyte = 1_000_000;
const hundredth = megabyte / 100;
const mebibyte = 1024 * 1024;

/** The size limit of a photo: decoded bytes, inclusive ("about 3 MB" in the specification). */
export const photoLimit = 3 * mebibyte;

/** The size limit of an asset: decoded bytes, inclusive (decision). */
export const assetLimit = 10 * mebibyte;

/** A limit as the specification writes it: `about 3 MB`. */
export const aboutMegabytes = (bytes: number): string => `about ${Math.floor(bytes / megabyte)} MB`;

/** Rounded down: with a size that is rounded up, a file one byte too large doesn't read "3.14 MB, above the limit of 3.14 MB". */
export const limitInMegabytes = (bytes: number): string =>
  `${Math.floor(bytes / hundredth) / 100} MB`;
export const sizeInMegabytes = (bytes: number): string =>
  `${Math.ceil(bytes / hundredth) / 100} MB`;

const kilo = 1000;

/** `98 KB`, `5.2 MB`, `50 GB`: rounded. */
export function formatBytes(bytes: number): string {
  if (bytes < kilo) return bytes === 1 ? '1 byte' : `${bytes} bytes`;
  // Rounds 999.6 KB to 1 MB instead of 1000 KB.
  if (Math.round(bytes / kilo) < kilo) return `${Math.round(bytes / kilo)} KB`;
  const tenths = (unit: number) => Math.round((bytes * 10) / unit) / 10;
  if (tenths(megabyte) < kilo) return `${tenths(megabyte)} MB`;
  return `${tenths(megabyte * kilo)} GB`;
}
