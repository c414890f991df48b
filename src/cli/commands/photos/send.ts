/** Uploads the photos of a car and returns a result for each, in the order of the files. */
import { basename } from 'node:path';
import type { Client } from '../../../client/client.ts';
import { type PhotoResult, uploadPhotos } from '../../../client/photos.ts';
import type { RecordFor } from '../../../contract/contract.ts';
import { gather } from '../../resources/methods.ts';
import type { PhotoUploadResult } from '../counter/shape.ts';
import { readAhead } from '../files/parallel.ts';
import { photoStep } from '../journal/describe.ts';
import type { SentContent } from '../journal/entry.ts';
import { findStoredPhoto } from '../journal/find.ts';
import { type Journal, noJournal } from '../journal/journal.ts';
import type { PhotoOptions } from './photo-file.ts';
import { preparePhoto } from './prepare.ts';
import { atOnce } from './shrink.ts';
import { type PreparedFacts, toPhotoUploadResult } from './upload-result.ts';

export interface PhotoProgress {
  /** Index of the file. */
  readonly index: number;
  readonly phase: 'preparing' | 'sending' | 'stored' | 'failed';
  /** Once it was prepared. */
  readonly prepared?: PreparedFacts;
  /** Once it is stored: another file with the same bytes. */
  readonly sameAs?: string;
}

export interface SentPhoto {
  readonly upload: PhotoUploadResult;
  /** Undefined if it wasn't prepared. */
  readonly content: SentContent | undefined;
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
  /** (default: `preparePhoto`) */
  readonly prepare?: typeof preparePhoto | undefined;
  /** Number of parallel uploads (default: 1, for a readable progress). */
  readonly parallel?: number;
  readonly onProgress?: (progress: PhotoProgress) => void;
  readonly signal?: AbortSignal;
}

/**
 * The next photos are prepared during the uploads. Photos that an earlier run stored aren't sent again. Never throws for a photo: the
 * results hold the failures.
 */
export async function sendPhotos(options: SendOptions): Promise<SentPhoto[]> {
  const { files, photoField, journal = noJournal } = options;
  const stored = new Map<number, RecordFor<'carPhotos'>>();
  const photosOfCar = listOnce(options);
  for (const index of files.keys()) {
    const record =
      journal.steps.answer(photoStep(index)) ??
      (await recover(options, journal, { index, photosOfCar }));
    if (record) stored.set(index, record as RecordFor<'carPhotos'>);
  }
  const left = [...files.keys()].filter((index) => !stored.has(index));
  const sent = await sendLeft(options, journal, { left, photosOfCar });
  const fileByPhoto = new Map<string, string>();
  return files.map((file, index) => {
    const record = stored.get(index);
    const { result, prepared, content } = record
      ? storedEarlier(journal, index, file, record)
      : (sent.get(index) as Sent);
    const id = result.status === 'stored' ? result.record.id : undefined;
    const sameAs = id === undefined ? undefined : fileByPhoto.get(id);
    if (id !== undefined && sameAs === undefined) fileByPhoto.set(id, file);
    return {
      upload: toPhotoUploadResult(file, result, { prepared, content, sameAs, photoField }),
      content,
    };
  });
}

type PhotosOfCar = () => Promise<RecordFor<'carPhotos'>[]>;

/** The photos of the car before this run sent any. */
function listOnce({ client, carId }: SendOptions): PhotosOfCar {
  let listed: ReturnType<PhotosOfCar> | undefined;
  return () => {
    listed ??= gather(client.carPhotos.all(carId)).catch((error) => {
      listed = undefined;
      throw error;
    });
    return listed;
  };
}

/** The photo that an earlier run sent without an answer: by what it sent, whatever became of the file since. */
async function recover(
  { sessionId, files }: SendOptions,
  { steps }: Journal,
  { index, photosOfCar }: { index: number; photosOfCar: PhotosOfCar },
): Promise<object | undefined> {
  const content = steps.content(photoStep(index));
  if (!content) return undefined;
  const hasOwnName = files.filter((file) => basename(file) === content.filename).length <= 1;
  return steps
    .recover(photoStep(index), ({ during }) =>
      findStoredPhoto(photosOfCar, { sessionId, content, hasOwnName }, during),
    )
    .catch(() => undefined);
}

