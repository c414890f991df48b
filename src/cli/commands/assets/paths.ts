/** Where assets are saved: names that are safe here, in folders like those of the service. */
import { join } from 'node:path';
import type { RecordFor } from '../../../contract/contract.ts';
import { distinctNames, safeName, sameFile } from '../files/names.ts';
import type { FolderTree } from './folders.ts';

type Asset = Pick<RecordFor<'assets'>, 'id' | 'filename' | 'folderId'>;

interface Place {
  /** Safe names from the top down. */
  readonly folders: readonly string[];
  readonly assets: Asset[];
}

/** A path for each, all different. Without a tree all lie in one folder; with one, those in `root` lie at the beginning. */
export function assetPaths(assets: readonly Asset[], within?: { readonly tree: FolderTree; readonly root: string | null }): string[] {
  const depth = within ? within.tree.pathOf(within.root).length : 0;
  const foldersOf = ({ folderId }: Asset): string[] =>
    (within?.tree.pathOf(folderId ?? null) ?? []).slice(depth).map((name) => safeName(name, 'folder'));
  // Folders whose names some file system takes for the same are one.
  const places = new Map<string, Place>();
  for (const asset of assets) {
    const folders = foldersOf(asset);
    const place = places.get(keyOf(folders)) ?? { folders, assets: [] };
    place.assets.push(asset);
    places.set(keyOf(folders), place);
  }
  const taken = foldersIn([...places.values()]);
  const paths = new Map<Asset, string>();
  for (const [key, { folders, assets: inside }] of places) {
    const named = inside.map(({ id, filename }) => ({ id, name: filename }));
    const names = distinctNames(named, 'asset', taken.get(key));
    for (const [index, asset] of inside.entries()) paths.set(asset, join(...folders, names[index] as string));
  }
  return assets.map((asset) => paths.get(asset) as string);
}

// A safe name has no slash.
const keyOf = (folders: readonly string[]): string => folders.map(sameFile).join('/');

/** The names of the folders in each folder: no file there may be called so. */
function foldersIn(places: readonly Place[]): Map<string, Set<string>> {
  const names = new Map<string, Set<string>>();
  for (const { folders } of places) {
    for (const [depth, name] of folders.entries()) {
      const above = keyOf(folders.slice(0, depth));
      names.set(above, (names.get(above) ?? new Set()).add(sameFile(name)));
    }
  }
  return names;
}
