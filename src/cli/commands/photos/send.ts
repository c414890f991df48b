/** Uploads the photos of a car, in order, and returns a result for each. */
import { basename } from 'node:path';
import type { Client } from '../../../client/client.ts';
import { uploadPhotos } from '../../../client/photos.ts';
import type { PhotoUploadResult } from '../counter/shape.ts';
import type { PhotoOptions } from './photo-file.ts';
import { type PreparedPhoto, preparePhoto } from './prepare.ts';
import { type PreparedFacts, toPhotoUploadResult } from './upload-result.ts';

export interface PhotoProgress {
  /** Index of the file. */
  readonly index: number;
  readonly phase: 'preparing' | 'sending' | 'stored' | 'failed';
  /** Once it was prepared. */
  readonly prepared?: PreparedFacts;
  /** Once it is stored: an earlier file with the same bytes. */
  readonly sameAs?: string;
}

export interface SendOptions extends PhotoOptions {
  readonly client: Client;
  readonly carId: string;
  readonly sessionId?: string | null;
  /** Absolute paths, from `findPhotos`. */
  readonly files: readonly string[];
  /** Replaces the name of a single file. */
  readonly filename?: string;
  readonly onProgress?: (progress: PhotoProgress) => void;
  readonly signal?: AbortSignal;
}

/**
 * One at a time, to keep their order and a readable progress; the next is prepared during an upload.
 * Never throws for a photo: the results, in the order of the files, hold the failures.
 */
export async function sendPhotos(options: SendOptions): Promise<PhotoUploadResult[]> {
  const { client, carId, sessionId, files, filename, photoField, onProgress, signal } = options;
  const ready = new Map<number, PreparedFacts>();
  const load = readAhead(files, (file) => preparePhoto(file, options));
  const duplicates = new Map<number, string>();
  const fileByPhoto = new Map<string, string>();
  const results = await uploadPhotos({
    client,
    carId,
    sessionId,
    concurrency: 1,
    base64Field: photoField,
    photos: files.map((file, index) => ({
      filename: filename ?? basename(file),
      load: async () => {
        const { bytes, ...facts } = await load(index);
        ready.set(index, facts);
        return { bytes, filename: filename ?? facts.filename, contentType: facts.contentType };
      },
    })),
    onProgress: ({ index, phase, record }) => {
      const first = record && fileByPhoto.get(record.id);
      if (first !== undefined) duplicates.set(index, first);
      else if (record) fileByPhoto.set(record.id, files[index] as string);
      onProgress?.({ index, phase: phase === 'loading' ? 'preparing' : phase, prepared: ready.get(index), sameAs: first });
    },
    signal,
  });
  return results.map((result, index) =>
    toPhotoUploadResult(files[index] as string, result, { prepared: ready.get(index), sameAs: duplicates.get(index), photoField }),
  );
}

/** Prepares the next photo while one is in use, so that memory holds two at most. */
function readAhead(files: readonly string[], prepare: (file: string) => Promise<PreparedPhoto>): (index: number) => Promise<PreparedPhoto> {
  const started = new Map<number, Promise<PreparedPhoto>>();
  const start = (index: number): Promise<PreparedPhoto> => {
    const photo = prepare(files[index] as string);
    // Reported on its turn: without this, Node reports an unhandled rejection first.
    photo.catch(() => {});
    started.set(index, photo);
    return photo;
  };
  return async (index) => {
    const current = started.get(index) ?? start(index);
    started.delete(index);
    try {
      return await current;
    } finally {
      if (index + 1 < files.length) start(index + 1);
    }
  };
}
