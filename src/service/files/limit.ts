import { Refusal } from '../refusal.ts';

/** The refusal of a file larger than `limit` bytes. `size` is in bytes too; null when reading stopped before the end was known. */
export function tooLarge(size: number | null, limit: number): Refusal {
  const found = size === null ? '' : `${inMebibytes(size)}, `;
  const message = `The file has ${found}more than the ${inMebibytes(limit)} that are kept; make it smaller and send it again`;
  return new Refusal('photo_too_large', message, {
    sizeBytes: size,
    limitBytes: limit,
  });
}

function inMebibytes(bytes: number): string {
  // Two decimals, rounded away from the limit, so that a file one byte too large does not read "3 MiB, more than the 3 MiB".
  const mebibytes = Math.ceil((bytes / (1024 * 1024)) * 100) / 100;
  return `${mebibytes} MiB`;
}
