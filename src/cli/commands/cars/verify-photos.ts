/** `cs cars photos verify`: compares files with the photos of a car, as `cs cars photos add` would have sent them. */
import { basename } from 'node:path';
import type { Context } from '../../context.ts';
import { CliError } from '../../errors/exit.ts';
import { reportOf } from '../../errors/report.ts';
import { showOutcomes } from '../../output/outcomes.ts';
import { startSpinner } from '../../terminal/spinner.ts';
import { pluralize, shortPath } from '../../terminal/text.ts';
import { mapParallel } from '../files/parallel.ts';
import {
  describeAfterwards,
  moveConfirmed,
  noteWeakProof,
  unmoved,
  unmovedError,
  unverifiedError,
} from '../photos/afterwards.ts';
import type { PhotoOptions } from '../photos/photo-file.ts';
import { preparePhoto } from '../photos/prepare.ts';
import { contentOf } from '../photos/send.ts';
import { atOnce } from '../photos/shrink.ts';
import { listPhotos, verifyContent } from '../photos/verify.ts';
import { type CheckedPhoto, checkedView } from '../photos/view.ts';

interface Check extends Omit<PhotoOptions, 'photoField'> {
  readonly carId: string;
  readonly sessionId?: string | undefined;
  /** Absolute paths. */
  readonly files: readonly string[];
  /** Where each file is moved to if the server has these bytes (default: nowhere). */
  readonly targets?: readonly string[] | undefined;
}

export async function verifyPhotos(
  context: Context,
  { carId, sessionId, files, targets, ...options }: Check,
): Promise<void> {
  const listed = await listPhotos(await context.client(), carId);
  if ('reason' in listed) throw listed.cause;
  // A server may not tell the session of a photo.
  const photos = listed.filter(
    (photo) =>
      sessionId === undefined || photo.sessionId === undefined || photo.sessionId === sessionId,
  );
  const spinner = await startSpinner(
    context,
    `Comparing ${pluralize(files.length, 'photo', 'photos')} with those of the server`,
  );
  let count = 0;
  const compare = async (file: string) => {
    context.io.signal.throwIfAborted();
    const compared = await compareFile(file, photos, options);
    spinner.text(`Compared ${++count} of ${pluralize(files.length, 'photo', 'photos')}`);
    return compared;
  };
  const compared = await mapParallel(files, atOnce, compare).finally(() => spinner.stop());
  const movable = compared.map(({ checked: { file, verified }, sha256 }) => ({
    file,
    sha256,
    isConfirmed: verified === 'same_bytes',
  }));
  const placed = targets ? await moveConfirmed(context, movable, targets) : [];
  const checked = compared.map((one, index) => ({ ...one.checked, ...placed[index] }));
  const lines = checked.map((photo) => {
    const words = photo.error ? photo.error.message : describeAfterwards(context, photo);
    return `${shortPath(context.io.cwd, photo.file)}  ${words}`;
  });
  await showOutcomes(context.output, { view: checkedView, outcomes: checked, lines });
  noteWeakProof(context, checked);
  const stayed = checked.filter(
    ({ verified, notMoved }) => verified === 'same_bytes' && notMoved !== null,
  );
  const failure =
    unverifiedError(context, checked, { exitCode: 12 }) ??
    unreadableError(checked) ??
    unmovedError(context, stayed, undefined);
  if (failure) throw failure;
}

async function compareFile(
  file: string,
  photos: Parameters<typeof verifyContent>[0],
  options: PhotoOptions,
): Promise<{ readonly checked: CheckedPhoto; readonly sha256: string }> {
  try {
    const { bytes: _, ...facts } = await preparePhoto(file, options);
    const { verification, photoId } = verifyContent(photos, {
      content: contentOf(facts),
      reencoded: facts.shrunk,
    });
    return {
      checked: {
        file,
        filename: facts.filename,
        verified: verification,
        photoId,
        error: null,
        ...unmoved,
      },
      sha256: facts.originalSha256,
    };
  } catch (cause) {
    const { code, message, exitCode } = reportOf(cause);
    return {
      checked: {
        file,
        filename: basename(file),
        verified: null,
        photoId: null,
        error: { code, message, exitCode },
        ...unmoved,
      },
      sha256: '',
    };
  }
}

function unreadableError(photos: readonly CheckedPhoto[]): CliError | undefined {
  const [first, ...others] = photos.flatMap(({ error }) => error ?? []);
  if (!first) return undefined;
  const more = others.length > 0 ? ` (and ${others.length} more)` : '';
  return new CliError({
    code: 'partial',
    message: `${pluralize(others.length + 1, 'file', 'files')} not compared. ${first.message}${more}.`,
    hint: 'fix the files or leave them out, then run the command again',
    exitCode: 12,
  });
}