const storedEarlier = (
  { steps }: Journal,
  index: number,
  file: string,
  record: RecordFor<'carPhotos'>,
): Sent => ({
  result: { status: 'stored', filename: record.filename ?? basename(file), record },
  content: steps.content(photoStep(index)),
});

interface Sent {
  readonly result: PhotoResult;
  readonly prepared?: PreparedFacts | undefined;
  readonly content?: SentContent | undefined;
}

interface Left {
  readonly left: readonly number[];
  readonly photosOfCar: PhotosOfCar;
}

async function sendLeft(
  options: SendOptions,
  journal: Journal,
  { left, photosOfCar }: Left,
): Promise<Map<number, Sent>> {
  const {
    client,
    carId,
    sessionId,
    files,
    filename,
    prepare = preparePhoto,
    parallel = 1,
    photoField,
    onProgress,
    signal,
  } = options;
  const indexOf = (position: number) => left[position] as number;
  const fileOf = (position: number) => files[indexOf(position)] as string;
  const nameOf = (position: number) => filename ?? basename(fileOf(position));
  const isOnly = (name: string) => files.filter((file) => basename(file) === name).length === 1;
  const prepared = new Map<number, PreparedFacts>();
  const load = readAhead(left.length, { atOnce, ahead: atOnce }, async (position) => {
    const path = fileOf(position);
    // A file that changed since the command began isn't the photo that was meant, unless the server refused that one.
    const known = journal.steps.refused(photoStep(indexOf(position)))
      ? undefined
      : journal.files.get(path)?.sha256;
    return prepare(path, { ...options, expectedSha256: known || undefined });
  });
  const fileByPhoto = new Map<string, string>();
  const equals = afterEqualFiles(
    left.map((_, position) => journal.files.get(fileOf(position))?.sha256),
  );
  const results = await uploadPhotos({
    client,
    carId,
    sessionId,
    concurrency: parallel,
    base64Field: photoField,
    photos: left.map((_, position) => ({
      filename: nameOf(position),
      load: async () => {
        const { bytes, ...facts } = await load(position);
        prepared.set(position, facts);
        return { bytes, filename: filename ?? facts.filename, contentType: facts.contentType };
      },
    })),
    send: async ({ photo, index: position, create }) => {
      await equals.turn(position);
      const content = contentOf(prepared.get(position) as PreparedFacts, photo.filename);
      const step = photoStep(indexOf(position));
      let isEarlier = journal.resumed && !journal.steps.refused(step);
      return journal.steps.once(step, {
        path: `/cars/${carId}/photos`,
        content,
        send: create,
        find({ during, ...how }) {
          // Listed once for those of an earlier run, and again for each that gets no answer now.
          const list = isEarlier ? photosOfCar : () => gather(client.carPhotos.all(carId, {}, how));
          isEarlier = false;
          return findStoredPhoto(
            list,
            { sessionId, content, hasOwnName: isOnly(nameOf(position)) },
            during,
          );
        },
      });
    },
    onProgress: ({ index: position, phase, record }) => {
      const sameAs = record && fileByPhoto.get(record.id);
      if (record && sameAs === undefined) fileByPhoto.set(record.id, fileOf(position));
      if (phase === 'stored' || phase === 'failed') equals.ended(position);
      const step = phase === 'loading' ? 'preparing' : phase;
      onProgress?.({
        index: indexOf(position),
        phase: step,
        prepared: prepared.get(position),
        sameAs,
      });
    },
    signal,
  });
  return new Map(
    results.map((result, position) => {
      const facts = prepared.get(position);
      return [
        indexOf(position),
        { result, prepared: facts, content: facts && contentOf(facts, result.filename) },
      ];
    }),
  );
}

/** Files with the same bytes go one after another, in their order: a session keeps one photo of them, with the name of the first. */
function afterEqualFiles(hashes: readonly (string | undefined)[]) {
  const ends = hashes.map(() => Promise.withResolvers<void>());
  const latest = new Map<string, Promise<void>>();
  const turns = hashes.map((sha256, position) => {
    if (!sha256) return undefined;
    const before = latest.get(sha256);
    latest.set(sha256, (ends[position] as PromiseWithResolvers<void>).promise);
    return before;
  });
  return {
    turn: async (position: number) => turns[position],
    ended: (position: number) => ends[position]?.resolve(),
  };
}

export const contentOf = (
  { sizeBytes, sha256, filename }: PreparedFacts,
  name = filename,
): SentContent => ({
  filename: name,
  sizeBytes,
  sha256,
});
