/** Sizes, dimensions and lists of photos as text. */

import { formatBytes, photoLimit } from '../../../contract/limits.ts';
import type { Context } from '../../context.ts';
import { pluralize, sanitize } from '../../terminal/text.ts';
import { fill, widest } from '../../terminal/width.ts';
import type { PhotoFacts, PhotoOptions } from './photo-file.ts';
import { formatDimensions } from './view.ts';

/** Two different sizes, as exact bytes if rounding would make them look equal. */
export function formatDistinctBytes(a: number, b: number): [string, string] {
  const [first, second] = [formatBytes(a), formatBytes(b)];
  const full = (bytes: number) => `${bytes.toLocaleString('en')} bytes`;
  return a !== b && first === second ? [full(a), full(b)] : [first, second];
}

/** Whether a photo is above the limit and will be shrunk. */
export const willShrink = (
  { sizeBytes }: { sizeBytes: number },
  { resize = true }: PhotoOptions,
): boolean => resize && sizeBytes > photoLimit;

/** Changes before the upload. */
export function changesTo(facts: PhotoFacts, options: PhotoOptions): string {
  const removesLocation = facts.hasLocation && !options.keepLocation;
  if (willShrink(facts, options))
    return removesLocation ? 'shrunk, location removed' : 'will be shrunk';
  return removesLocation ? 'location removed' : '';
}

/** A line for each photo: name, size, dimensions and changes. */
export function photoTable(
  { io, styles }: Context,
  photos: readonly PhotoFacts[],
  options: PhotoOptions,
): string {
  const rows = photos.map((facts) => ({
    name: sanitize(facts.filename),
    size: formatBytes(facts.sizeBytes),
    pixels: formatDimensions(facts),
    note: changesTo(facts, options),
  }));
  const widthOf = (part: 'size' | 'pixels' | 'note') => widest(rows.map((row) => row[part]));
  const [sizes, pixels] = [widthOf('size'), widthOf('pixels')];
  const room = (io.columns ?? 80) - sizes - pixels - widthOf('note') - 10;
  const names = widest(
    rows.map(({ name }) => name),
    room,
  );
  return rows
    .map((row) =>
      `    ${fill(row.name, names)}  ${row.size.padStart(sizes)}  ${row.pixels.padStart(pixels)}  ${styles.dim(row.note)}`.trimEnd(),
    )
    .join('\n');
}

/** `12 photos, 31.4 MB (4 will be shrunk, location removed from 12)` */
export function photoSummary(photos: readonly PhotoFacts[], options: PhotoOptions): string {
  if (photos.length === 0) return 'none';
  const total = photos.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const shrunk = photos.filter((facts) => willShrink(facts, options)).length;
  const located = options.keepLocation ? 0 : photos.filter(({ hasLocation }) => hasLocation).length;
  const changes = [
    shrunk > 0 && `${shrunk} will be shrunk`,
    located > 0 && `location removed from ${located}`,
  ];
  const note = changes.filter(Boolean).join(', ');
  return `${pluralize(photos.length, 'photo', 'photos')}, ${formatBytes(total)}${note && ` (${note})`}`;
}
