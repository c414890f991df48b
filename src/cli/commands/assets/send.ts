/** Sends files as assets, into folders like those that they lie in, and tells of each what became of it. */
import { createHash } from 'node:crypto';
import type { Client } from '../../../client/client.ts';
import { meetsAny, toBase64, type UploadResult, uploadFiles } from '../../../client/uploads.ts';
import type { CreateFor, RecordFor } from '../../../contract/contract.ts';
import { failureOf, type UploadFailure } from '../files/upload-failure.ts';
import { hashOf, readAsset } from './check.ts';
import type { FoundFile } from './find.ts';
import { isToSend, type PlannedFile, type UploadPlan } from './plan.ts';

type Asset = RecordFor<'assets'>;

export interface AssetOutcome {
  /** Absolute path. */
  readonly file: string;
  readonly filename: string;
  /** The folder of assets, such as `Summer/Evenings`; null at the top. */
  readonly folder: string | null;
  /** `already_there`: an asset of this name and these bytes is in the folder. `not_sent`: another file met what this one would have met. */
  readonly status: 'stored' | 'already_there' | 'failed' | 'not_sent';
  readonly assetId: string | null;
  readonly sizeBytes: number | null;
  readonly error: UploadFailure | null;
}

interface Performance {
  readonly client: Client;
  readonly plan: UploadPlan;
  readonly tags?: readonly string[];
  readonly altText?: string;
  /** Given by the person: each file has a key of its own made of it. */
  readonly idempotencyKey?: string;
  readonly onProgress?: (done: number, filename: string) => void;
  readonly signal: AbortSignal;
}

/** Makes the missing folders, then sends the files, several at a time. Throws when a folder cannot be made; never for a file. */
export async function sendAssets(upload: Performance): Promise<AssetOutcome[]> {
  const { client, plan, tags, altText, onProgress, signal } = upload;
  await makeFolders(client, plan, signal);
  const sent = plan.files.filter(isToSend);
  let done = 0;
  const results = await uploadFiles<{ bytes: Buffer; filename: string }, Asset>({
    files: sent.map(({ file }) => ({
      filename: file.filename,
      load: async () => ({ bytes: await readAsset(file.path), filename: file.filename }),
    })),
    send: ({ bytes, filename }, index) => {
      const folderId = plan.tree.find(plan.root, sent[index]?.folder ?? []) ?? null;
      const body: CreateFor<'assets'> = { folderId, filename, base64: toBase64(bytes), tags: tags && [...tags], altText };
      return client.assets.create(body, { signal, idempotencyKey: keyFor(upload, folderId, filename, bytes) });
    },
    meetsEvery: meetsAny,
    concurrency: 3,
    onProgress: ({ phase, filename }) => {
      if (phase === 'stored' || phase === 'failed') done += 1;
      onProgress?.(done, filename);
    },
    signal,
  });
  const byFile = new Map(sent.map(({ file }, index) => [file, results[index] as UploadResult<Asset>]));
  return plan.files.map((planned) => outcomeOf(plan, planned, byFile));
}

async function makeFolders(client: Client, { tree, root, folders }: UploadPlan, signal: AbortSignal): Promise<void> {
  for (const path of folders) {
    const parentId = tree.find(root, path.slice(0, -1)) ?? null;
    tree.add(await client.assetFolders.create({ name: path.at(-1) as string, parentId }, { signal }));
  }
}

/** One key for all files would make the second a repeat of the first; of bytes that were changed meanwhile it is another. */
function keyFor({ idempotencyKey }: Performance, folderId: string | null, filename: string, bytes: Uint8Array): string | undefined {
  if (idempotencyKey === undefined) return undefined;
  return createHash('sha256')
    .update(JSON.stringify([idempotencyKey, folderId, filename, hashOf(bytes)]))
    .digest('hex');
}

function outcomeOf(plan: UploadPlan, planned: PlannedFile, results: ReadonlyMap<FoundFile, UploadResult<Asset>>): AssetOutcome {
  const { file, folder, problem, asset, sameAs } = planned;
  const path = [...plan.tree.pathOf(plan.root), ...folder];
  const base = { file: file.path, filename: file.filename, folder: path.length > 0 ? path.join('/') : null, sizeBytes: file.size ?? null };
  if (problem)
    return {
      ...base,
      status: 'failed',
      assetId: null,
      error: failureOf(file.path, { filename: file.filename, status: 'failed', error: problem }),
    };
  if (asset) return { ...base, status: 'already_there', assetId: asset.id, error: null };
  const first = sameAs === undefined ? undefined : plan.files[sameAs];
  const result = results.get(first?.file ?? file);
  if (!result) return { ...base, status: 'already_there', assetId: first?.asset?.id ?? null, error: null };
  if (result.status === 'stored') return { ...base, status: first ? 'already_there' : 'stored', assetId: result.record.id, error: null };
  return { ...base, status: result.status, assetId: null, error: failureOf(file.path, result) };
}
