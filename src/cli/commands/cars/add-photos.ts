/** `cs cars photos add`: sends the files, verifies them where asked, and prints a line for each. */
import { basename } from 'node:path';
import { CarStorageError } from '../../../client/errors.ts';
import type { Context } from '../../context.ts';
import { CliError } from '../../errors/exit.ts';
import { exitCodeOf } from '../../errors/report.ts';
import { connectionFlags } from '../../framework/next-command.ts';
import { showOutcomes } from '../../output/outcomes.ts';
import { gather } from '../../resources/methods.ts';
import { ignoreKeys } from '../../terminal/keyboard.ts';
import { startSpinner } from '../../terminal/spinner.ts';
import { pluralize, shortPath } from '../../terminal/text.ts';
import { photoStep } from '../journal/describe.ts';
import type { Journal, Journaled, Performed } from '../journal/journal.ts';
import { removeStored } from '../photos/phone-folder.ts';
import type { PhotoOptions } from '../photos/photo-file.ts';
import { type PhotoProgress, type SentPhoto, sendPhotos } from '../photos/send.ts';
import type { AddedPhoto } from '../photos/shape.ts';
import { startUploadProgress } from '../photos/upload-progress.ts';
import {
  couldStillBeStored,
  describeUpload,
  missingPhotosError,
  warnOfDifferences,
} from '../photos/upload-result.ts';
import { isSame, unverifiedError, verifiedWords, verifyStored } from '../photos/verify.ts';
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
  /** Number of parallel uploads. */
  readonly parallel?: number;
  /** Compare the server's photos with what was sent. */
  readonly verify?: boolean;
}

const parallelUploads = 4;

export const journaledPhotos: Journaled<PhotosPlan, AddedPhoto[]> = {
  command: 'photos',
  what: ({ car, files }) => `upload of ${pluralize(files.length, 'photo', 'photos')} for ${car}`,
  files: ({ files }) => files,
  requests: () => [],
  addFiles: async (_context, plan, found) => ({ ...plan, files: [...plan.files, ...found] }),
  perform: addPhotos,
};

async function addPhotos(
  context: Context,
  plan: PhotosPlan,
  journal: Journal,
): Promise<Performed<AddedPhoto[]>> {
  const { carId, sessionId, verify: isVerified = false } = plan;
  // Before keys are ignored: it may prompt.
  await context.writes.permit();
  const { photos, unlisted } = await ignoreKeys(context, async () =>
    verify(context, plan, await send(context, plan, journal)),
  );
  warnOfDifferences(context, photos);
  await removeStored(
    context,
    photos.filter(isConfirmed).map(({ file }) => file),
  );
  const { resume } = journal.steps;
  const missing = missingPhotosError(context.io, {
    photos,
    carId,
    sessionId,
    options: { ...plan, photoField: context.settings.photoField },
    globalFlags: connectionFlags(context),
    resume,
    verify: isVerified,
  });
  const isStopped = context.io.signal.aborted && isVerified;
  const unverified = isStopped
    ? new CliError({
        code: 'interrupted',
        message: 'Stopped. The photos are stored, and not verified.',
        hint: resume && `go on with \`${resume}\``,
        exitCode: exitCodeOf(context.io.signal.reason),
      })
    : unverifiedError(context, photos, { exitCode: 11, reason: unlisted });
  return {
    result: photos,
    failure: missing ?? unverified,
    // What could still be stored or compared.
    open: photos.some(couldStillBeStored) || isStopped || unlisted !== undefined,
    print: () => print(context, photos),
  };
}

async function send(context: Context, plan: PhotosPlan, journal: Journal): Promise<SentPhoto[]> {
  const { files, parallel = parallelUploads } = plan;
  const { io } = context;
  const left = [...files.keys()].filter(
    (index) => journal.steps.answer(photoStep(index)) === undefined,
  );
  const sizeOf = (index: number) => journal.files.get(files[index] as string)?.sizeBytes ?? 0;
  const progress = startUploadProgress(left.map(sizeOf), () => io.now().getTime());
  const client = await context.client();
  const spinner = await startSpinner(context, progress.text());
  const onProgress = ({ index, phase, prepared }: PhotoProgress) => {
    const position = left.indexOf(index);
    if (prepared && phase === 'sending') progress.prepared(position, prepared.sizeBytes);
    else if (phase === 'stored' || phase === 'failed') progress.ended(position);
    spinner.text(progress.text());
  };
  const { photoField } = context.settings;
  const options = { ...plan, parallel, photoField, client, journal, onProgress, signal: io.signal };
  const sent = await sendPhotos(options).finally(() => spinner.stop());
  if (spinner.isShown && sent.every(({ upload }) => upload.status === 'stored'))
    context.note(progress.summary());
  return sent;
}

/** `unlisted`: why the server's photos couldn't be listed. */
async function verify(
  context: Context,
  { verify: isAsked, carId }: PhotosPlan,
  sent: readonly SentPhoto[],
): Promise<{ readonly photos: AddedPhoto[]; readonly unlisted?: string }> {
  const stored = sent.filter(({ upload }) => upload.photoId !== null).length;
  if (!isAsked || stored === 0 || context.io.signal.aborted)
    return { photos: sent.map(({ upload }) => ({ ...upload, verified: null })) };
  const spinner = await startSpinner(
    context,
    `Comparing ${pluralize(stored, 'photo', 'photos')} with those of the server`,
  );
  const client = await context.client();
  const listed = await gather(client.carPhotos.all(carId))
    .catch((error: unknown) => {
      if (error instanceof CarStorageError) return error;
      throw error;
    })
    .finally(() => spinner.stop());
  if (listed instanceof CarStorageError)
    return {
      photos: sent.map(({ upload }) => ({
        ...upload,
        verified: upload.photoId === null ? null : 'unknown',
      })),
      unlisted: listed.message,
    };
  const photos = sent.map(({ upload, content }): AddedPhoto => {
    const { photoId: id, filename, sameAs } = upload;
    // A photo that two files share has the name of the first.
    const name = sameAs === null ? filename : basename(sameAs);
    const shown = content && { ...content, filename: name };
    return {
      ...upload,
      verified: id === null ? null : verifyStored(listed, { id, content: shown }),
    };
  });
  return { photos };
}

/** By its answer, and by the comparison if there was one. */
const isConfirmed = ({ status, verified, differs }: AddedPhoto): boolean =>
  status === 'stored' && (verified === null ? differs === undefined : isSame(verified));

async function print(context: Context, photos: readonly AddedPhoto[]): Promise<void> {
  const isNew = ({ photoId, sameAs }: AddedPhoto) => photoId !== null && sameAs === null;
  const lines = photos.map((photo) => {
    const text = isNew(photo)
      ? `photo ${photo.photoId} added  ${photo.filename}`
      : `${shortPath(context.io.cwd, photo.file)}  ${describeUpload(photo)}`;
    return photo.verified === null ? text : `${text}  ${verifiedWords[photo.verified]}`;
  });
  const shown =
    context.output.format === 'id'
      ? photos.filter(isNew).map(({ photoId }) => ({ id: photoId }))
      : photos;
  await showOutcomes(context.output, { view: addedView, outcomes: shown, lines });
}
