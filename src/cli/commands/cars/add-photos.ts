/** `cs cars photos add`: sends the files, and prints a line for each. */
import { basename } from 'node:path';
import type { Context } from '../../framework/context.ts';
import { connectionFlags } from '../../framework/next-command.ts';
import { showOutcomes } from '../../output/outcomes.ts';
import { ignoreKeys } from '../../terminal/keyboard.ts';
import { startSpinner } from '../../terminal/spinner.ts';
import { pluralize, shortPath } from '../../terminal/text.ts';
import type { PhotoUploadResult } from '../counter/shape.ts';
import type { Journal, Journaled, Performed } from '../journal/journal.ts';
import type { PhotoOptions } from '../photos/photo-file.ts';
import { type PhotoProgress, sendPhotos } from '../photos/send.ts';
import { couldStillBeStored, describeUpload, missingPhotosError } from '../photos/upload-result.ts';
import { addedView } from '../photos/view.ts';

interface PhotosPlan extends Omit<PhotoOptions, 'photoField'> {
  readonly carId: string;
  /** As it was typed. */
  readonly car: string;
  readonly sessionId?: string;
  /** Absolute paths. */
  readonly files: readonly string[];
  /** Replaces the name of a single file. */
  readonly filename?: string;
}

export const journaledPhotos: Journaled<PhotosPlan, PhotoUploadResult[]> = {
  command: 'photos',
  what: ({ car, files }) => `upload of ${pluralize(files.length, 'photo', 'photos')} for ${car}`,
  files: ({ files }) => files,
  perform: addPhotos,
};

async function addPhotos(context: Context, plan: PhotosPlan, journal: Journal): Promise<Performed<PhotoUploadResult[]>> {
  const { files } = plan;
  const client = await context.client();
  // Before keys are ignored: it may prompt.
  await context.writes.permit();
  const spinner = await startSpinner(context, `Sending ${pluralize(files.length, 'photo', 'photos')}`);
  let done = 0;
  const onProgress = ({ index, phase }: PhotoProgress) => {
    if (phase === 'stored' || phase === 'failed') done += 1;
    spinner.text(`${done} of ${files.length} · ${basename(files[index] ?? '')}`);
  };
  const options = { ...plan, photoField: context.settings.photoField };
  const sending = () => sendPhotos({ ...options, client, journal, onProgress, signal: context.io.signal });
  const photos = await ignoreKeys(context, sending).finally(() => spinner.stop());
  const failure = missingPhotosError(context.io, {
    photos,
    carId: plan.carId,
    sessionId: plan.sessionId,
    options,
    globalFlags: connectionFlags(context),
    resume: journal.steps.resume,
  });
  return { result: photos, failure, open: photos.some(couldStillBeStored), print: () => print(context, photos) };
}

async function print(context: Context, photos: readonly PhotoUploadResult[]): Promise<void> {
  const lines = photos.map((photo) =>
    photo.photoId !== null && photo.sameAs === null
      ? `photo ${photo.photoId} added  ${photo.filename}`
      : `${shortPath(context.io.cwd, photo.file)}  ${describeUpload(photo)}`,
  );
  const stored = photos.filter(({ photoId, sameAs }) => photoId !== null && sameAs === null);
  const shown = context.output.format === 'id' ? stored.map(({ photoId }) => ({ id: photoId })) : photos;
  await showOutcomes(context.output, { view: addedView, outcomes: shown, lines });
}
