/** Asset folders as paths: `Summer/Evenings`. */
import type { Client, RecordFor } from '../../../client/client.ts';
import { IdMap, IdSet, idKey } from '../../../client/ids.ts';
import { gather } from '../../resources/methods.ts';

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
