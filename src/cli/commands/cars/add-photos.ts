/** `cs cars photos add`: sends the files, verifies and moves them where asked, and prints a line for each. */
import { basename, dirname, join } from 'node:path';
import type { Context } from '../../context.ts';
import { CliError } from '../../errors/exit.ts';
import { exitCodeOf } from '../../errors/report.ts';
import { connectionFlags } from '../../framework/next-command.ts';
import { showOutcomes } from '../../output/outcomes.ts';
import { ignoreKeys } from '../../terminal/keyboard.ts';
import { startSpinner } from '../../terminal/spinner.ts';
import { pluralize, shortPath } from '../../terminal/text.ts';
import { photoStep } from '../journal/describe.ts';
import type { Journal, Journaled, Performed } from '../journal/journal.ts';
import {
  describeAfterwards,
  moveConfirmed,
  noteWeakProof,
  unmoved,
  unmovedError,
  unverifiedError,
} from '../photos/afterwards.ts';
import { isOver } from '../photos/move.ts';
import { removeStored } from '../photos/phone-folder.ts';
import type { PhotoOptions } from '../photos/photo-file.ts';
import { takePrepared } from '../photos/prepare-ahead.ts';
import { type PhotoProgress, type SentPhoto, sendPhotos } from '../photos/send.ts';
import type { AddedPhoto } from '../photos/shape.ts';
import { startUploadProgress } from '../photos/upload-progress.ts';
import {
  couldStillBeStored,
  describeUpload,
  missingPhotosError,
  warnOfDifferences,
} from '../photos/upload-result.ts';
import { isSame, listPhotos, type Verification, verifyStored } from '../photos/verify.ts';
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
  /** The absolute path of the folder that takes the files once they are stored (default: they stay). */
  readonly moveTo?: string | undefined;
  /** Where each file goes in that folder. */
  readonly targets?: readonly string[] | undefined;
}

export const parallelUploads = 4;

export const journaledPhotos: Journaled<PhotosPlan, AddedPhoto[]> = {
  command: 'photos',
  what: ({ car, files }) => `upload of ${pluralize(files.length, 'photo', 'photos')} for ${car}`,
  files: ({ files }) => files,
  requests: () => [],
  addFiles: async (_context, plan, found) => ({
    ...plan,
    files: [...plan.files, ...found.map(({ path }) => path)],
    targets: plan.targets && [
      ...plan.targets,
      ...found.map(({ relativePath }) => join(plan.moveTo ?? '', relativePath)),
    ],
  }),
  perform: addPhotos,
};

async function addPhotos(
  context: Context,
  plan: PhotosPlan,
  journal: Journal,
): Promise<Performed<AddedPhoto[]>> {
  const { carId, sessionId } = plan;
  const { signal } = context.io;
  // Before keys are ignored: it may prompt.
  await context.writes.permit();
  const { photos, reason } = await ignoreKeys(context, async () => {
    const sent = await send(context, plan, journal);
    const { verifications, reason } = await verify(context, plan, sent);
    return { photos: await move(context, plan, { sent, journal, verifications }), reason };
  });
  warnOfDifferences(context, photos);
  const { resume } = journal.steps;
  const options = { ...plan, photoField: context.settings.photoField };
  const confirmed = photos.filter((photo) => isConfirmed(photo) && photo.movedTo === null);
  if (!plan.targets)
    await removeStored(
      context,
      confirmed.map(({ file }) => file),
    );
  const missing = missingPhotosError(context.io, {
    photos,
    carId,
    sessionId,
    options,
    globalFlags: connectionFlags(context),
    resume,
    afterwards: (missing) => afterwardsFlags(context, plan, missing),
  });
  const isStopped = signal.aborted && (plan.verify === true || plan.targets !== undefined);
  const stayed = photos.filter((photo) => isConfirmed(photo) && photo.notMoved !== null);
  const afterwards = isStopped
    ? stoppedError(signal, resume)
    : (unverifiedError(context, photos, { exitCode: 11, reason }) ??
      unmovedError(context, stayed, resume));
  return {
    result: photos,
    failure: missing ?? afterwards,
    // What could still be stored, compared or moved.
    open:
      photos.some(couldStillBeStored) ||
      isStopped ||
      reason !== undefined ||
      stayed.some(({ notMoved }) => !isOver(notMoved as string)),
    print: () => print(context, photos),
  };
}

