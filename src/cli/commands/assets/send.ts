/** `cs assets upload`: checks every file, creates missing folders, and uploads what isn't there yet. */

import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join, relative, resolve, sep } from 'node:path';
import { toBase64 } from '../../../client/platform.ts';
import { isGeneralFailure, type UploadResult, uploadFiles } from '../../../client/uploads.ts';
import { assetTypeOf } from '../../../contract/asset-type.ts';
import { assetTypes } from '../../../contract/assets.ts';
import type { RecordFor } from '../../../contract/contract.ts';
import { assetLimit, formatBytes } from '../../../contract/limits.ts';
import { photoHeadLength } from '../../../contract/photo-type.ts';
import { compareNaturally } from '../../../facility/natural.ts';
import type { Context } from '../../context.ts';
import { CliError } from '../../errors/exit.ts';
import { describeFsError } from '../../errors/file-system.ts';
import type { Input } from '../../framework/command.ts';
import { listIn } from '../../input/list.ts';
import { showOutcomes } from '../../output/outcomes.ts';
import { showRequests } from '../../resources/batch.ts';
import { resolveId } from '../../resources/lookup.ts';
import { gather } from '../../resources/methods.ts';
import { operationFor, planned } from '../../resources/operation.ts';
import { ignoreKeys } from '../../terminal/keyboard.ts';
import { startSpinner } from '../../terminal/spinner.ts';
import { pluralize, shortPath } from '../../terminal/text.ts';
import type { UploadFailure } from '../files/shape.ts';
import { incompleteUpload, toUploadFailure } from '../files/upload-failure.ts';
import { uploadView } from '../files/view.ts';
import { readFolders } from './folders.ts';

type Asset = RecordFor<'assets'>;

interface FoundFile {
  /** Absolute. */
  readonly path: string;
  readonly filename: string;
  /** Folder names below the given folder, outermost first; empty for a given file. */
  readonly folders: readonly string[];
}

interface CheckedFile extends FoundFile {
  readonly sizeBytes: number | null;
  readonly sha256?: string;
  /** Why it can't be uploaded. */
  readonly problem?: unknown;
}

interface Outcome {
  readonly status: 'stored' | 'already_there' | 'failed' | 'not_sent';
  readonly assetId: string | null;
  readonly error: UploadFailure | null;
}

