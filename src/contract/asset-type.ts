import type { AssetType } from './assets.ts';
import { photoTypeOf } from './photo-type.ts';

/** Brands of the container format that videos share with some photos. */
const filmBrand = /^(isom|iso[2-9]|mp4[12]|avc1|M4V |M4VP|MSNV|dash)$/;

/** The media type of an asset by its first bytes, like `photoTypeOf` for photos; `undefined` for unsupported types (decision). */
export const assetTypeOf = (bytes: Uint8Array): AssetType | undefined =>
  photoTypeOf(bytes) ?? documentTypeOf(bytes);

/** The same for videos and documents. */
export function documentTypeOf(bytes: Uint8Array): AssetType | undefined {
  const head = String.fromCharCode(...bytes.subarray(0, 12));
  if (head.startsWith('%PDF-')) return 'application/pdf';
  if (head.slice(4, 8) === 'ftyp' && filmBrand.test(head.slice(8))) return 'video/mp4';
  return undefined;
}
