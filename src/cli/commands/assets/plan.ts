/** The plan of an upload: files checked, existing assets and missing folders found, nothing sent yet. */
import type { Client } from '../../../client/client.ts';
import type { RecordFor } from '../../../contract/contract.ts';
import { gather } from '../../resources/methods.ts';
import { type FolderTree, readFolders } from './folders.ts';
import { checkAsset, type FoundFile, hashOf, readAsset } from './local-files.ts';

type Asset = RecordFor<'assets'>;

export interface PlannedFile {
  readonly file: FoundFile;
  readonly folder: readonly string[];
  /** Why it can't be uploaded. */
  readonly problem?: Error;
  /** The same file on the server. */
  readonly existing?: Pick<Asset, 'id'>;
  /** Index of an earlier file with the same folder, name and bytes. */
  readonly sameAs?: number;
  readonly sha256?: string;
}

export interface UploadPlan {
  readonly tree: FolderTree;
  /** Target folder; null for the top. */
  readonly root: string | null;
  readonly files: readonly PlannedFile[];
  /** Missing folders, parents first. */
  readonly folders: readonly (readonly string[])[];
}

export async function planUpload(
  client: Client,
  found: readonly FoundFile[],
  root: string | null,
): Promise<UploadPlan> {
  const tree = await readFolders(client);
  const problems = await Promise.all(found.map(checkAsset));
  const targets = new Set(found.map(({ folders }) => tree.find(root, folders)));
  const existingAssets = await readExisting(client, targets);
  const planned = new Map<string, number>();
  const files: PlannedFile[] = [];
  for (const [index, file] of found.entries()) {
    const folder = file.folders;
    const bytes = problems[index] ?? (await readAsset(file.path).catch((error: Error) => error));
    if (bytes instanceof Error) {
      files.push({ file, folder, problem: bytes });
      continue;
    }
    const sha256 = hashOf(bytes);
    const folderId = tree.find(root, folder);
    const existing =
      folderId === undefined
        ? undefined
        : existingAssets.get(assetKey(folderId, file.filename, sha256));
    const key = JSON.stringify([folder, file.filename, sha256]);
    const sameAs = planned.get(key);
    if (sameAs === undefined) planned.set(key, index);
    files.push({ file, folder, existing, sameAs, sha256 });
  }
  return { tree, root, files, folders: missingFolders(tree, root, files) };
}

const assetKey = (folderId: string | null, filename: string | null, sha256: unknown): string =>
  JSON.stringify([folderId, filename?.normalize('NFC'), sha256]);

/** The assets of these folders. Null is the top, for which there is no filter. */
async function readExisting(
  client: Client,
  folders: ReadonlySet<string | null | undefined>,
): Promise<Map<string, Asset>> {
  const existing = new Map<string, Asset>();
  const ids = [...folders].filter((id) => id !== undefined);
  const subfolders = ids.filter((id) => id !== null);
  const lists =
    ids.length > subfolders.length || subfolders.length > 5
      ? [client.assets.all()]
      : subfolders.map((folderId) => client.assets.all({ folderId }));
  for (const list of lists)
    for (const asset of await gather(list))
      existing.set(assetKey(asset.folderId, asset.filename, asset.sha256), asset);
  return existing;
}

function missingFolders(
  tree: FolderTree,
  root: string | null,
  files: readonly PlannedFile[],
): (readonly string[])[] {
  const missing = new Map<string, readonly string[]>();
  for (const { folder, problem } of files) {
    if (problem) continue;
    for (let depth = 1; depth <= folder.length; depth += 1) {
      const path = folder.slice(0, depth);
      if (tree.find(root, path) === undefined) missing.set(JSON.stringify(path), path);
    }
  }
  return [...missing.values()].sort((a, b) => a.length - b.length);
}

export const needsUpload = ({ problem, existing, sameAs }: PlannedFile): boolean =>
  !problem && !existing && sameAs === undefined;
