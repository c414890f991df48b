/** Reads and checks photos before anything is stored. */
import { isAbsolute } from 'node:path';
import { photoLimit } from '../../../contract/limits.ts';
import type { Issue } from '../../../contract/problems.ts';
import type { Context } from '../../context.ts';
import { CliError } from '../../errors/exit.ts';
import { shortPath } from '../../terminal/text.ts';
import { findPhotos } from './find.ts';
import { type PhotoFacts, PhotoFileError, type PhotoOptions, readFacts } from './photo-file.ts';
import { preparePhoto } from './prepare.ts';

/** Files that can't be sent; `details` has the reason for each. */
export class InvalidPhotos extends CliError {
  declare readonly details: { readonly issues: readonly Issue[] };
  /** The others, which can be sent. */
  readonly usable: readonly PhotoFacts[];
  readonly problems: readonly PhotoFileError[];

  constructor(problems: readonly PhotoFileError[], usable: readonly PhotoFacts[], cwd: string) {
    const messageOf = ({ path, why }: PhotoFileError) =>
      `${isAbsolute(path) ? shortPath(cwd, path) : path}: ${why}`;
    const only = problems.length === 1 ? problems[0] : undefined;
    super({
      code: only ? only.code : 'invalid_file',
      message: `${only ? messageOf(only) : `${problems.length} files can't be sent as photos`}. Nothing was stored.`,
      hint: only ? only.hint : 'leave them out, or fix them and run the command again',
      details: {
        issues: problems.map((problem) => ({
          path: 'photo',
          rule: problem.reason,
          message: messageOf(problem),
        })),
      },
    });
    this.usable = usable;
    this.problems = problems;
  }
}

/** The photos that match, each complete and within the limit or known to shrink to it. Throws `InvalidPhotos` for all that aren't. */
export async function readPhotos(
  { io }: Pick<Context, 'io'>,
  patterns: readonly string[],
  options: PhotoOptions,
): Promise<PhotoFacts[]> {
  const photos: PhotoFacts[] = [];
  const problems: PhotoFileError[] = [];
  const attempt = async <T>(work: Promise<T>): Promise<T | undefined> =>
    work.catch((error: unknown) => {
      if (!(error instanceof PhotoFileError)) throw error;
      problems.push(error);
      return undefined;
    });
  const usable: string[] = [];
  for (const pattern of patterns)
    if (await attempt(findPhotos([pattern], io))) usable.push(pattern);
  // One at a time: each is read into memory.
  for (const path of await findPhotos(usable, io)) {
    io.signal.throwIfAborted();
    const facts = await attempt(checkPhoto(path, options));
    if (facts) photos.push(facts);
  }
  if (problems.length > 0) throw new InvalidPhotos(problems, photos, io.cwd);
  return photos;
}

async function checkPhoto(path: string, options: PhotoOptions): Promise<PhotoFacts> {
  const facts = await readFacts(path);
  // JPEG and PNG always shrink to the limit. Others are tried now, and what is too large is refused: a later failure would store the event without its photo.
  const isReliable = facts.contentType === 'image/jpeg' || facts.contentType === 'image/png';
  const isTooLarge = options.resize === false && facts.sizeBytes > photoLimit;
  if (!isReliable || isTooLarge) await preparePhoto(path, options);
  return facts;
}
