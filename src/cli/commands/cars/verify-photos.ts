/** `cs cars photos verify`: compares files with the photos of a car, as `cs cars photos add` would have sent them. */
import { basename } from 'node:path';
import type { Context } from '../../context.ts';
import { CliError } from '../../errors/exit.ts';
import { reportOf } from '../../errors/report.ts';
import { showOutcomes } from '../../output/outcomes.ts';
import { gather } from '../../resources/methods.ts';
import { startSpinner } from '../../terminal/spinner.ts';
import { pluralize, shortPath } from '../../terminal/text.ts';
import type { PhotoOptions } from '../photos/photo-file.ts';
import { preparePhoto } from '../photos/prepare.ts';
import { contentOf } from '../photos/send.ts';
import { unverifiedError, verifiedWords, verifyContent } from '../photos/verify.ts';
import { type CheckedPhoto, checkedView } from '../photos/view.ts';

interface Check extends Omit<PhotoOptions, 'photoField'> {
  readonly carId: string;
  readonly sessionId?: string | undefined;
  /** Absolute paths. */
  readonly files: readonly string[];
}

export async function verifyPhotos(
  context: Context,
  { carId, sessionId, files, ...options }: Check,
): Promise<void> {
  const client = await context.client();
  // A server may not tell the session of a photo.
  const photos = (await gather(client.carPhotos.all(carId))).filter(
    (photo) =>
      sessionId === undefined || photo.sessionId === undefined || photo.sessionId === sessionId,
  );
  const total = pluralize(files.length, 'photo', 'photos');
  const spinner = await startSpinner(context, `Comparing ${total} with those of the server`);
  const compare = async (file: string): Promise<CheckedPhoto> => {
    context.io.signal.throwIfAborted();
    try {
      const { bytes: _, ...facts } = await preparePhoto(file, options);
      const { verification: verified, photoId } = verifyContent(photos, {
        content: contentOf(facts),
        reencoded: facts.shrunk,
      });
      return { file, filename: facts.filename, verified, photoId, error: null };
    } catch (cause) {
      const { code, message, exitCode } = reportOf(cause);
      const error = { code, message, exitCode };
      return { file, filename: basename(file), verified: null, photoId: null, error };
    } finally {
      spinner.text(`Compared ${checked.length + 1} of ${total}`);
    }
  };
  const checked: CheckedPhoto[] = [];
  try {
    for (const file of files) checked.push(await compare(file));
  } finally {
    spinner.stop();
  }
  const lines = checked.map(
    ({ file, verified, error }) =>
      `${shortPath(context.io.cwd, file)}  ${error ? error.message : verified && verifiedWords[verified]}`,
  );
  await showOutcomes(context.output, { view: checkedView, outcomes: checked, lines });
  const failure = unverifiedError(context, checked, { exitCode: 12 }) ?? unreadableError(checked);
  if (failure) throw failure;
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
