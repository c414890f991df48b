/** The folders of assets as paths: `Summer/Evenings`. */
import type { Client, RecordFor } from '../../../client/client.ts';
import { gather } from '../../crud/methods.ts';

type Folder = RecordFor<'assetFolders'>;

export interface FolderTree {
  /** Names from the top down to the folder; none for null, which is the top. */
  pathOf(id: string | null): readonly string[];
  /** The ids of a folder and of all below it. */
  below(id: string): ReadonlySet<string>;
  /** The folder that path leads to from `root`; undefined where it is not there. */
  find(root: string | null, names: readonly string[]): string | null | undefined;
  add(folder: Folder): void;
}

export async function readFolders(client: Client): Promise<FolderTree> {
  const byId = new Map<string, Folder>();
  const byPlace = new Map<string, Folder>();
  const place = (parentId: string | null, name: unknown) => `${parentId ?? ''}/${String(name).normalize('NFC')}`;
  const tree: FolderTree = {
    pathOf(id) {
      const names: string[] = [];
      const seen = new Set<string>();
      // A server whose folders lie in a circle must not hold this up.
      for (let at = id; at !== null && !seen.has(at); at = byId.get(at)?.parentId ?? null) {
        seen.add(at);
        names.unshift(byId.get(at)?.name ?? at);
      }
      return names;
    },
    below(id) {
      const found = new Set([id]);
      for (let before = 0; before < found.size; ) {
        before = found.size;
        for (const folder of byId.values()) if (folder.parentId && found.has(folder.parentId)) found.add(folder.id);
      }
      return found;
    },
    find(root, names) {
      let at: string | null | undefined = root;
      for (const name of names) at = at === undefined ? undefined : byPlace.get(place(at, name))?.id;
      return at;
    },
    add(folder) {
      byId.set(folder.id, folder);
      byPlace.set(place(folder.parentId, folder.name), folder);
    },
  };
  for (const folder of await gather(client.assetFolders.all())) tree.add(folder);
  return tree;
}
