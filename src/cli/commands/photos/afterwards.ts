/** What follows an upload: the comparison with the server's photos, and the move of the files that are stored. */

import type { Context } from '../../context.ts';
import { CliError } from '../../errors/exit.ts';
import { startSpinner } from '../../terminal/spinner.ts';
import { pluralize, shortPath } from '../../terminal/text.ts';
import { isLink, isOver, movePhoto } from './move.ts';
import type { Verification } from './verify.ts';

interface MovableFile {
  readonly file: string;
  /** SHA-256 of the file as it was sent. */
  readonly sha256: string;
  /** Whether the server confirmed it. */
  readonly isConfirmed: boolean;
}

interface Placed {
  readonly movedTo: string | null;
  readonly notMoved: string | null;
}

export const unmoved: Placed = { movedTo: null, notMoved: null };

/** Moves the confirmed files, one at a time. `targets`: an absolute path for each file. */
export async function moveConfirmed(
  context: Context,
  files: readonly MovableFile[],
  targets: readonly string[],
): Promise<Placed[]> {
  const total = files.filter(({ isConfirmed }) => isConfirmed).length;
  const spinner = await startSpinner(context, `Moving ${pluralize(total, 'file', 'files')}`);
  const placed: Placed[] = [];
  try {
    for (const [index, file] of files.entries()) {
      spinner.text(`Moving ${index + 1} of ${pluralize(files.length, 'file', 'files')}`);
      placed.push(await moveOne(file, targets[index] as string, context.io.signal));
    }
  } finally {
    spinner.stop();
  }
  return placed;
}

async function moveOne(
  { file, sha256, isConfirmed }: MovableFile,
  target: string,
  signal: AbortSignal,
): Promise<Placed> {
  if (!isConfirmed) return { movedTo: null, notMoved: "the server didn't confirm it" };
  if (signal.aborted) return { movedTo: null, notMoved: 'stopped before it' };
  const moved = await movePhoto(file, target, sha256);
  return 'to' in moved
    ? { movedTo: moved.to, notMoved: null }
    : { movedTo: null, notMoved: moved.reason };
}

interface Verified {
  readonly file: string;
  readonly verified: Verification | null;
}

/** Thrown after the result was printed; undefined if every photo that was compared is there. */
export function unverifiedError(
  { io }: Pick<Context, 'io'>,
  photos: readonly Verified[],
  { exitCode, reason, hint }: { exitCode: 11 | 12; reason?: string | undefined; hint?: string },
): CliError | undefined {
  const of = (verification: Verification) =>
    photos.filter(({ verified }) => verified === verification).map(({ file }) => file);
  const [missing, unknown] = [of('missing'), of('unknown')];
  if (missing.length + unknown.length === 0) return undefined;
  const names = (files: readonly string[]) => {
    const shown = files.slice(0, 3).map((file) => shortPath(io.cwd, file));
    return [...shown, ...(files.length > 3 ? [`and ${files.length - 3} more`] : [])].join(', ');
  };
  const parts = [
    missing.length > 0 &&
      `${pluralize(missing.length, 'photo', 'photos')} missing on the server: ${names(missing)}`,
    unknown.length > 0 &&
      `${pluralize(unknown.length, 'photo', 'photos')} not verified (${reason ?? 'the server shows neither a matching hash nor name and size'}): ${names(unknown)}`,
  ];
  return new CliError({
    code: 'partial',
    message: `${parts.filter(Boolean).join('. ')}.`,
    hint: hint ?? 'keep these files, and send the missing ones with `cs cars photos add`',
    details: { missing, unknown },
    exitCode,
  });
}

/** For confirmed files that couldn't be moved; undefined without any. */
export function unmovedError(
  { io }: Pick<Context, 'io'>,
  files: readonly ({ readonly file: string } & Placed)[],
  resume: string | undefined,
): CliError | undefined {
  const [first, ...others] = files;
  if (!first) return undefined;
  const more = others.length > 0 ? ` (and ${others.length} more)` : '';
  return new CliError({
    code: 'partial',
    message: `${pluralize(files.length, 'file', 'files')} not moved. ${shortPath(io.cwd, first.file)}: ${first.notMoved}${more}.`,
    hint: hintOf(
      files.map(({ notMoved }) => notMoved as string),
      resume,
    ),
    details: { files: files.map(({ file, notMoved }) => ({ file, reason: notMoved })) },
  });
}

function hintOf(reasons: readonly string[], resume: string | undefined): string {
  if (!reasons.every(isOver)) return retryHint(resume);
  return reasons.every((reason) => reason === isLink) ? linkHint : overHint;
}

const linkHint =
  'the photos are stored: move the files that the links lead to yourself, or delete the links';
const overHint =
  'their photos are stored as they were sent; the same command sends what has changed since as new photos';
const retryHint = (resume: string | undefined): string =>
  resume
    ? `remove the cause, then move the rest with \`${resume}\``
    : 'remove the cause, then run the command again';

const verifiedWords: Record<Verification, string> = {
  same_bytes: 'verified',
  same_name_and_size: 'same name and size',
  unknown: 'not verified',
  missing: 'missing on the server',
};

/** `verified, moved to /done/front.jpg` */
export function describeAfterwards(
  { io }: Pick<Context, 'io'>,
  { verified, movedTo, notMoved }: { verified: Verification | null } & Placed,
) {
  return [
    verified && verifiedWords[verified],
    movedTo !== null && `moved to ${shortPath(io.cwd, movedTo)}`,
    notMoved !== null && `not moved: ${notMoved}`,
  ]
    .filter(Boolean)
    .join(', ');
}

/** Name and size prove less than a hash does. */
export function noteWeakProof(
  context: Pick<Context, 'note' | 'output'>,
  photos: readonly Pick<Verified, 'verified'>[],
): void {
  const weak = photos.filter(({ verified }) => verified === 'same_name_and_size').length;
  if (weak > 0 && context.output.forPeople)
    context.note(
      `This server shows no hash of ${pluralize(weak, 'photo', 'photos')}: only name and size were compared.`,
    );
}
