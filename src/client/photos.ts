/** Sends the photos of a car, one request for each, and tells of each what became of it. */
import type { PhotoType } from '../contract/cars.ts';
import type { RecordFor } from '../contract/contract.ts';
import { ApiError, NetworkError, UsageError } from './errors.ts';
import type { ResourceClient } from './methods.ts';

export interface Photo {
  filename: string;
  /** Called when its turn has come, so that only the photos being sent are in memory. */
  load: () => Promise<LoadedPhoto>;
}

/** A photo as it is sent. */
export interface LoadedPhoto {
  bytes: Uint8Array;
  /** Where loading has made another file of it, such as a JPEG of a PNG; that of the `Photo` unless given. */
  filename?: string;
  contentType?: PhotoType;
}

export interface PhotoProgress {
  index: number;
  filename: string;
  phase: 'loading' | 'sending' | 'stored' | 'failed';
  /** Once it is stored. */
  record?: RecordFor<'carPhotos'>;
}

/** `not_sent`: left out, because `error`, which another photo met, would meet every one. `failed` with a NetworkError: it may be stored. */
export type PhotoResult =
  | { filename: string; status: 'stored'; record: RecordFor<'carPhotos'> }
  | { filename: string; status: 'failed' | 'not_sent'; error: unknown };

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
  const results: PhotoResult[] = [];
  let stop: { error: unknown } | undefined;

  async function send(photo: Photo, index: number): Promise<PhotoResult> {
    let { filename } = photo;
    const tell = (phase: PhotoProgress['phase'], record?: RecordFor<'carPhotos'>) =>
      onProgress?.({ index, filename, phase, ...(record && { record }) });
    try {
      tell('loading');
      const { bytes, contentType, ...loaded } = await photo.load();
      filename = loaded.filename ?? filename;
      tell('sending');
      const body = { sessionId, filename, contentType, base64: toBase64(bytes) };
      const record = await client.carPhotos.create(carId, body, { signal, timeoutMs });
      tell('stored', record);
      return { filename, status: 'stored', record };
    } catch (error) {
      if (meetsEvery(error)) stop ??= { error };
      tell('failed');
      return { filename, status: 'failed', error };
    }
  }

  const queue = photos.entries();
  async function work(): Promise<void> {
    // One queue for all workers: whoever is free takes the next.
    for (const [index, photo] of queue) {
      if (signal?.aborted) stop ??= { error: signal.reason };
      results[index] = stop ? { filename: photo.filename, status: 'not_sent', error: stop.error } : await send(photo, index);
    }
  }
  await Promise.all(Array.from({ length: Math.max(1, concurrency) }, work));
  return results;
}

/** Whether every other photo of the same car, session and key would fail just the same. A timeout may be the fault of one large photo. */
function meetsEvery(error: unknown): boolean {
  if (error instanceof UsageError) return true;
  if (error instanceof NetworkError) return ['connection_failed', 'tls_failed', 'unsafe_address'].includes(error.code);
  if (!(error instanceof ApiError)) return false;
  return [401, 403, 404].includes(error.status) || error.code === 'session_mismatch' || error.code === 'session_closed';
}

const toBase64 = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
