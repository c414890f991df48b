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
import { atOnce, preparePhoto } from './prepare.ts';
import { type PreparedFacts, toPhotoUploadResult } from './upload-result.ts';

export interface PhotoProgress {
  /** Index of the file. */
  readonly index: number;
  readonly phase: 'preparing' | 'sending' | 'stored' | 'failed';
  /** Once it was prepared. */
  readonly prepared?: PreparedFacts | undefined;
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
  /** Number of parallel uploads (default: 1, for a readable progress). */
  readonly parallel?: number;
  readonly onProgress?: (progress: PhotoProgress) => void;
  readonly signal?: AbortSignal;
}

interface Sent {
  readonly result: PhotoResult;
  readonly prepared?: PreparedFacts | undefined;
  readonly content: SentContent | undefined;
}

/**
 * The next photos are prepared during the uploads. Photos that an earlier run stored aren't sent again, and files with the same bytes
 * are sent once. Never throws for a photo: the results hold the failures.
 */
export async function sendPhotos(options: SendOptions): Promise<SentPhoto[]> {
  const { files, photoField, journal = noJournal, onProgress } = options;
  const photosOfCar = listOnce(options);
  const hashes = files.map((file) => journal.files.get(file)?.sha256 || undefined);
  const firstWith = (index: number) =>
    hashes[index] === undefined ? index : hashes.indexOf(hashes[index]);
  const sent = new Map<number, Sent>();
  for (const [index, file] of files.entries()) {
    const record =
      journal.steps.answer(photoStep(index)) ??
      (await recover(options, journal, { index, photosOfCar }));
    if (!record) continue;
    const stored = record as RecordFor<'carPhotos'>;
    sent.set(index, {
      result: { status: 'stored', filename: stored.filename ?? basename(file), record: stored },
      content: journal.steps.content(photoStep(index)),
    });
  }
  const left = [...files.keys()].filter((index) => !sent.has(index) && firstWith(index) === index);
  for (const [index, one] of await sendLeft(options, journal, { left, photosOfCar }))
    sent.set(index, one);
  const fileByPhoto = new Map<string, string>();
  return files.map((file, index) => {
    const one = (sent.get(index) ?? sent.get(firstWith(index))) as Sent;
    const { result, prepared, content } = one;
    const id = result.status === 'stored' ? result.record.id : undefined;
    const sameAs = id === undefined ? undefined : fileByPhoto.get(id);
    if (id !== undefined && sameAs === undefined) fileByPhoto.set(id, file);
    if (!sent.has(index))
      onProgress?.({ index, phase: id === undefined ? 'failed' : 'stored', prepared, sameAs });
    const shown = sent.has(index) ? result : { ...result, filename: basename(file) };
    return {
      upload: toPhotoUploadResult(file, shown, { prepared, content, sameAs, photoField }),
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

interface Left {
  readonly left: readonly number[];
  readonly photosOfCar: PhotosOfCar;
}

async function sendLeft(
  options: SendOptions,
  { steps, files: known, resumed }: Journal,
  { left, photosOfCar }: Left,
): Promise<Map<number, Sent>> {
  const { client, carId, sessionId, files, filename, parallel = 1, photoField } = options;
  const { onProgress, signal } = options;
  const indexOf = (position: number) => left[position] as number;
  const fileOf = (position: number) => files[indexOf(position)] as string;
  const nameOf = (position: number) => filename ?? basename(fileOf(position));
  const prepared = new Map<number, PreparedFacts>();
  const load = readAhead(left.length, { atOnce, ahead: atOnce }, async (position) => {
    const path = fileOf(position);
    // A file that changed since the command began isn't the photo that was meant, unless the server refused that one.
    const isMeant = !steps.refused(photoStep(indexOf(position)));
    const expectedSha256 = (isMeant && known.get(path)?.sha256) || undefined;
    return preparePhoto(path, { ...options, expectedSha256 });
  });
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
      const content = contentOf(prepared.get(position) as PreparedFacts, photo.filename);
      const hasOwnName = files.filter((file) => basename(file) === nameOf(position)).length === 1;
      const step = photoStep(indexOf(position));
      let isEarlier = resumed && !steps.refused(step);
      return steps.once(step, {
        path: `/cars/${carId}/photos`,
        content,
        send: create,
        find({ during, ...how }) {
          // Listed once for those of an earlier run, and again for each that gets no answer now.
          const list = isEarlier ? photosOfCar : () => gather(client.carPhotos.all(carId, {}, how));
          isEarlier = false;
          return findStoredPhoto(list, { sessionId, content, hasOwnName }, during);
        },
      });
    },
    onProgress: ({ index: position, phase }) =>
      onProgress?.({
        index: indexOf(position),
        phase: phase === 'loading' ? 'preparing' : phase,
        prepared: prepared.get(position),
      }),
    signal,
  });
  return new Map(
    results.map((result, position) => {
      const facts = prepared.get(position);
      const content = facts && contentOf(facts, result.filename);
      return [indexOf(position), { result, prepared: facts, content }];
    }),
  );
}

export const contentOf = (
  { sizeBytes, sha256, filename }: PreparedFacts,
  name = filename,
): SentContent => ({ filename: name, sizeBytes, sha256 });