/** The flags that compare and move these files as the plan does. Files that go into several folders need a command each. */
function afterwardsFlags(
  { io }: Context,
  { files, verify, targets = [] }: PhotosPlan,
  missing: readonly string[],
): string[] {
  const folders = new Set(
    targets
      .filter((_, index) => missing.includes(files[index] as string))
      .map((target) => dirname(target)),
  );
  const [folder, second] = folders;
  return [
    ...(verify ? ['--verify'] : []),
    ...(folder !== undefined && second === undefined
      ? ['--move-to', shortPath(io.cwd, folder)]
      : []),
  ];
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
  const options = { ...plan, parallel, photoField: context.settings.photoField };
  const sent = await sendPhotos({
    ...options,
    prepare: takePrepared(io),
    client,
    journal,
    onProgress,
    signal: io.signal,
  }).finally(() => spinner.stop());
  if (spinner.isShown && sent.every(({ upload }) => upload.status === 'stored'))
    context.note(progress.summary());
  return sent;
}

/** `reason`: why the server's photos couldn't be listed. */
async function verify(
  context: Context,
  { verify: isAsked, carId, targets }: PhotosPlan,
  sent: readonly SentPhoto[],
): Promise<{ verifications: readonly (Verification | null)[]; reason?: string }> {
  const stored = sent.filter(({ upload }) => upload.photoId !== null).length;
  if (!isAsked || stored === 0 || context.io.signal.aborted)
    return {
      verifications: sent.map(({ upload }) =>
        targets && upload.differs !== undefined ? 'unknown' : null,
      ),
    };
  const spinner = await startSpinner(
    context,
    `Comparing ${pluralize(stored, 'photo', 'photos')} with those of the server`,
  );
  const listed = await listPhotos(await context.client(), carId).finally(() => spinner.stop());
  const verifications = sent.map(({ upload, content }) => {
    const { photoId, filename, sameAs } = upload;
    if (photoId === null) return null;
    if ('reason' in listed) return 'unknown';
    // A photo that two files share has the name of the first.
    const name = sameAs === null ? filename : basename(sameAs);
    return verifyStored(listed, {
      id: photoId,
      content: content && { ...content, filename: name },
    });
  });
  return { verifications, ...('reason' in listed && { reason: listed.reason }) };
}

interface ToMove {
  readonly sent: readonly SentPhoto[];
  readonly journal: Journal;
  readonly verifications: readonly (Verification | null)[];
}

async function move(
  context: Context,
  { targets }: PhotosPlan,
  { sent, journal, verifications }: ToMove,
): Promise<AddedPhoto[]> {
  const photos = sent.map(({ upload }, index) => ({
    ...upload,
    verified: verifications[index] ?? null,
    ...unmoved,
  }));
  if (!targets) return photos;
  const files = photos.map((photo) => ({
    file: photo.file,
    sha256: journal.files.get(photo.file)?.sha256 ?? '',
    isConfirmed: isConfirmed(photo),
  }));
  const moved = await moveConfirmed(context, files, targets);
  return photos.map((photo, index) => ({ ...photo, ...moved[index] }));
}

/** By its answer, and by the comparison if there was one. */
const isConfirmed = ({ status, verified, differs }: AddedPhoto): boolean =>
  status === 'stored' && (verified === null ? differs === undefined : isSame(verified));

const stoppedError = ({ reason }: AbortSignal, resume: string | undefined): CliError =>
  new CliError({
    code: 'interrupted',
    message: 'Stopped. The photos are stored; not every file was verified or moved.',
    hint: resume && `go on with \`${resume}\``,
    exitCode: exitCodeOf(reason),
  });

async function print(context: Context, photos: readonly AddedPhoto[]): Promise<void> {
  if (photos.length === 0 && context.output.forPeople)
    context.note('No photos were found. Nothing was sent.');
  const lines = photos.map((photo) => {
    const isNew = photo.photoId !== null && photo.sameAs === null;
    const text = isNew
      ? `photo ${photo.photoId} added  ${photo.filename}`
      : `${shortPath(context.io.cwd, photo.file)}  ${describeUpload(photo)}`;
    return [text, describeAfterwards(context, photo)].filter(Boolean).join('  ');
  });
  const stored = photos.filter(({ photoId, sameAs }) => photoId !== null && sameAs === null);
  const shown =
    context.output.format === 'id' ? stored.map(({ photoId }) => ({ id: photoId })) : photos;
  await showOutcomes(context.output, { view: addedView, outcomes: shown, lines });
  noteWeakProof(context, photos);
}
