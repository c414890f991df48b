/** The photos of a drop-off, looked at before anything is stored. */
import { photoLimit } from '../../../contract/cars.ts';
import type { Context } from '../../command.ts';
import { CliError } from '../../exit.ts';
import { type PhotoFacts, readFacts } from '../../photos/facts.ts';
import { findPhotos } from '../../photos/find.ts';
import { damaged, readPhoto } from '../../photos/photo-file.ts';
import { PhotoFileError } from '../../photos/photo-file-error.ts';
import { isWhole } from '../../photos/photo-type.ts';
import { preparePhoto } from '../../photos/prepare.ts';
import type { PhotoOptions } from './plan.ts';

/**
 * What the patterns name, each photo whole and known to fit or to be shrinkable.
 * Fails with the PhotoFileError of the one that cannot be sent, or with a CliError that lists several.
 */
export async function readPhotos({ io }: Pick<Context, 'io'>, patterns: readonly string[], options: PhotoOptions): Promise<PhotoFacts[]> {
  const photos: PhotoFacts[] = [];
  const problems: PhotoFileError[] = [];
  // One at a time: each is read in full, and there may be dozens.
  for (const path of await findPhotos(patterns, io)) {
    io.signal.throwIfAborted();
    try {
      photos.push(await examine(path, options));
    } catch (error) {
      if (!(error instanceof PhotoFileError)) throw error;
      problems.push(error);
    }
  }
  const [only, second] = problems;
  if (only && second) throw several(problems);
  if (only) throw only;
  return photos;
}

async function examine(path: string, options: PhotoOptions): Promise<PhotoFacts> {
  const facts = await readFacts(path);
  const { bytes, type } = await readPhoto(path);
  if (!isWhole(bytes, type)) throw damaged(path);
  // JPEG and PNG can always be made to fit. The others are tried, since a failure found later would leave the event without its photo.
  const sure = type === 'image/jpeg' || type === 'image/png';
  const above = facts.sizeBytes > photoLimit;
  if (above ? !sure || options.resize === false : !sure && facts.hasLocation && !options.keepLocation) await preparePhoto(path, options);
  return facts;
}

function several(problems: readonly PhotoFileError[]): CliError {
  return new CliError({
    code: 'photos_unusable',
    message: `${problems.length} files cannot be sent as photos. Nothing was stored.`,
    hint: 'leave them out, or put them right and run the command again',
    details: { issues: problems.map(({ message, reason }) => ({ path: 'photo', rule: reason, message })) },
    exitCode: 3,
  });
}

/** Whether a photo will be encoded anew, as far as its size tells. */
export const willShrink = ({ sizeBytes }: PhotoFacts, { resize = true }: PhotoOptions): boolean => resize && sizeBytes > photoLimit;
