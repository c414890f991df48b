/** Compares what a server shows of its photos with what was sent. What it doesn't show is unknown, never right. */
import type { Client } from '../../../client/client.ts';
import { CarStorageError } from '../../../client/errors.ts';
import { isSameId } from '../../../client/ids.ts';
import type { RecordFor } from '../../../contract/contract.ts';
import { gather } from '../../resources/methods.ts';
import type { SentContent } from '../journal/entry.ts';
import type { AddedPhoto } from './shape.ts';

/**
 * - `same_bytes`: the server shows the hash of these bytes.
 * - `same_name_and_size`: it shows no hash, and a photo of this name and size.
 * - `unknown`: it doesn't show enough to tell.
 * - `missing`: it has no such photo.
 */
export type Verification = NonNullable<AddedPhoto['verified']>;

/** Whether it proves that the photo is stored. */
export const isSame = (verification: Verification): boolean =>
  verification === 'same_bytes' || verification === 'same_name_and_size';

type StoredPhoto = RecordFor<'carPhotos'>;

/** The photos that the server lists for the car, or the reason why it doesn't. */
export async function listPhotos(
  client: Client,
  carId: string,
): Promise<readonly StoredPhoto[] | { readonly reason: string; readonly cause: CarStorageError }> {
  try {
    return await gather(client.carPhotos.all(carId));
  } catch (error) {
    if (!(error instanceof CarStorageError)) throw error;
    return { reason: error.message, cause: error };
  }
}

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

function compare(stored: StoredPhoto, { filename, sizeBytes, sha256 }: SentContent): Verification {
  const shown = shownHash(stored);
  if (shown !== undefined) return shown === sha256 ? 'same_bytes' : 'missing';
  const isSize = typeof stored.sizeBytes === 'number' ? stored.sizeBytes === sizeBytes : undefined;
  const isName = typeof stored.filename === 'string' ? stored.filename === filename : undefined;
  if (isSize === false || isName === false) return 'missing';
  return isSize && isName ? 'same_name_and_size' : 'unknown';
}
