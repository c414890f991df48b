/** Uploads the photos of a car and returns a result for each, in the order of the files. */
import { basename } from 'node:path';
import type { Client } from '../../../client/client.ts';
import { CarStorageError } from '../../../client/errors.ts';
import { isSameId } from '../../../client/ids.ts';
import { type PhotoResult, uploadPhotos } from '../../../client/photos.ts';
import type { RecordFor } from '../../../contract/contract.ts';
import { CliError } from '../../errors/exit.ts';
import { isUncertain } from '../../errors/final.ts';
import { gather } from '../../resources/methods.ts';
import type { FileFacts, Journal } from '../counter/action.ts';
import { Unnoted } from '../counter/note-sent.ts';
import type { PhotoUploadResult } from '../counter/shape.ts';
import type { PhotoOptions } from './photo-file.ts';
import { preparePhoto } from './prepare.ts';
import { type PreparedFacts, toPhotoUploadResult } from './upload-result.ts';
import { type SentContent, verifyContent } from './verify.ts';

export interface PhotoProgress {
  /** Of its step. */
  readonly name: string;
  readonly phase: 'preparing' | 'sending' | 'stored' | 'failed';
  /** Once it was prepared. */
  readonly prepared?: PreparedFacts | undefined;
}

export interface SentPhoto {
  readonly upload: PhotoUploadResult;
  /** Undefined if it wasn't prepared. */
  readonly content: SentContent | undefined;
}

