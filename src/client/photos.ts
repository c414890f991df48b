/** Sends the photos of a car, one request each, and returns a result for each. */
import type { PhotoType } from '../contract/cars.ts';
import type { RecordFor } from '../contract/contract.ts';
import { ApiError } from './errors.ts';
import type { ResourceClient } from './methods.ts';
import {
  isGeneralFailure,
  type UploadFile,
  type UploadProgress,
  type UploadResult,
  uploadFiles,
} from './uploads.ts';

export type PhotoFile = UploadFile<LoadedPhoto>;

/** A photo to send. */
export interface LoadedPhoto {
  bytes: Uint8Array;
  /** The name after conversion, such as from PNG to JPEG (default: the name of the `PhotoFile`). */
  filename?: string;
  contentType?: PhotoType;
}

/** A photo whose request is about to be sent. */
export interface PhotoUpload {
  photo: LoadedPhoto;
  /** Its position in `photos`. */
  index: number;
  create: (idempotencyKey?: string) => Promise<RecordFor<'carPhotos'>>;
}

export type PhotoProgress = UploadProgress<RecordFor<'carPhotos'>>;

/** `not_sent`: skipped, since `error` of another photo would hit every photo. `failed` with a NetworkError: it may be stored. */
export type PhotoResult = UploadResult<RecordFor<'carPhotos'>>;

/**
 * Attaches photos to a car. Never throws for a photo: the results, in the given order, show what to send again.
 * Sending a photo again in the same session is safe: the service answers with the stored one (decision).
 * After an abort, photos in flight are `failed` and the rest `not_sent`, both with the signal's reason.
 */
export async function uploadPhotos(options: {
  client: { carPhotos: Pick<ResourceClient<'carPhotos'>, 'create'> };
  carId: string;
  sessionId?: string | null;
  photos: readonly PhotoFile[];
  /** Number of parallel uploads. */
  concurrency?: number;
  /** The field of the request with the bytes as base64 (default: `base64`). The specification doesn't name it. */
  base64Field?: string;
  /** For each try of each photo (default: the client's). */
  timeoutMs?: number;
  /** Sends a loaded photo by calling `create`, which sends the request (default: calls it once, with a new Idempotency-Key). */
  send?: (upload: PhotoUpload) => Promise<RecordFor<'carPhotos'>>;
  onProgress?: (progress: PhotoProgress) => void;
  signal?: AbortSignal;
}): Promise<PhotoResult[]> {
  const { client, carId, sessionId, photos, base64Field = 'base64', timeoutMs, signal } = options;
  const { concurrency = 2, onProgress, send = ({ create }) => create() } = options;
  return uploadFiles({
    files: photos,
    concurrency,
    onProgress,
    signal,
    failsForAll: (error) =>
      isGeneralFailure(error) ||
      (error instanceof ApiError &&
        (error.status === 404 || ['session_mismatch', 'session_closed'].includes(error.code))),
    send: (photo, index) => {
      const { bytes, contentType, filename = photos[index]?.filename } = photo;
      const fields = { ...(sessionId && { sessionId }), filename, contentType };
      const body = { ...fields, [base64Field]: bytes };
      const create = (idempotencyKey?: string) =>
        client.carPhotos.create(carId, body, { signal, timeoutMs, idempotencyKey });
      return send({ photo: { ...photo, filename }, index, create });
    },
  });
}
