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
