/** Uploads files as assets, into the same folders, and returns a result for each. */
import { createHash } from 'node:crypto';
import type { Client } from '../../../client/client.ts';
import { toBase64 } from '../../../client/platform.ts';
import { isGeneralFailure, type UploadResult, uploadFiles } from '../../../client/uploads.ts';
import type { CreateFor, RecordFor } from '../../../contract/contract.ts';
import type { UploadFailure } from '../files/shape.ts';
import { toUploadFailure } from '../files/upload-failure.ts';
import { type FoundFile, hashOf, readAsset } from './local-files.ts';
import { needsUpload, type PlannedFile, type UploadPlan } from './plan.ts';

type Asset = RecordFor<'assets'>;

export interface AssetUploadResult {
  /** Absolute path. */
  readonly file: string;
  readonly filename: string;
  /** The asset folder, such as `Summer/Evenings`; null for the top. */
  readonly folder: string | null;
  /** `already_there`: the folder has an asset of this name and bytes. `not_sent`: skipped after a failure that affects every file. */
  readonly status: 'stored' | 'already_there' | 'failed' | 'not_sent';
  readonly assetId: string | null;
  readonly sizeBytes: number | null;
  readonly error: UploadFailure | null;
}

interface AssetUpload {
  readonly client: Client;
  readonly plan: UploadPlan;
  readonly tags?: readonly string[];
  readonly altText?: string;
  /** Value of --idempotency-key, from which each file's key is derived. */
  readonly idempotencyKey?: string;
  readonly onProgress?: (done: number, filename: string) => void;
  readonly signal: AbortSignal;
}

/** Creates missing folders, then uploads several files at a time. Throws for a folder, never for a file. */
export async function sendAssets(upload: AssetUpload): Promise<AssetUploadResult[]> {
  const { client, plan, tags, altText, onProgress, signal } = upload;
  await makeFolders(client, plan, signal);
  const sent = plan.files.filter(needsUpload);
  let done = 0;
  const results = await uploadFiles<{ bytes: Buffer; filename: string }, Asset>({
    files: sent.map(({ file }) => ({
      filename: file.filename,
      load: async () => ({ bytes: await readAsset(file.path), filename: file.filename }),
    })),
    send: ({ bytes, filename }, index) => {
      const folderId = plan.tree.find(plan.root, sent[index]?.folder ?? []) ?? null;
      const body: CreateFor<'assets'> = {
        folderId,
        filename,
        base64: toBase64(bytes),
        tags: tags && [...tags],
        altText,
      };
      return client.assets.create(body, {
        signal,
        idempotencyKey: keyFor(upload, folderId, filename, bytes),
      });
    },
    failsForAll: isGeneralFailure,
    concurrency: 3,
    onProgress: ({ phase, filename }) => {
      if (phase === 'stored' || phase === 'failed') done += 1;
      onProgress?.(done, filename);
    },
    signal,
  });
  const byFile = new Map(
    sent.map(({ file }, index) => [file, results[index] as UploadResult<Asset>]),
  );
  return plan.files.map((planned) => toResult(plan, planned, byFile));
}

async function makeFolders(
  client: Client,
  { tree, root, folders }: UploadPlan,
  signal: AbortSignal,
): Promise<void> {
  for (const path of folders) {
    const parentId = tree.find(root, path.slice(0, -1)) ?? null;
    tree.add(
      await client.assetFolders.create({ name: path.at(-1) as string, parentId }, { signal }),
    );
  }
}

/** With the same key for all, the second file would be a repeat of the first. Changed bytes get another key. */
function keyFor(
  { idempotencyKey }: AssetUpload,
  folderId: string | null,
  filename: string,
  bytes: Uint8Array,
): string | undefined {
  if (idempotencyKey === undefined) return undefined;
  return createHash('sha256')
    .update(JSON.stringify([idempotencyKey, folderId, filename, hashOf(bytes)]))
    .digest('hex');
}

function toResult(
  plan: UploadPlan,
  planned: PlannedFile,
  results: ReadonlyMap<FoundFile, UploadResult<Asset>>,
): AssetUploadResult {
  const { file, folder, problem, existing, sameAs } = planned;
  const path = [...plan.tree.pathOf(plan.root), ...folder];
  const base = {
    file: file.path,
    filename: file.filename,
    folder: path.length > 0 ? path.join('/') : null,
    sizeBytes: file.size ?? null,
  };
  if (problem)
    return {
      ...base,
      status: 'failed',
      assetId: null,
      error: toUploadFailure(file.path, {
        filename: file.filename,
        status: 'failed',
        error: problem,
      }),
    };
  if (existing) return { ...base, status: 'already_there', assetId: existing.id, error: null };
  const first = sameAs === undefined ? undefined : plan.files[sameAs];
  const result = results.get(first?.file ?? file);
  if (!result)
    return { ...base, status: 'already_there', assetId: first?.existing?.id ?? null, error: null };
  if (result.status === 'stored')
    return {
      ...base,
      status: first ? 'already_there' : 'stored',
      assetId: result.record.id,
      error: null,
    };
  return {
    ...base,
    status: result.status,
    assetId: null,
    error: toUploadFailure(file.path, result),
  };
}
