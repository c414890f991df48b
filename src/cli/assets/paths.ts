/** Where assets are saved: names that are safe here, in folders like those of the service. */
import { join } from 'node:path';
import type { RecordFor } from '../../contract/contract.ts';
import { distinctNames, safeName } from '../downloads/names.ts';
import type { FolderTree } from './folders.ts';

type Asset = Pick<RecordFor<'assets'>, 'id' | 'filename' | 'folderId'>;

/** A path for each, all different. Without a tree all lie in one folder; with one, those in `root` lie at the beginning. */
export function assetPaths(assets: readonly Asset[], within?: { readonly tree: FolderTree; readonly root: string | null }): string[] {
  const folderOf = ({ folderId }: Asset): string => {
    if (!within) return '';
    const depth = within.tree.pathOf(within.root).length;
    return join(
      ...within.tree
        .pathOf(folderId)
        .slice(depth)
        .map((name) => safeName(name, 'folder')),
    );
  };
  const places = new Map<string, Asset[]>();
  for (const asset of assets) {
    const folder = folderOf(asset);
    // Folders whose names differ only in what no file system takes, or in case, are one.
    places.set(folder.toLowerCase(), [...(places.get(folder.toLowerCase()) ?? []), asset]);
  }
  const taken = foldersIn([...places.keys()]);
  const paths = new Map<string, string>();
  for (const [place, inside] of places) {
    const names = distinctNames(
      inside.map(({ id, filename }) => ({ id, name: filename })),
      'asset',
      taken.get(place),
    );
    for (const [index, asset] of inside.entries()) paths.set(asset.id, join(folderOf(inside[0] as Asset), names[index] as string));
  }
  return assets.map(({ id }) => paths.get(id) as string);
}

/** The names of the folders that lie in each folder: no file there may be called so. */
function foldersIn(places: readonly string[]): Map<string, Set<string>> {
  const names = new Map<string, Set<string>>();
  for (const place of places) {
    const parts = place === '' || place === '.' ? [] : place.split(/[/\\]/);
    for (const [depth, name] of parts.entries()) {
      const above = depth === 0 ? join('') : join(...parts.slice(0, depth));
      names.set(above, (names.get(above) ?? new Set()).add(name));
    }
  }
  return names;
}
