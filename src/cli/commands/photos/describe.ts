import { basename } from 'node:path';
import type { PhotoFacts } from './facts.ts';

const kibi = 1024;

/**
 * A size for people. 1 MB is 1,048,576 bytes (decision): the limit of 3 MiB then reads "3 MB" as in the specification,
 * and a file shows the size that Windows shows for it.
 */
export function formatBytes(bytes: number): string {
  if (bytes < kibi) return bytes === 1 ? '1 byte' : `${bytes} bytes`;
  // 1023.6 KB would read "1024 KB".
  if (Math.round(bytes / kibi) < kibi) return `${Math.round(bytes / kibi)} KB`;
  return `${(bytes / kibi / kibi).toFixed(1).replace(/\.0$/, '')} MB`;
}

/** Two sizes that must be told apart: in full where rounding would make them read the same. */
export function formatBytesApart(a: number, b: number): [string, string] {
  const [first, second] = [formatBytes(a), formatBytes(b)];
  const full = (bytes: number) => `${bytes.toLocaleString('en')} bytes`;
  return a !== b && first === second ? [full(a), full(b)] : [first, second];
}

/** Such as `4032 × 3024`; empty when the bytes did not tell. */
export function formatDimensions({ width, height }: { width: number | null; height: number | null }): string {
  return width === null || height === null ? '' : `${width} × ${height}`;
}

/** One line on a photo: `front.jpg  5.2 MB  4032 × 3024`. */
export function photoLine(facts: Pick<PhotoFacts, 'path' | 'sizeBytes' | 'width' | 'height'>): string {
  return [basename(facts.path), formatBytes(facts.sizeBytes), formatDimensions(facts)].filter(Boolean).join('  ');
}
