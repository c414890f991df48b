/** The photos of a drop-off, looked at before anything is stored. */

import { photoLimit } from '../../../contract/cars.ts';
import type { Issue } from '../../../contract/problems.ts';
import { CliError } from '../../errors/exit.ts';
import { PhotoFileError } from '../../errors/photo-file.ts';
import type { Context } from '../../framework/context.ts';
import { type PhotoFacts, readFacts } from './facts.ts';
import { findPhotos } from './find.ts';
import { damaged, readPhoto } from './photo-file.ts';
import { isWhole } from './photo-type.ts';
import { type PhotoOptions, preparePhoto } from './prepare.ts';

/** Photos that cannot be sent: `details` tells why of each, and nothing was stored. */
export class UnusablePhotos extends CliError {
  declare readonly details: { readonly issues: readonly Issue[] };

  constructor(problems: readonly PhotoFileError[]) {
    const [only, second] = problems;
    super({
      code: only && !second ? `photo_${only.reason}` : 'photos_unusable',
      message: `${only && !second ? only.message : `${problems.length} files cannot be sent as photos`}. Nothing was stored.`,
      hint: only && !second ? only.hint : 'leave them out, or put them right and run the command again',
      details: { issues: problems.map(({ message, reason }) => ({ path: 'photo', rule: reason, message })) },
      exitCode: 3,
    });
  }
}

/** What the patterns name, each photo whole and known to fit or to be shrinkable. Fails with `UnusablePhotos`. */
export async function readPhotos({ io }: Pick<Context, 'io'>, patterns: readonly string[], options: PhotoOptions): Promise<PhotoFacts[]> {
  const photos: PhotoFacts[] = [];
  const problems: PhotoFileError[] = [];
  const keep = (error: unknown) => {
    if (!(error instanceof PhotoFileError)) throw error;
    problems.push(error);
  };
  const paths = await findPhotos(patterns, io).catch(keep);
  // One at a time: each is read in full, and there may be dozens.
  for (const path of paths ?? []) {
    io.signal.throwIfAborted();
    await examine(path, options).then((facts) => photos.push(facts), keep);
  }
  if (problems.length > 0) throw new UnusablePhotos(problems);
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
