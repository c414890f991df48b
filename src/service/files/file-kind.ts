import type { AssetType } from '../../contract/assets.ts';
import { Refusal } from '../refusal.ts';
import { tooLarge } from './limit.ts';

/** A kind of file that is kept: how large it may be, of which types it is, and what its bytes say of themselves. */
export interface FileKind<Facts extends { contentType: AssetType }> {
  readonly noun: 'photo' | 'asset';
  /** Most bytes, inclusive. */
  readonly limit: number;
  readonly types: readonly AssetType[];
  /** Undefined for bytes of no such type, also for a header with nothing behind it. */
  readonly read: (bytes: Uint8Array) => Facts | undefined;
}

/**
 * Accepts bytes as a file of the kind or refuses them. The type is read from the bytes alone: names and declared types are claims.
 * Throws `photo_too_large`, `photo_type_unsupported` or `photo_type_mismatch`, whatever the kind.
 */
export function checkFile<Facts extends { contentType: AssetType }>(
  { noun, limit, types, read }: FileKind<Facts>,
  bytes: Uint8Array,
  declared: string | null | undefined,
): Facts {
  if (bytes.length > limit) throw tooLarge(bytes.length, limit);
  const facts = read(bytes);
  if (!facts) {
    throw new Refusal('photo_type_unsupported', `The bytes are not of a type that is kept as ${noun}: ${types.join(', ')}`, {
      supported: types,
    });
  }
  const found = facts.contentType;
  if (declared && !agree(declared, found)) {
    throw new Refusal('photo_type_mismatch', `contentType says ${declared}, but the bytes are ${found}; correct it or leave it out`, {
      declared,
      found,
    });
  }
  return facts;
}

/** Every HEIC is also a HEIF, and both names are in use for the same files. */
function agree(declared: string, found: AssetType): boolean {
  return declared === found || (declared === 'image/heif' && found === 'image/heic');
}
