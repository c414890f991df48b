/** Sends photo files to a car and tells of each what became of it. Whoever sends photos does it here. */
import { basename } from 'node:path';
import type { Client } from '../../../client/client.ts';
import { uploadPhotos } from '../../../client/photos.ts';
import { outcomeOf, type PhotoOutcome, type PreparedFacts } from './outcome.ts';
import { type PhotoOptions, type PreparedPhoto, preparePhoto } from './prepare.ts';

export interface SendingProgress {
  /** Its place among the files. */
  readonly index: number;
  readonly phase: 'preparing' | 'sending' | 'stored' | 'failed';
  /** From `sending` on. */
  readonly prepared?: PreparedFacts;
  /** Once it is stored: the file before it whose photo it is. */
  readonly sameAs?: string;
}

export interface SendOptions extends PhotoOptions {
  readonly client: Client;
  readonly carId: string;
  readonly sessionId?: string | null;
  /** Absolute paths, as `findPhotos` gives them. */
  readonly files: readonly string[];
  readonly onProgress?: (progress: SendingProgress) => void;
  readonly signal?: AbortSignal;
}

/**
 * One after the other, so that they are stored in their order and what is shown stays readable; the next is made ready while one is sent.
 * Never throws for a photo: one that fails keeps no other from being sent, and the outcomes, in the order given, tell.
 */
export async function sendPhotos(options: SendOptions): Promise<PhotoOutcome[]> {
  const { client, carId, sessionId, files, onProgress, signal } = options;
  const ready = new Map<number, PreparedFacts>();
  const load = readAhead(files, (file) => preparePhoto(file, options));
  const copies = new Map<number, string>();
  const firsts = new Map<string, string>();
  const results = await uploadPhotos({
    client,
    carId,
    sessionId,
    concurrency: 1,
    photos: files.map((file, index) => ({
      filename: basename(file),
      load: async () => {
        const { bytes, ...facts } = await load(index);
        ready.set(index, facts);
        return { bytes, filename: facts.filename, contentType: facts.contentType };
      },
    })),
    onProgress: ({ index, phase, record }) => {
      const first = record && firsts.get(record.id);
      if (first !== undefined) copies.set(index, first);
      else if (record) firsts.set(record.id, files[index] as string);
      onProgress?.({ index, phase: phase === 'loading' ? 'preparing' : phase, prepared: ready.get(index), sameAs: first });
    },
    signal,
  });
  return results.map((result, index) =>
    outcomeOf(files[index] as string, result, { prepared: ready.get(index), sameAs: copies.get(index) }),
  );
}

/** Makes the next one ready while the one before is in use; never more than two are held. */
function readAhead(files: readonly string[], make: (file: string) => Promise<PreparedPhoto>): (index: number) => Promise<PreparedPhoto> {
  const made = new Map<number, Promise<PreparedPhoto>>();
  const start = (index: number): Promise<PreparedPhoto> => {
    const begun = make(files[index] as string);
    // Told when its turn comes; until then a failure is nobody's to catch.
    begun.catch(() => {});
    made.set(index, begun);
    return begun;
  };
  return async (index) => {
    const own = made.get(index) ?? start(index);
    made.delete(index);
    try {
      return await own;
    } finally {
      if (index + 1 < files.length) start(index + 1);
    }
  };
}
