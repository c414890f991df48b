/** The files of photos and assets: how they are stored, read, and deleted with the last record that uses them. */
import type { AssetType } from '../../contract/assets.ts';
import { formatBytes } from '../../contract/limits.ts';
import type { Context, IngestContext, ReadContext } from '../context.ts';
import type { Reader } from '../database/database.ts';
import { decodeBase64 } from '../files/base64.ts';
import { checkFile, type FileKind } from '../files/file-kinds.ts';
import { safeFilename } from '../files/filename.ts';
import { contentName, type FileStore } from '../files/store.ts';
import { ApiProblem, invalid } from '../problem.ts';
import type { Bytes, Ingested } from './rule.ts';

/** Tables that refer to files. Equal files of a team are stored once. */
const tablesWithBytes = ['carPhotos', 'assets'] as const;

interface Given {
  readonly filename?: string | null;
  readonly contentType?: string | null;
  readonly base64?: string | null;
  readonly sourceUrl?: string | null;
}
interface Named {
  readonly id: string;
  readonly filename: string;
  readonly contentType: AssetType;
  readonly sha256: string;
}
type IngestedFile<Facts> = Ingested<
  Facts & { filename: string; sizeBytes: number; sha256: string }
>;

/** Stores a body's file before the row is written, so that no row lacks its bytes. Throws `quota_exceeded` before that. */
export async function ingestFile<Facts extends { contentType: AssetType }>(
  context: IngestContext,
  kind: FileKind<Facts>,
  body: Given,
): Promise<IngestedFile<Facts>> {
  const { team, files, fetchSource, teamQuota } = context;
  const bytes = await bytesOf(body, kind.limit, fetchSource);
  const facts = checkFile(kind, bytes, body.contentType);
  // A repeat may find its record, which takes no room.
  if (!(await isNamed(context, contentName(bytes))))
    await requireRoom(context, teamQuota, bytes.length);
  const { sha256, sizeBytes } = await files.put(team.id, bytes);
  return {
    values: {
      ...facts,
      filename: safeFilename(body.filename, facts.contentType, kind.noun),
      sizeBytes,
      sha256,
    },
    // Garbage collection may have deleted them since, with the last record that used them.
    async ensureStored(writing) {
      // Parallel uploads passed the first check together.
      await requireRoom(writing, teamQuota, sizeBytes);
      if (!(await files.has(team.id, sha256))) await files.put(team.id, bytes);
    },
    removeUnused: (writing) => removeUnused(writing, files, sha256),
  };
}

function bytesOf(
  body: Given,
  limit: number,
  fetchSource: IngestContext['fetchSource'],
): Promise<Uint8Array> | Uint8Array {
  if (body.base64 && body.sourceUrl)
    throw new ApiProblem('conflicting_fields', 'Give base64 or sourceUrl, not both', {
      fields: ['base64', 'sourceUrl'],
    });
  if (body.base64) return decodeBase64(body.base64, limit);
  if (body.sourceUrl) return fetchSource(body.sourceUrl, limit);
  throw invalid([{ path: 'base64', rule: 'required', message: 'or sourceUrl is required' }]);
}

export async function readBytes(
  { team, files }: Pick<IngestContext, 'team' | 'files'>,
  record: Named,
): Promise<Bytes> {
  const bytes = await files.read(team.id, record.sha256);
  if (!bytes) throw new Error(`The bytes of ${record.id} are missing`);
  return {
    ...bytes,
    contentType: record.contentType,
    filename: record.filename,
    hash: record.sha256,
  };
}

/**
 * After a record is deleted, deletes its bytes if no other record uses them. Runs in a transaction of its own, so that no record
 * with the same bytes can be added in between.
 */
export function collectGarbage(context: Context, sha256: string): void {
  context.afterCommit(({ files, write }) => write((later) => removeUnused(later, files, sha256)));
}

async function removeUnused(context: Context, files: FileStore, sha256: string): Promise<void> {
  if (!(await isNamed(context, sha256))) await files.remove(context.team.id, sha256);
}

/** Throws `quota_exceeded` unless the team may store as many bytes more. Exact inside a transaction, where no other upload ends. */
async function requireRoom(
  context: ReadContext,
  teamQuota: number | null,
  sizeBytes: number,
): Promise<void> {
  const quotaBytes = await quotaOf(context, teamQuota);
  if (quotaBytes === null) return;
  const usedBytes = await usedBytesOf(context.db, context.team.id);
  if (usedBytes + sizeBytes <= quotaBytes) return;
  const [size, used, quota] = [sizeBytes, usedBytes, quotaBytes].map(formatBytes);
  throw new ApiProblem(
    'quota_exceeded',
    `The photos and assets of the team take ${used} and may take ${quota}, so this file of ${size} is too much`,
    { sizeBytes, usedBytes, quotaBytes },
  );
}

/** What the files of a team may take, in bytes: its own limit, or else that of the service. Null for any amount. */
export async function quotaOf(
  { db, team }: ReadContext,
  teamQuota: number | null,
): Promise<number | null> {
  const { quotaBytes } = await db
    .selectFrom('teams')
    .select('quotaBytes')
    .where('id', '=', team.id)
    .executeTakeFirstOrThrow();
  return quotaBytes ?? teamQuota;
}

/** The sizes of all photos and assets of a team. Bytes that several records use count for each of them. */
export async function usedBytesOf(db: Reader, teamId: string): Promise<number> {
  let sum = 0;
  for (const table of tablesWithBytes) {
    const { bytes } = await db
      .selectFrom(table)
      .select(({ fn }) => fn.sum<string | null>('sizeBytes').as('bytes'))
      .where('teamId', '=', teamId)
      .executeTakeFirstOrThrow();
    sum += Number(bytes);
  }
  return sum;
}

async function isNamed({ db, team }: ReadContext, sha256: string): Promise<boolean> {
  for (const table of tablesWithBytes) {
    const row = await db
      .selectFrom(table)
      .select('id')
      .where('teamId', '=', team.id)
      .where('sha256', '=', sha256)
      .executeTakeFirst();
    if (row) return true;
  }
  return false;
}