export interface SendOptions extends PhotoOptions {
  readonly client: Client;
  readonly journal: Journal;
  readonly carId: string;
  readonly sessionId?: string | null;
  /** Each with the name of its step. */
  readonly photos: readonly (FileFacts & { readonly name: string })[];
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
 * Photos that an earlier run stored aren't sent again, and files with the same bytes
 * are sent once. Never throws for a photo: the results hold the failures. Throws `Unnoted`.
 */
export async function sendPhotos(options: SendOptions): Promise<SentPhoto[]> {
  const { photos, photoField, onProgress } = options;
  const hashes = photos.map(({ sha256 }) => sha256);
  const firstWith = (index: number) =>
    hashes[index] === undefined ? index : hashes.indexOf(hashes[index]);
  const sent = await findEarlier(options);
  const left = [...photos.keys()].filter((index) => !sent.has(index) && firstWith(index) === index);
  for (const [index, one] of await sendLeft(options, left)) sent.set(index, one);
  const fileByPhoto = new Map<string, string>();
  return photos.map(({ name, path: file }, index) => {
    const one = (sent.get(index) ?? sent.get(firstWith(index))) as Sent;
    const { result, prepared, content } = one;
    const id = result.status === 'stored' ? result.record.id : undefined;
    const sameAs = id === undefined ? undefined : fileByPhoto.get(id);
    if (id !== undefined && sameAs === undefined) fileByPhoto.set(id, file);
    if (!sent.has(index))
      onProgress?.({ name, phase: id === undefined ? 'failed' : 'stored', prepared });
    const shown = sent.has(index) ? result : { ...result, filename: basename(file) };
    return {
      upload: toPhotoUploadResult(file, shown, { prepared, content, sameAs, photoField }),
      content,
    };
  });
}

/** What became of the photos that an earlier run sent. Those without an answer are looked up once, where the server knows no keys. */
async function findEarlier(options: SendOptions): Promise<Map<number, Sent>> {
  const { photos, journal } = options;
  const found = new Map<number, Sent>();
  const contentOf = (name: string) => journal.step(name)?.content as SentContent | undefined;
  const keep = (index: number, record: RecordFor<'carPhotos'>) => {
    const { name, path } = photos[index] as (typeof photos)[number];
    const content = contentOf(name);
    const filename = record.filename ?? content?.filename ?? basename(path);
    found.set(index, { result: { status: 'stored', filename, record }, content });
  };
  for (const [index, { name }] of photos.entries()) {
    const record = journal.step(name)?.answer as RecordFor<'carPhotos'> | undefined;
    if (record) keep(index, record);
  }
  const open = [...photos].filter(({ name }) => journal.step(name)?.state === 'sent');
  if (open.length === 0 || (await journal.mayRepeat())) return found;
  const listed = await listOfSession(options);
  for (const photo of open) {
    const { name, path } = photo;
    const index = photos.indexOf(photo);
    const content = contentOf(name);
    const { verification, photoId } =
      listed && content
        ? verifyContent(listed, { content, reencoded: false })
        : { verification: 'unknown', photoId: null };
    const record = listed?.find(({ id }) => id === photoId);
    if (record && content) {
      journal.done(name, record, content);
      keep(index, record);
    } else if (verification === 'unknown') {
      const filename = content?.filename ?? basename(path);
      found.set(index, {
        result: { status: 'failed', filename, error: unknownOutcomeError() },
        content,
      });
    }
  }
  return found;
}

/** Undefined where the server doesn't list them. */
async function listOfSession({
  client,
  carId,
  sessionId,
}: SendOptions): Promise<RecordFor<'carPhotos'>[] | undefined> {
  const listed = await gather(client.carPhotos.all(carId)).catch((error: unknown) => {
    if (!(error instanceof CarStorageError)) throw error;
  });
  return listed?.filter(
    (photo) => !sessionId || !photo.sessionId || isSameId(photo.sessionId, sessionId),
  );
}

const unknownOutcomeError = (): CliError =>
  new CliError({
    code: 'outcome_unknown',
    message:
      "it was sent without an answer, and the server doesn't show enough of its photos to tell whether it is stored",
  });

async function sendLeft(options: SendOptions, left: readonly number[]): Promise<Map<number, Sent>> {
  const { client, carId, sessionId, photos, filename, parallel = 1, photoField, journal } = options;
  const { onProgress, signal } = options;
  const indexOf = (position: number) => left[position] as number;
  const files = left.map((index) => photos[index] as (typeof photos)[number]);
  const prepared = new Map<number, PreparedFacts>();
  /** One photo is decoded at a time: two at once take 40 MB more, measured. */
  let turn: Promise<unknown> = Promise.resolve();
  const results = await uploadPhotos({
    client,
    carId,
    sessionId,
    concurrency: parallel,
    base64Field: photoField,
    photos: files.map(({ path, sha256: expectedSha256 }, position) => ({
      filename: filename ?? basename(path),
      load: async () => {
        // A file that changed since the command began isn't the photo that was meant.
        const made = turn.then(() => preparePhoto(path, { ...options, expectedSha256 }));
        turn = made.catch(() => {});
        const { bytes, ...facts } = await made;
        prepared.set(position, facts);
        return { bytes, filename: filename ?? facts.filename, contentType: facts.contentType };
      },
    })),
    send: async ({ photo, index: position, create }) => {
      const content = contentOf(prepared.get(position) as PreparedFacts, photo.filename);
      const { name } = files[position] as (typeof files)[number];
      journal.begin(name, content);
      const record = await create(journal.key(name)).catch((error: unknown) => {
        if (!isUncertain(error) && !signal?.aborted) journal.refused(name);
        throw error;
      });
      journal.done(name, record, content);
      return record;
    },
    onProgress: ({ index: position, phase }) =>
      onProgress?.({
        name: (files[position] as (typeof files)[number]).name,
        phase: phase === 'loading' ? 'preparing' : phase,
        prepared: prepared.get(position),
      }),
    signal,
  });
  // No result of a photo: it may be stored, and no other one can be sent.
  for (const result of results)
    if (result.status !== 'stored' && result.error instanceof Unnoted) throw result.error;
  return new Map(
    results.map((result, position) => {
      const facts = prepared.get(position);
      return [indexOf(position), { result, prepared: facts, content: facts }];
    }),
  );
}

export const contentOf = (
  { sizeBytes, sha256, filename }: PreparedFacts,
  name = filename,
): SentContent => ({ filename: name, sizeBytes, sha256 });
