/** Reads and checks photos before anything is stored. */
import { isAbsolute } from 'node:path';

import { photoLimit } from '../../../contract/limits.ts';
import type { Issue } from '../../../contract/problems.ts';
import type { Context } from '../../context.ts';
import { CliError } from '../../errors/exit.ts';
import { shortPath } from '../../terminal/text.ts';
import { findPhotos } from './find.ts';
import {
  damagedPhoto,
  isComplete,
  type PhotoFacts,
  type PhotoOptions,
  readFacts,
  readPhoto,
} from './photo-file.ts';
import { PhotoFileError } from './photo-file-error.ts';
import { preparePhoto } from './prepare.ts';

/** Files that can't be sent; `details` has the reason for each. */
export class InvalidPhotos extends CliError {
  declare readonly details: { readonly issues: readonly Issue[] };
  /** The others, which can be sent. */
  readonly usable: readonly PhotoFacts[];
  readonly problems: readonly PhotoFileError[];

  constructor(problems: readonly PhotoFileError[], usable: readonly PhotoFacts[], cwd: string) {
    const [only, second] = problems;
    super({
      code: only && !second ? only.code : 'invalid_file',
      message: `${only && !second ? withShortPath(only, cwd) : `${problems.length} files can't be sent as photos`}. Nothing was stored.`,
      hint: only && !second ? only.hint : 'leave them out, or fix them and run the command again',
      details: {
        issues: problems.map((problem) => ({
          path: 'photo',
          rule: problem.reason,
          message: withShortPath(problem, cwd),
        })),
      },
    });
    this.usable = usable;
    this.problems = problems;
  }
}

/** `shots/front.jpg: is empty` */
export const withShortPath = ({ path, why }: PhotoFileError, cwd: string): string =>
  `${isAbsolute(path) ? shortPath(cwd, path) : path}: ${why}`;

/** The photos that match, each complete and within the limit or known to shrink to it. Throws `InvalidPhotos` for all that aren't. */
export async function readPhotos(
  { io }: Pick<Context, 'io'>,
  patterns: readonly string[],
  options: PhotoOptions,
): Promise<PhotoFacts[]> {
  const photos: PhotoFacts[] = [];
  const problems: PhotoFileError[] = [];
  const collect = (error: unknown) => {
    if (!(error instanceof PhotoFileError)) throw error;
    problems.push(error);
  };
  const eachAlone = async (error: unknown): Promise<string[]> => {
    if (!(error instanceof PhotoFileError)) throw error;
    const found: string[] = [];
    for (const pattern of patterns)
      found.push(...((await findPhotos([pattern], io).catch(collect)) ?? []));
    return [...new Set(found)];
  };
  const paths = await findPhotos(patterns, io).catch(eachAlone);
  // One at a time: each is read into memory.
  for (const path of paths) {
    io.signal.throwIfAborted();
    await checkPhoto(path, options).then((facts) => photos.push(facts), collect);
  }
  if (problems.length > 0) throw new InvalidPhotos(problems, photos, io.cwd);
  return photos;
}

async function checkPhoto(path: string, options: PhotoOptions): Promise<PhotoFacts> {
  const facts = await readFacts(path);
  const { bytes, type } = await readPhoto(path);
  if (!isComplete(bytes, type)) throw damagedPhoto(path);
  // JPEG and PNG always shrink to the limit. Others are tried now: a later failure would store the event without its photo.
  const reliable = type === 'image/jpeg' || type === 'image/png';
  const above = facts.sizeBytes > photoLimit;
  if (
    above
      ? !reliable || options.resize === false
      : !reliable && facts.hasLocation && !options.keepLocation
  )
    await preparePhoto(path, options);
  return facts;
}
