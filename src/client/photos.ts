/** Sends the photos of a car, one request for each, and tells of each what became of it. */
import type { PhotoType } from '../contract/cars.ts';
import type { RecordFor } from '../contract/contract.ts';
import { ApiError } from './errors.ts';
import type { ResourceClient } from './methods.ts';
import { meetsAny, toBase64, type UploadFile, type UploadProgress, type UploadResult, uploadFiles } from './uploads.ts';

export type Photo = UploadFile<LoadedPhoto>;

/** A photo as it is sent. */
export interface LoadedPhoto {
  bytes: Uint8Array;
  /** Where loading has made another file of it, such as a JPEG of a PNG; that of the `Photo` unless given. */
  filename?: string;
  contentType?: PhotoType;
}

export type PhotoProgress = UploadProgress<RecordFor<'carPhotos'>>;

/** `not_sent`: left out, because `error`, which another photo met, would meet every one. `failed` with a NetworkError: it may be stored. */
export type PhotoResult = UploadResult<RecordFor<'carPhotos'>>;

/**
 * Attaches photos to a car. Never throws for a photo: the results, in the given order, tell what to send again.
 * Sending a photo again in the same session is safe: the service answers with the one that is there (decision).
 * When `signal` ends it, what was being sent is `failed` and the rest `not_sent`, both with the signal's reason.
 */
export async function uploadPhotos(options: {
  client: { carPhotos: Pick<ResourceClient<'carPhotos'>, 'create'> };
  carId: string;
  sessionId?: string | null;
  photos: readonly Photo[];
  /** How many are sent at a time. */
  concurrency?: number;
  /** For each try of each photo; what the client was made with unless given. */
  timeoutMs?: number;
  onProgress?: (progress: PhotoProgress) => void;
  signal?: AbortSignal;
}): Promise<PhotoResult[]> {
  const { client, carId, sessionId, photos, concurrency = 2, timeoutMs, onProgress, signal } = options;
  return uploadFiles({
    files: photos,
    send: ({ bytes, contentType, filename }, index) => {
      const body = { sessionId, filename: filename ?? photos[index]?.filename, contentType, base64: toBase64(bytes) };
      return client.carPhotos.create(carId, body, { signal, timeoutMs });
    },
    meetsEvery,
    concurrency,
    onProgress,
    signal,
  });
}

/** Whether every other photo of the same car, session and key would fail just the same. */
const meetsEvery = (error: unknown): boolean =>
  meetsAny(error) || (error instanceof ApiError && (error.status === 404 || ['session_mismatch', 'session_closed'].includes(error.code)));
