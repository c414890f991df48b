/** What an upload will do: every file looked at, what is there already found, nothing sent yet. */
import type { Client } from '../../../client/client.ts';
import type { RecordFor } from '../../../contract/contract.ts';
import { gather } from '../../crud/methods.ts';
import { hashOf, readAsset, whyNoAsset } from './check.ts';
import type { FoundFile } from './find.ts';
import { type FolderTree, readFolders } from './folders.ts';

type Asset = RecordFor<'assets'>;

/** A file and where it goes; `problem` when it cannot go anywhere, `asset` when it is there already. */
export interface PlannedFile {
  readonly file: FoundFile;
  readonly folder: readonly string[];
  readonly problem?: Error;
  readonly asset?: Pick<Asset, 'id'>;
  /** Another file of the same run that has the same name and bytes for the same place. */
  readonly sameAs?: number;
  readonly sha256?: string;
}

export interface UploadPlan {
  readonly tree: FolderTree;
  /** Below which everything goes; null for the top. */
  readonly root: string | null;
  readonly files: readonly PlannedFile[];
  /** Folders that are missing, those above first. */
  readonly folders: readonly (readonly string[])[];
}

/** Looks at every file and at what is there. Sends nothing. */
export async function planUpload(client: Client, found: readonly FoundFile[], root: string | null): Promise<UploadPlan> {
  const tree = await readFolders(client);
  const problems = await Promise.all(found.map(whyNoAsset));
  const targets = new Set(found.map(({ folders }) => tree.find(root, folders)));
  const there = await knownAssets(client, targets);
  const claimed = new Map<string, number>();
  const files: PlannedFile[] = [];
  for (const [index, file] of found.entries()) {
    const folder = file.folders;
    const problem = problems[index] ?? (await readAsset(file.path).catch((error: Error) => error));
    if (problem instanceof Error) {
      files.push({ file, folder, problem });
      continue;
    }
    const sha256 = hashOf(problem);
    const folderId = tree.find(root, folder);
    const asset = folderId === undefined ? undefined : there.get(placeOf(folderId, file.filename, sha256));
    const place = JSON.stringify([folder, file.filename, sha256]);
    const sameAs = claimed.get(place);
    if (sameAs === undefined) claimed.set(place, index);
    files.push({ file, folder, asset, sameAs, sha256 });
  }
  return { tree, root, files, folders: missingFolders(tree, root, files) };
}

const placeOf = (folderId: string | null, filename: string | null, sha256: unknown): string =>
  JSON.stringify([folderId, filename?.normalize('NFC'), sha256]);

/** Assets that are in these folders; null among them is the top, which cannot be asked for alone. */
async function knownAssets(client: Client, folders: ReadonlySet<string | null | undefined>): Promise<Map<string, Asset>> {
  const known = new Map<string, Asset>();
  const ids = [...folders].filter((id) => id !== undefined);
  const alone = ids.filter((id) => id !== null);
  const lists =
    ids.length > alone.length || alone.length > 5 ? [client.assets.all()] : alone.map((folderId) => client.assets.all({ folderId }));
  for (const list of lists) for (const asset of await gather(list)) known.set(placeOf(asset.folderId, asset.filename, asset.sha256), asset);
  return known;
}

function missingFolders(tree: FolderTree, root: string | null, files: readonly PlannedFile[]): (readonly string[])[] {
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

/** Whether a file is still to be sent. */
export const isToSend = ({ problem, asset, sameAs }: PlannedFile): boolean => !problem && !asset && sameAs === undefined;
