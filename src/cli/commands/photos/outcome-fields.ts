import type { PhotoOutcome } from './outcome.ts';

const fields = {
  file: true,
  filename: true,
  status: true,
  photoId: true,
  sameAs: true,
  sizeBytes: true,
  originalSizeBytes: true,
  width: true,
  height: true,
  shrunk: true,
  locationRemoved: true,
  error: true,
} as const satisfies Record<keyof PhotoOutcome, true>;

/** What a result tells of each photo. Apart from the rest, since every start of the command knows it and few send a photo. */
export const outcomeFields = Object.keys(fields);
