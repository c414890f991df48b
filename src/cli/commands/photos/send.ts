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
import type { PhotoUploadResult } from '../counter/shape.ts';
import type { PhotoOptions } from './photo-file.ts';
import { preparePhoto } from './prepare.ts';
import { type PreparedFacts, toPhotoUploadResult } from './upload-result.ts';
import { type SentContent, verifyContent } from './verify.ts';

export interface PhotoProgress {
  /** Index of the file. */
  readonly index: number;
  readonly phase: 'preparing' | 'sending' | 'stored' | 'failed';
  /** Once it was prepared. */
  readonly prepared?: PreparedFacts | undefined;
  /** Once it is stored: another file with the same bytes. */
  readonly sameAs?: string;
}

/** What the journal of the work tells of its photos, by their index, and is told. */
export interface PhotoSteps {
  /** The answer of an earlier run. */
  stored(index: number): RecordFor<'carPhotos'> | undefined;
  /** What was sent. */
  content(index: number): SentContent | undefined;
  /** Whether an earlier run sent it without an answer. */
  isSent(index: number): boolean;
  /** Of the file when the work began. */
  sha256(index: number): string | undefined;
  /** Whether the server recognises a photo that is sent again by its key. */
  mayRepeat(): Promise<boolean>;
  key(index: number): string;
  begin(index: number, content: SentContent): void;
  refused(index: number): void;
  done(index: number, answer: RecordFor<'carPhotos'>, content: SentContent): void;
}

export interface SentPhoto {
  readonly upload: PhotoUploadResult;
  /** Undefined if it wasn't prepared. */
  readonly content: SentContent | undefined;
}

export interface SendOptions extends PhotoOptions {
  readonly client: Client;
  readonly journal: PhotoSteps;
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
 * Photos that an earlier run stored aren't sent again, and files with the same bytes
 * are sent once. Never throws for a photo: the results hold the failures.
 */
export async function sendPhotos(options: SendOptions): Promise<SentPhoto[]> {
  const { files, photoField, journal, onProgress } = options;
  const hashes = files.map((_, index) => journal.sha256(index));
  const firstWith = (index: number) =>
    hashes[index] === undefined ? index : hashes.indexOf(hashes[index]);
  const sent = await findEarlier(options);
  const left = [...files.keys()].filter((index) => !sent.has(index) && firstWith(index) === index);
  for (const [index, one] of await sendLeft(options, left)) sent.set(index, one);
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

/** What became of the photos that an earlier run sent. Those without an answer are looked up once, where the server knows no keys. */
async function findEarlier(options: SendOptions): Promise<Map<number, Sent>> {
  const { files, journal } = options;
  const found = new Map<number, Sent>();
  const keep = (index: number, record: RecordFor<'carPhotos'>) => {
    const content = journal.content(index);
    const filename = record.filename ?? content?.filename ?? basename(files[index] as string);
    found.set(index, { result: { status: 'stored', filename, record }, content });
  };
  for (const index of files.keys()) {
    const record = journal.stored(index);
    if (record) keep(index, record);
  }
  const open = [...files.keys()].filter((index) => journal.isSent(index));
  if (open.length === 0 || (await journal.mayRepeat())) return found;
  const listed = await listOfSession(options);
  for (const index of open) {
    const content = journal.content(index);
    const { verification, photoId } =
      listed && content
        ? verifyContent(listed, { content, reencoded: false })
        : { verification: 'unknown', photoId: null };
    const record = listed?.find(({ id }) => id === photoId);
    if (record && content) {
      journal.done(index, record, content);
      keep(index, record);
    } else if (verification === 'unknown') {
      const filename = content?.filename ?? basename(files[index] as string);
      found.set(index, { result: { status: 'failed', filename, error: untold() }, content });
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

const untold = (): CliError =>
  new CliError({
    code: 'outcome_unknown',
    message:
      "it was sent without an answer, and the server doesn't show enough of its photos to tell whether it is stored",
  });

async function sendLeft(options: SendOptions, left: readonly number[]): Promise<Map<number, Sent>> {
  const { client, carId, sessionId, files, filename, parallel = 1, photoField, journal } = options;
  const { onProgress, signal } = options;
  const indexOf = (position: number) => left[position] as number;
  const fileOf = (position: number) => files[indexOf(position)] as string;
  const prepared = new Map<number, PreparedFacts>();
  /** One photo is decoded at a time: two at once take 40 MB more, measured. */
  let turn: Promise<unknown> = Promise.resolve();
  const results = await uploadPhotos({
    client,
    carId,
    sessionId,
    concurrency: parallel,
    base64Field: photoField,
    photos: left.map((_, position) => ({
      filename: filename ?? basename(fileOf(position)),
      load: async () => {
        // A file that changed since the command began isn't the photo that was meant.
        const expectedSha256 = journal.sha256(indexOf(position));
        const made = turn.then(() =>
          preparePhoto(fileOf(position), { ...options, expectedSha256 }),
        );
        turn = made.catch(() => {});
        const { bytes, ...facts } = await made;
        prepared.set(position, facts);
        return { bytes, filename: filename ?? facts.filename, contentType: facts.contentType };
      },
    })),
    send: async ({ photo, index: position, create }) => {
      const content = contentOf(prepared.get(position) as PreparedFacts, photo.filename);
      const index = indexOf(position);
      journal.begin(index, content);
      const record = await create(journal.key(index)).catch((error: unknown) => {
        if (!isUncertain(error) && !signal?.aborted) journal.refused(index);
        throw error;
      });
      journal.done(index, record, content);
      return record;
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