export async function uploadAssets(
  context: Context,
  paths: readonly string[],
  { folder, tags: typedTags, altText, idempotencyKey, dryRun }: Input['options'],
): Promise<void> {
  const { io, output } = context;
  const { files: found, hidden } = await findFiles(paths, io.cwd);
  const root =
    folder === undefined
      ? null
      : await resolveId(context, { resource: 'assetFolders', text: folder });
  const client = await context.client();
  const tree = await readFolders(client);
  const checked: CheckedFile[] = [];
  for (const file of found) checked.push(await check(file));
  if (hidden > 0) context.note(`${pluralize(hidden, 'hidden file', 'hidden files')} skipped.`);

  const keyOf = (folderId: unknown, filename: unknown, sha256: unknown) =>
    JSON.stringify([folderId, String(filename).normalize('NFC'), sha256]);
  const existing = new Map<string, string>();
  for (const { id, folderId, filename, sha256 } of await gather(client.assets.all()))
    existing.set(keyOf(folderId, filename, sha256), id);
  const outcomes = new Map<CheckedFile, Outcome>();
  const toSend: CheckedFile[] = [];
  /** Equal files (name, folder, bytes) are sent once and share the outcome. */
  const firstOf = new Map<string, CheckedFile>();
  const duplicates = new Map<CheckedFile, CheckedFile>();
  for (const file of checked) {
    // A folder that doesn't exist yet is known by its path.
    const folderId = tree.find(root, file.folders);
    const key = keyOf(folderId === undefined ? file.folders : folderId, file.filename, file.sha256);
    const assetId = existing.get(key);
    const first = firstOf.get(key);
    if (file.problem)
      outcomes.set(file, failed(file, { ...file, status: 'failed', error: file.problem }));
    else if (assetId !== undefined)
      outcomes.set(file, { status: 'already_there', assetId, error: null });
    else if (first) duplicates.set(file, first);
    else {
      firstOf.set(key, file);
      toSend.push(file);
    }
  }
  const missing = new Map<string, readonly string[]>();
  for (const { folders } of toSend)
    for (const depth of folders.keys()) {
      const path = folders.slice(0, depth + 1);
      if (tree.find(root, path) === undefined) missing.set(path.join('/'), path);
    }
  const tags = typedTags && listIn(typedTags);

  if (dryRun) {
    for (const { path, problem } of checked)
      if (problem)
        context.note(`${shortPath(io.cwd, path)}  invalid: ${(problem as Error).message}`);
    const idOf = (folders: readonly string[]) =>
      tree.find(root, folders) ??
      (folders[0] ? `(id of the new folder ${folders.join('/')})` : null);
    const requests = [
      ...[...missing.values()].map((path) =>
        planned(operationFor('assetFolders', 'create'), [], {
          name: path.at(-1),
          parentId: idOf(path.slice(0, -1)),
        }),
      ),
      ...toSend.map(({ folders, filename, sizeBytes }) =>
        planned(operationFor('assets', 'create'), [], {
          folderId: idOf(folders),
          filename,
          base64: `(${sizeBytes} bytes)`,
          tags,
          altText,
        }),
      ),
    ];
    return showRequests(context, requests, false);
  }

  // Before the spinner: it may prompt.
  if (toSend.length > 0) await context.writes.permit();
  const spinner = await startSpinner(
    context,
    `Sending ${pluralize(toSend.length, 'file', 'files')}`,
  );
  const { signal } = io;
  let done = 0;
  const send = async (): Promise<UploadResult<Asset>[]> => {
    for (const path of missing.values())
      tree.add(
        await client.assetFolders.create(
          { name: path.at(-1) as string, parentId: tree.find(root, path.slice(0, -1)) ?? null },
          { signal },
        ),
      );
    return uploadFiles({
      files: toSend.map(({ path, filename }) => ({
        filename,
        load: async () => ({ bytes: await readAsset(path), filename }),
      })),
      send: ({ bytes, filename }, index) => {
        const folderId = tree.find(root, toSend[index]?.folders ?? []) ?? null;
        // With the same key for all, the second file would be a repeat of the first.
        const key =
          idempotencyKey && hashOf(keyOf(folderId, filename, idempotencyKey + hashOf(bytes)));
        return client.assets.create(
          { folderId, filename, base64: toBase64(bytes), tags, altText },
          { signal, idempotencyKey: key },
        );
      },
      failsForAll: isGeneralFailure,
      concurrency: 3,
      onProgress: ({ phase, filename }) => {
        if (phase === 'stored' || phase === 'failed') done += 1;
        spinner.text(`${done} of ${toSend.length} · ${filename}`);
      },
      signal,
    });
  };
  const results = await ignoreKeys(context, send).finally(() => spinner.stop());
  const resultOf = new Map(toSend.map((file, index) => [file, results[index]]));
  for (const file of [...toSend, ...duplicates.keys()]) {
    const first = duplicates.get(file);
    const result = resultOf.get(first ?? file) as UploadResult<Asset>;
    outcomes.set(
      file,
      result.status === 'stored'
        ? { status: first ? 'already_there' : 'stored', assetId: result.record.id, error: null }
        : failed(file, result),
    );
  }

  const top = tree.pathOf(root);
  const shown = checked.map((file) => ({
    file: file.path,
    filename: file.filename,
    folder: [...top, ...file.folders].join('/') || null,
    sizeBytes: file.sizeBytes,
    ...(outcomes.get(file) as Outcome),
  }));
  const words = { already_there: 'already there', not_sent: 'not sent' };
  const lines = shown.map(({ file, filename, folder: within, status, assetId, error }) => {
    if (status === 'stored')
      return `asset ${assetId} added  ${within === null ? '' : `${within}/`}${filename}`;
    const what = error?.unknownOutcome ? 'upload interrupted, may be stored' : 'not stored';
    return `${shortPath(io.cwd, file)}  ${status === 'failed' ? `${what}: ${error?.message}` : words[status]}`;
  });
  await showOutcomes(output, {
    view: uploadView,
    outcomes:
      output.format === 'id'
        ? [...new Set(shown.flatMap(({ assetId }) => assetId ?? []))].map((id) => ({ id }))
        : shown,
    lines,
  });
  if (shown.length === 0) context.note('No files.');
  const failure = incompleteUpload(io, {
    failures: shown.map(({ error }) => error),
    one: 'file',
    many: 'files',
    reasonsShown: output.forPeople,
    // Invalid files fail again until they are fixed.
    hint: shown.some(({ error }) => error && error.exitCode !== 3)
      ? 'run the same command again: stored files are skipped'
      : 'leave them out, or fix the files listed above',
  });
  if (failure) throw failure;
}

