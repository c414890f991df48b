/** The result of adding photos. */
import { resultView } from '../../output/view.ts';
import type { PhotoUploadResult } from '../counter/shape.ts';

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
} as const satisfies Record<keyof PhotoUploadResult, true>;

export const addedView = resultView('photo', Object.keys(resultFields));
