/** Uploads the photos of a car, in order, and returns a result for each. */
import { basename } from 'node:path';
import type { Client } from '../../../client/client.ts';
import { type PhotoResult, uploadPhotos } from '../../../client/photos.ts';
import type { RecordFor } from '../../../contract/contract.ts';
import type { PhotoUploadResult } from '../counter/shape.ts';
import { photoStep } from '../journal/describe.ts';
import { findStoredPhoto } from '../journal/find.ts';
import { type Journal, noJournal, readFileFacts } from '../journal/journal.ts';
import type { PhotoOptions } from './photo-file.ts';
import { PhotoFileError } from './photo-file-error.ts';
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
  /** Of the command (default: none). */
  readonly journal?: Journal;
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
 * One at a time, to keep their order and a readable progress; the next is prepared during an upload. Photos that an earlier run stored
 * aren't sent again. Never throws for a photo: the results, in the order of the files, hold the failures.
 */
export async function sendPhotos(options: SendOptions): Promise<PhotoUploadResult[]> {
  const { files, photoField, journal = noJournal } = options;
  const stored = new Map<number, RecordFor<'carPhotos'>>();
  for (const index of files.keys()) {
    const record = journal.steps.answer(photoStep(index));
    if (record) stored.set(index, record as RecordFor<'carPhotos'>);
  }
  const left = [...files.keys()].filter((index) => !stored.has(index));
  const sent = await sendLeft(options, journal, left);
  return files.map((file, index) => {
    const record = stored.get(index);
    if (record) return toPhotoUploadResult(file, { status: 'stored', filename: record.filename ?? basename(file), record }, {});
    const { result, ...how } = sent.get(index) as Sent;
    return toPhotoUploadResult(file, result, { ...how, photoField });
  });
}

interface Sent {
  readonly result: PhotoResult;
  readonly prepared?: PreparedFacts;
  readonly sameAs?: string;
}

async function sendLeft(options: SendOptions, journal: Journal, left: readonly number[]): Promise<Map<number, Sent>> {
  const { client, carId, sessionId, files, filename, photoField, onProgress, signal } = options;
  const indexOf = (position: number) => left[position] as number;
  const fileOf = (position: number) => files[indexOf(position)] as string;
  const nameOf = (position: number) => filename ?? basename(fileOf(position));
  const isOnly = (name: string) => files.filter((file) => basename(file) === name).length === 1;
  const prepared = new Map<number, PreparedFacts>();
  const load = readAhead(left.length, async (position) => {
    await requireUnchanged(journal, fileOf(position), photoStep(indexOf(position)));
    return preparePhoto(fileOf(position), options);
  });
  const sameAs = new Map<number, string>();
  const fileByPhoto = new Map<string, string>();
  const results = await uploadPhotos({
    client,
    carId,
    sessionId,
    concurrency: 1,
    base64Field: photoField,
    photos: left.map((_, position) => ({
      filename: nameOf(position),
      load: async () => {
        const { bytes, ...facts } = await load(position);
        prepared.set(position, facts);
        return { bytes, filename: filename ?? facts.filename, contentType: facts.contentType };
      },
    })),
    send: ({ photo, index: position, create }) =>
      journal.steps.once(photoStep(indexOf(position)), {
        path: `/cars/${carId}/photos`,
        send: create,
        find: (how) =>
          findStoredPhoto(
            client,
            { carId, sessionId, photo, hasOwnName: isOnly(nameOf(position)) },
            { since: journal.entry?.serverTime, ...how },
          ),
      }),
    onProgress: ({ index: position, phase, record }) => {
      const first = record && fileByPhoto.get(record.id);
      if (first !== undefined) sameAs.set(position, first);
      else if (record) fileByPhoto.set(record.id, fileOf(position));
      const step = phase === 'loading' ? 'preparing' : phase;
      onProgress?.({ index: indexOf(position), phase: step, prepared: prepared.get(position), sameAs: first });
    },
    signal,
  });
  return new Map(
    results.map((result, position) => [indexOf(position), { result, prepared: prepared.get(position), sameAs: sameAs.get(position) }]),
  );
}

/** A file that changed since the command began isn't the photo that was meant, unless the server refused that one. */
async function requireUnchanged({ entry, files, resumed, steps }: Journal, path: string, step: string): Promise<void> {
  const before = files.get(path);
  if (!resumed || !entry || !before || steps.refused(step)) return;
  const { sha256 } = await readFileFacts(path);
  // A file that can't be read has an error of its own.
  if (sha256 === before.sha256 || sha256 === '') return;
  throw new PhotoFileError({
    path,
    reason: 'changed',
    why: `has changed since the ${entry.what} began`,
    hint: 'add it as a new photo if it is the right one',
  });
}

/** Prepares the next photo while one is in use, so that memory holds two at most. */
function readAhead(count: number, prepare: (index: number) => Promise<PreparedPhoto>): (index: number) => Promise<PreparedPhoto> {
  const started = new Map<number, Promise<PreparedPhoto>>();
  const start = (index: number): Promise<PreparedPhoto> => {
    const photo = prepare(index);
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
      if (index + 1 < count) start(index + 1);
    }
  };
}