const failed = (
  { path }: FoundFile,
  result: Exclude<UploadResult<Asset>, { status: 'stored' }>,
): Outcome => ({ status: result.status, assetId: null, error: toUploadFailure(path, result) });

/** The files of the paths, and of folders with their subfolders. `hidden`: the number of skipped ones, such as `.DS_Store`. */
async function findFiles(
  paths: readonly string[],
  cwd: string,
): Promise<{ files: FoundFile[]; hidden: number }> {
  const files = new Map<string, FoundFile>();
  let hidden = 0;
  for (const given of paths) {
    const root = resolve(cwd, given);
    try {
      if (!(await stat(root)).isDirectory()) {
        files.set(root, { path: root, filename: nameOf(root), folders: [] });
        continue;
      }
      const inside: FoundFile[] = [];
      // Links to folders aren't followed: one to a parent would never end.
      for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
        if (entry.isDirectory()) continue;
        const path = join(entry.parentPath, entry.name);
        const folders = relative(root, entry.parentPath).split(sep).filter(Boolean);
        if ([...folders, entry.name].some(isHidden)) hidden += 1;
        else inside.push({ path, filename: nameOf(path), folders });
      }
      inside.sort((a, b) => compareNaturally(a.path, b.path));
      for (const file of inside) files.set(file.path, file);
    } catch (error) {
      throw new CliError({
        code: 'invalid_file',
        message: `${given}: ${describeFsError(error, { ENOENT: 'no such file' })}. Nothing was sent.`,
        hint: 'check the spelling and the permissions',
      });
    }
  }
  return { files: [...files.values()], hidden };
}

const nameOf = (path: string): string => basename(path).normalize('NFC');
const isHidden = (name: string): boolean =>
  name.startsWith('.') || /^(thumbs\.db|desktop\.ini)$/i.test(name);

async function check(file: FoundFile): Promise<CheckedFile> {
  try {
    const bytes = await readAsset(file.path);
    return { ...file, sizeBytes: bytes.length, sha256: hashOf(bytes) };
  } catch (problem) {
    return { ...file, sizeBytes: null, problem };
  }
}

const typeNames = assetTypes.map((type) => type.replace(/^\w+\//, '').toUpperCase()).join(', ');

async function readAsset(path: string): Promise<Buffer> {
  const refuse = (why: string, hint: string) =>
    new CliError({ code: 'invalid_file', message: why, hint });
  try {
    const entry = await stat(path);
    if (!entry.isFile()) throw refuse("isn't a regular file", 'leave it out');
    if (entry.size === 0) throw refuse('is empty', 'leave it out, or copy it again');
    if (entry.size > assetLimit)
      throw refuse(
        `is too large: ${formatBytes(entry.size)}, maximum ${formatBytes(assetLimit)}`,
        'save it smaller',
      );
    const bytes = await readFile(path);
    if (assetTypeOf(bytes.subarray(0, photoHeadLength))) return bytes;
    throw refuse(`isn't a supported asset type (${typeNames})`, 'leave it out');
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw refuse(`can't be read: ${describeFsError(error)}`, 'check the permissions');
  }
}

const hashOf = (bytes: Uint8Array | string): string =>
  createHash('sha256').update(bytes).digest('hex');
