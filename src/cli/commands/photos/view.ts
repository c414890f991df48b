/** The results of adding and of verifying photos. */
import { resultView } from '../../output/view.ts';
import type { AddedPhoto } from './shape.ts';

export interface CheckedPhoto extends Pick<AddedPhoto, 'verified'> {
  /** Absolute. */
  readonly file: string;
  readonly filename: string;
  readonly photoId: string | null;
  /** Why the file can't be compared. */
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly exitCode: number;
  } | null;
}

/** Listed here, since every start of a car command needs them and few upload photos. */
const resultFields = {
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
  verified: true,
  differs: true,
} as const satisfies Record<keyof AddedPhoto, true>;

export const addedView = resultView('photo', Object.keys(resultFields));
export const checkedView = resultView('photo', [
  'file',
  'filename',
  'verified',
  'photoId',
  'error',
] satisfies (keyof CheckedPhoto)[]);

/** `4032 × 3024`; empty when unknown. */
export function formatDimensions({
  width,
  height,
}: {
  width: number | null;
  height: number | null;
}): string {
  return width === null || height === null ? '' : `${width} × ${height}`;
}
