import { documentTypeOf } from '../../contract/asset-type.ts';
import { type AssetType, assetLimit, assetTypes } from '../../contract/assets.ts';
import type { FileKind } from './file-kind.ts';
import { readPhoto } from './photo-type.ts';

/** What the bytes of an asset say of themselves. */
export interface AssetFacts {
  contentType: AssetType;
}

export const assetKind: FileKind<AssetFacts> = { noun: 'asset', limit: assetLimit, types: assetTypes, read: readAsset };

function readAsset(bytes: Uint8Array): AssetFacts | undefined {
  const contentType = readPhoto(bytes)?.contentType ?? documentTypeOf(bytes);
  return contentType && { contentType };
}
