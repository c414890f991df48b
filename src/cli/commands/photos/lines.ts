/** Photos as lines in columns, before they are sent and while they are. */
import type { Context } from '../../framework/context.ts';
import { pluralize, sanitize } from '../../terminal/text.ts';
import { fill, widest } from '../../terminal/width.ts';
import { formatBytes, formatDimensions } from './describe.ts';
import type { PhotoFacts } from './facts.ts';
import { type PhotoOptions, willShrink } from './prepare.ts';

const margin = '    ';

/** What will be done to a photo before it is sent. */
function treatment(facts: PhotoFacts, options: PhotoOptions): string {
  const cleaned = facts.hasLocation && !options.keepLocation;
  if (willShrink(facts, options)) return cleaned ? 'shrunk, location removed' : 'will be shrunk';
  return cleaned ? 'location removed' : '';
}

/** Each photo with its size and dimensions, and what will be done to it. */
export function photoTable({ io, paint }: Context, photos: readonly PhotoFacts[], options: PhotoOptions): string {
  const names = photos.map(({ filename }) => sanitize(filename));
  const sizes = photos.map(({ sizeBytes }) => formatBytes(sizeBytes));
  const pixels = photos.map((facts) => formatDimensions(facts));
  const notes = photos.map((facts) => treatment(facts, options));
  const [sizeWidth, pixelWidth] = [widest(sizes), widest(pixels)];
  const nameWidth = widest(names, (io.columns ?? 80) - sizeWidth - pixelWidth - widest(notes) - margin.length - 6);
  return photos
    .map((_, index) => {
      const [name, size, pixel, note] = [names, sizes, pixels, notes].map((column) => column[index] ?? '') as [
        string,
        string,
        string,
        string,
      ];
      const cells = [fill(name, nameWidth), size.padStart(sizeWidth), pixel.padStart(pixelWidth), paint.dim(note)];
      return `${margin}${cells.join('  ').trimEnd()}`.trimEnd();
    })
    .join('\n');
}

/** `12 photos, 31.4 MB; 4 will be shrunk, location removed from 12` */
export function photoSummary(photos: readonly PhotoFacts[], options: PhotoOptions): string {
  if (photos.length === 0) return 'none';
  const total = photos.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const shrunk = photos.filter((facts) => willShrink(facts, options)).length;
  const located = options.keepLocation ? 0 : photos.filter(({ hasLocation }) => hasLocation).length;
  const treatments = [shrunk > 0 && `${shrunk} will be shrunk`, located > 0 && `location removed from ${located}`];
  const what = treatments.filter(Boolean).join(', ');
  return `${pluralize(photos.length, 'photo', 'photos')}, ${formatBytes(total)}${what && ` (${what})`}`;
}
