/** Compares what a server shows of its photos with what was sent. What it doesn't show is unknown, never right. */
import { isSameId } from '../../../client/ids.ts';
import type { RecordFor } from '../../../contract/contract.ts';
import type { Context } from '../../context.ts';
import { CliError } from '../../errors/exit.ts';
import { pluralize, shortPath } from '../../terminal/text.ts';
import type { AddedPhoto } from './shape.ts';

/** The bytes that are sent: not those of the file if it was shrunk or its location was removed. */
export interface SentContent {
  readonly filename: string;
  readonly sizeBytes: number;
  readonly sha256: string;
}

/**
 * - `same_bytes`: the server shows the hash of these bytes.
 * - `same_name_and_size`: it shows no hash, and a photo of this name and size.
 * - `unknown`: it doesn't show enough to tell.
 * - `missing`: it has no such photo.
 */
export type Verification = NonNullable<AddedPhoto['verified']>;

type StoredPhoto = RecordFor<'carPhotos'>;

/** A photo whose id the answer told. */
export function verifyStored(
  photos: readonly StoredPhoto[],
  { id, content }: { id: string; content: SentContent | undefined },
): Verification {
  const stored = photos.find((photo) => isSameId(photo.id, id));
  if (!stored) return 'missing';
  return content ? compare(stored, content) : 'unknown';
}

/** Any photo of the car. `reencoded`: another version of the image library makes other bytes of the same file. */
export function verifyContent(
  photos: readonly StoredPhoto[],
  { content, reencoded }: { content: SentContent; reencoded: boolean },
): { readonly verification: Verification; readonly photoId: string | null } {
  const compared = photos.map((photo) => ({ photo, verification: compare(photo, content) }));
  for (const verification of ['same_bytes', 'same_name_and_size'] as const) {
    const found = compared.find((one) => one.verification === verification);
    if (found) return { verification, photoId: found.photo.id };
  }
  const mayBe = compared.some(
    ({ photo, verification }) =>
      verification === 'unknown' || (reencoded && photo.filename === content.filename),
  );
  return { verification: mayBe ? 'unknown' : 'missing', photoId: null };
}

const shownHash = ({ sha256 }: StoredPhoto) =>
  /^[0-9a-f]{64}$/i.test(sha256 ?? '') ? sha256.toLowerCase() : undefined;

/** What the record of an upload shows otherwise than it was sent. A server that converts photos has other bytes, one that cuts them off too. */
export function differenceFrom(
  stored: StoredPhoto,
  { sizeBytes, sha256 }: SentContent,
): string | undefined {
  const shown = shownHash(stored);
  if (shown !== undefined)
    return shown === sha256 ? undefined : `"sha256" is ${shown}, not ${sha256}`;
  if (typeof stored.sizeBytes !== 'number' || stored.sizeBytes === sizeBytes) return undefined;
  return `"sizeBytes" is ${stored.sizeBytes}, not ${sizeBytes}`;
}

function compare(stored: StoredPhoto, content: SentContent): Verification {
  const isHash = shownHash(stored) !== undefined;
  if (differenceFrom(stored, content) !== undefined) return 'missing';
  if (isHash) return 'same_bytes';
  const isName =
    typeof stored.filename === 'string' ? stored.filename === content.filename : undefined;
  if (isName === false) return 'missing';
  return isName && typeof stored.sizeBytes === 'number' ? 'same_name_and_size' : 'unknown';
}

export const verifiedWords: Readonly<Record<Verification, string>> = {
  same_bytes: 'verified',
  same_name_and_size: 'same name and size; the server shows no hash',
  unknown: 'not verified',
  missing: 'missing on the server',
};

/** Thrown after the result was printed; undefined if every photo that was compared is there. */
export function unverifiedError(
  { io }: Pick<Context, 'io'>,
  photos: readonly { readonly file: string; readonly verified: Verification | null }[],
  { exitCode, reason }: { exitCode: 11 | 12; reason?: string | undefined },
): CliError | undefined {
  const of = (verification: Verification) =>
    photos.filter(({ verified }) => verified === verification).map(({ file }) => file);
  const [missing, unknown] = [of('missing'), of('unknown')];
  if (missing.length + unknown.length === 0) return undefined;
  const tell = (files: readonly string[], what: string) => {
    const names = files.slice(0, 3).map((file) => shortPath(io.cwd, file));
    const more = files.length > 3 ? [`and ${files.length - 3} more`] : [];
    return files.length === 0
      ? ''
      : `${pluralize(files.length, 'photo', 'photos')} ${what}: ${[...names, ...more].join(', ')}. `;
  };
  const why = reason ?? 'the server shows neither a matching hash nor name and size';
  return new CliError({
    code: 'partial',
    message:
      `${tell(missing, 'missing on the server')}${tell(unknown, `not verified (${why})`)}`.trimEnd(),
    hint: 'keep these files, and send the missing ones with `cs cars photos add`',
    details: { missing, unknown },
    exitCode,
  });
}
