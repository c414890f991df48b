import { type AssetType, assetLimit, assetTypes } from '../../contract/assets.ts';
import type { FileKind } from './file-kind.ts';
import { readPhoto } from './photo-type.ts';

/** What the bytes of an asset say of themselves. */
export interface AssetFacts {
  contentType: AssetType;
}

export const assetKind: FileKind<AssetFacts> = { noun: 'asset', limit: assetLimit, types: assetTypes, read: readAsset };

function readAsset(bytes: Uint8Array): AssetFacts | undefined {
  const photo = readPhoto(bytes);
  if (photo) return { contentType: photo.contentType };
  const lead = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
  if (lead.startsWith('%PDF-')) return { contentType: 'application/pdf' };
  // The leading box of the container, with the brand that says what is in it.
  if (lead.slice(4, 8) === 'ftyp' && filmBrand.test(lead.slice(8))) return { contentType: 'video/mp4' };
  return undefined;
}

const filmBrand = /^(isom|iso[2-9]|mp4[12]|avc1|M4V |M4VP|MSNV|dash)$/;
