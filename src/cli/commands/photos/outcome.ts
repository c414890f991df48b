import { basename } from 'node:path';
import type { PhotoResult } from '../../../client/photos.ts';
import { failureOf, type UploadFailure } from '../files/upload-failure.ts';
import type { PreparedPhoto } from './prepare.ts';

/** What was made ready, without its bytes: they are not kept. */
export type PreparedFacts = Omit<PreparedPhoto, 'bytes'>;

/** What became of a photo, as every result shows it. */
export interface PhotoOutcome {
  /** Absolute path. */
  readonly file: string;
  /** As it is stored, or would be; a server may change it. */
  readonly filename: string;
  /** `not_sent`: left out, because what another photo met would have met it too, or because it was stopped. */
  readonly status: PhotoResult['status'];
  readonly photoId: string | null;
  /** The file before it that has the same bytes: both are one stored photo. */
  readonly sameAs: string | null;
  /** As sent, and as it was on disk; null, as what follows, when it was not made ready. Pixels as a person sees them. */
  readonly sizeBytes: number | null;
  readonly originalSizeBytes: number | null;
  readonly width: number | null;
  readonly height: number | null;
  readonly shrunk: boolean | null;
  readonly locationRemoved: boolean | null;
  /** `unknownOutcome`: the photo may be stored although no answer said so. Sending it again is safe. */
  readonly error: UploadFailure | null;
}

export function outcomeOf(
  file: string,
  result: PhotoResult,
  { prepared, sameAs = null }: { prepared?: PreparedFacts; sameAs?: string | null },
): PhotoOutcome {
  const record = result.status === 'stored' ? result.record : undefined;
  return {
    file,
    filename: (sameAs === null && record?.filename) || result.filename,
    status: result.status,
    photoId: record?.id ?? null,
    sameAs,
    sizeBytes: prepared?.sizeBytes ?? null,
    originalSizeBytes: prepared?.originalSizeBytes ?? null,
    width: prepared?.width ?? null,
    height: prepared?.height ?? null,
    shrunk: prepared?.shrunk ?? null,
    locationRemoved: prepared?.locationRemoved ?? null,
    error: result.status === 'stored' ? null : failureOf(file, result),
  };
}

/** In a few words, for a person: `stored`, `the same photo as front.jpg`, `may be stored: …`. */
export function outcomeWords({ status, sameAs, error }: Pick<PhotoOutcome, 'status' | 'sameAs' | 'error'>): string {
  if (status === 'stored') return sameAs === null ? 'stored' : `the same photo as ${basename(sameAs)}`;
  if (status === 'not_sent') return 'not sent';
  return error?.unknownOutcome ? `may be stored: ${error.message}` : `not stored: ${error?.message}`;
}

/** How many photos are stored; files with the same bytes are one. */
export const countStored = (photos: readonly PhotoOutcome[]): number =>
  photos.filter(({ status, sameAs }) => status === 'stored' && sameAs === null).length;
