/** Asset folders as paths (`Summer/Evenings`), and the local paths of downloads. */
import { join } from 'node:path';
import type { Client, RecordFor } from '../../../client/client.ts';
import { IdMap, IdSet, idKey } from '../../../client/ids.ts';
import { gather } from '../../resources/methods.ts';
import { distinctNames, fileKey, safeName } from '../files/names.ts';

type Folder = RecordFor<'assetFolders'>;

export interface FolderTree {
  /** Folder names from the top; empty for null, the top. */
  pathOf(id: string | null): readonly string[];
  /** Ids of a folder and its subfolders. */
  subtree(id: string): IdSet;
  /** The folder at a path below `root`; undefined if it doesn't exist. */
  find(root: string | null, names: readonly string[]): string | null | undefined;
  add(folder: Folder): void;
}

export async function readFolders(client: Client): Promise<FolderTree> {
  const byId = new IdMap<Folder>();
  const byPath = new Map<string, Folder>();
  const pathKey = (parentId: string | null, name: unknown) =>
    `${idKey(parentId ?? '')}/${String(name).normalize('NFC')}`;
  const tree: FolderTree = {
    pathOf(id) {
      const names: string[] = [];
      const seen = new IdSet();
      // A server may send folders in a circle.
      for (let at = id; at !== null && !seen.has(at); at = byId.get(at)?.parentId ?? null) {
        seen.add(at);
        names.unshift(byId.get(at)?.name ?? at);
      }
      return names;
    },
    subtree(id) {
      const found = new IdSet([id]);
      for (let before = 0; before < found.size; ) {
        before = found.size;
        for (const folder of byId.values())
          if (folder.parentId && found.has(folder.parentId)) found.add(folder.id);
      }
      return found;
    },
    find(root, names) {
      let at: string | null | undefined = root;
      for (const name of names)
        at = at === undefined ? undefined : byPath.get(pathKey(at, name))?.id;
      return at;
    },
    add(folder) {
      byId.set(folder.id, folder);
      byPath.set(pathKey(folder.parentId, folder.name), folder);
    },
  };
  for (const folder of await gather(client.assetFolders.all())) tree.add(folder);
  return tree;
}

type AssetName = Pick<RecordFor<'assets'>, 'id' | 'filename' | 'folderId'>;

interface LocalFolder {
  /** Safe names from the top. */
  readonly folders: readonly string[];
  readonly assets: AssetName[];
}

/** A distinct local path for each asset: in one folder without a tree, otherwise in its folders below `root`. */
export function assetPaths(
  assets: readonly AssetName[],
  within?: { readonly tree: FolderTree; readonly root: string | null },
): string[] {
  const depth = within ? within.tree.pathOf(within.root).length : 0;
  const foldersOf = ({ folderId }: AssetName): string[] =>
    (within?.tree.pathOf(folderId ?? null) ?? [])
      .slice(depth)
      .map((name) => safeName(name, 'folder'));
  // Merges folders whose names some file system treats as the same.
  const localFolders = new Map<string, LocalFolder>();
  for (const asset of assets) {
    const folders = foldersOf(asset);
    const localFolder = localFolders.get(keyOf(folders)) ?? { folders, assets: [] };
    localFolder.assets.push(asset);
    localFolders.set(keyOf(folders), localFolder);
  }
  const taken = subfolderNames([...localFolders.values()]);
  const paths = new Map<AssetName, string>();
  for (const [key, { folders, assets: inside }] of localFolders) {
    const named = inside.map(({ id, filename }) => ({ id, name: filename }));
    const names = distinctNames(named, 'asset', taken.get(key));
    for (const [index, asset] of inside.entries())
      paths.set(asset, join(...folders, names[index] as string));
  }
  return assets.map((asset) => paths.get(asset) as string);
}

// Safe names have no slash.
const keyOf = (folders: readonly string[]): string => folders.map(fileKey).join('/');

/** The names of subfolders in each folder, which a file there can't have. */
function subfolderNames(localFolders: readonly LocalFolder[]): Map<string, Set<string>> {
  const names = new Map<string, Set<string>>();
  for (const { folders } of localFolders) {
    for (const [depth, name] of folders.entries()) {
      const parent = keyOf(folders.slice(0, depth));
      names.set(parent, (names.get(parent) ?? new Set()).add(fileKey(name)));
    }
  }
  return names;
}
