/** Limits of sizes, and sizes as text. */
const mebibyte = 1024 * 1024;

/** The size limit of a photo: decoded bytes, inclusive ("about 3 MB" in the specification). */
export const photoLimit = 3 * mebibyte;

/** The size limit of an asset: decoded bytes, inclusive (decision). */
export const assetLimit = 10 * mebibyte;

/** Rounded up to two decimals, so that a file one byte too large does not read "3 MiB, above the limit of 3 MiB". */
export const inMebibytes = (bytes: number): string => `${Math.ceil((bytes / mebibyte) * 100) / 100} MiB`;
