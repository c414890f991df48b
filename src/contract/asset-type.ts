import type { AssetType } from './assets.ts';
import { photoTypeOf } from './photo-type.ts';

/** The brands of the container that films share with some photos. */
const filmBrand = /^(isom|iso[2-9]|mp4[12]|avc1|M4V |M4VP|MSNV|dash)$/;

/** The media type of an asset by its first bytes, as `photoTypeOf` tells that of a photo; `undefined` for what is no asset (decision). */
export const assetTypeOf = (bytes: Uint8Array): AssetType | undefined => photoTypeOf(bytes) ?? documentTypeOf(bytes);

/** The same of an asset that is no photo: a film or a document. */
export function documentTypeOf(bytes: Uint8Array): AssetType | undefined {
  const lead = String.fromCharCode(...bytes.subarray(0, 12));
  if (lead.startsWith('%PDF-')) return 'application/pdf';
  if (lead.slice(4, 8) === 'ftyp' && filmBrand.test(lead.slice(8))) return 'video/mp4';
  return undefined;
}
