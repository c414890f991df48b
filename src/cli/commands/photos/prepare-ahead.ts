/** Prepares photos while the person answers questions, so that only their upload is left after the approval. Nothing is written to the disk. */
import type { Context } from '../../context.ts';
import type { Io } from '../../terminal/io.ts';
import type { Run } from '../../terminal/run.ts';
import { photoSummary } from './describe.ts';
import type { PhotoFacts, PhotoOptions } from './photo-file.ts';
import { PhotoFileError } from './photo-file-error.ts';
import { type PreparedPhoto, preparePhoto } from './prepare.ts';
import { withShortPath } from './read.ts';

/** Prepared photos wait in memory: these take 50 MB at most. */
const mostWaiting = 16;

interface PhotosAhead {
  add(photos: readonly PhotoFacts[], options: PhotoOptions): void;
  /** The photo if it was begun, and no longer kept here. Ends the work on others: the upload prepares them itself. */
  take(path: string): Promise<PreparedPhoto> | undefined;
  /** The photos among these that are known to fail. */
  failures(photos: readonly PhotoFacts[]): PhotoFileError[];
}

const ofRun = new WeakMap<Run, PhotosAhead>();

/** Begins with photos that were chosen, in their order. In a script they are sent at once. */
export function prepareAhead(
  { io, interactive }: Pick<Context, 'io' | 'interactive'>,
  photos: readonly PhotoFacts[],
  options: PhotoOptions,
): void {
  if (!interactive) return;
  const known = ofRun.get(io.run) ?? createPhotosAhead(io);
  ofRun.set(io.run, known);
  known.add(photos, options);
}

/** The lines of a summary: what the photos are, and those that are known by now to fail. */
export function summarizePhotos(
  { io }: Pick<Context, 'io'>,
  photos: readonly PhotoFacts[],
  options: PhotoOptions,
): string[] {
  const failures = ofRun.get(io.run)?.failures(photos) ?? [];
  return [
    photoSummary(photos, options),
    ...failures.map((failure) => `✗ ${withShortPath(failure, io.cwd)}: ${failure.hint}`),
  ];
}

/** `preparePhoto`, with what is prepared already. */
export const takePrepared =
  ({ run }: Pick<Io, 'run'>): typeof preparePhoto =>
  async (path, options = {}) => {
    const prepared = await ofRun
      .get(run)
      ?.take(path)
      ?.catch(() => undefined);
    const { expectedSha256 } = options;
    // The file may have changed since then.
    const isMeant = expectedSha256 === undefined || prepared?.originalSha256 === expectedSha256;
    return prepared && isMeant ? prepared : preparePhoto(path, options);
  };

function createPhotosAhead({ run, signal }: Io): PhotosAhead {
  const started = new Map<string, Promise<PreparedPhoto>>();
  const failed = new Map<string, PhotoFileError>();
  let waiting: { readonly path: string; readonly options: PhotoOptions }[] = [];
  let isBusy = false;
  const stop = () => {
    waiting = [];
  };
  run.stopBackground = stop;

  /** One at a time: the person types meanwhile. */
  async function work(): Promise<void> {
    if (isBusy) return;
    isBusy = true;
    while (!signal.aborted && started.size < mostWaiting) {
      const next = waiting.shift();
      if (!next) break;
      const preparing = preparePhoto(next.path, next.options);
      started.set(next.path, preparing);
      await preparing.catch((error: unknown) => {
        if (error instanceof PhotoFileError) failed.set(next.path, error);
      });
    }
    isBusy = false;
  }

  return {
    add(photos, options) {
      const isKnown = (path: string) =>
        started.has(path) || waiting.some((one) => one.path === path);
      waiting.push(
        ...photos.filter(({ path }) => !isKnown(path)).map(({ path }) => ({ path, options })),
      );
      void work();
    },
    take(path) {
      stop();
      const prepared = started.get(path);
      started.delete(path);
      return prepared;
    },
    failures: (photos) => photos.flatMap(({ path }) => failed.get(path) ?? []),
  };
}
