/** The files of photos and assets: how they are stored, read, and deleted with the last record that uses them. */
import type { AssetType } from '../../contract/assets.ts';
import { formatBytes } from '../../contract/limits.ts';
import type { Context, IngestContext, ReadContext } from '../context.ts';
import type { Reader } from '../database/database.ts';
import { decodeBase64 } from '../files/base64.ts';
import { checkFile, type FileKind } from '../files/file-kinds.ts';
import { safeFilename } from '../files/filename.ts';
import { contentName, newKey, StorageUnavailable } from '../files/store.ts';
import { ApiProblem, invalidValue, notFound } from '../problem.ts';
import type { Bytes, Ingested } from './rule.ts';

/** Tables that refer to files. Equal files of a team are stored once. */
export const tablesWithBytes = ['carPhotos', 'assets'] as const;

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
  const { team, files, fileMoves, fetchSource, teamQuota } = context;
  const bytes = await bytesOf(body, kind.limit, fetchSource);
  const facts = checkFile(kind, bytes, body.contentType);
  const [sha256, sizeBytes] = [contentName(bytes), bytes.length];
  // A repeat may find its record, which takes no room.
  if (!(await isNamed(context, sha256))) await requireRoom(context, teamQuota, sizeBytes);
  const key = newKey(team.id, sha256);
  await files.put(key, bytes);
  return {
    values: {
      ...facts,
      filename: safeFilename(body.filename, facts.contentType, kind.noun),
      sizeBytes,
      sha256,
    },
    async store(writing, { isNew = true } = {}) {
      if (writing.team.fileMoves !== fileMoves) throw new StorageUnavailable(movedAway);
      // Parallel uploads passed the first check together.
      if (isNew) await requireRoom(writing, teamQuota, sizeBytes);
      await putKey(writing, { sha256, sizeBytes, key });
    },
    // Best effort: `cs admin check` finds bytes that are left.
    discard: () => files.remove(key).catch(() => undefined),
  };
}

const movedAway = new Error(
  'The files of the database have moved to another store: restart this service with its --files',
);

/** The latest bytes take the place of equal ones, which may be damaged. */
async function putKey(
  { db, team, now }: Context,
  stored: { sha256: string; sizeBytes: number; key: string },
): Promise<void> {
  const earlier = await keyOf({ db, team }, stored.sha256);
  if (earlier !== undefined)
    await db
      .insertInto('deletedBytes')
      .values({ teamId: team.id, key: earlier, at: now })
      .execute();
  await db
    .insertInto('storedBytes')
    .values({ teamId: team.id, ...stored })
    .onConflict((same) => same.columns(['teamId', 'sha256']).doUpdateSet({ key: stored.key }))
    .execute();
}

async function keyOf(
  { db, team }: Pick<ReadContext, 'db'> & { team: { id: string } },
  sha256: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('storedBytes')
    .select('key')
    .where('teamId', '=', team.id)
    .where('sha256', '=', sha256)
    .executeTakeFirst();
  return row?.key;
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
  throw invalidValue('base64', 'required', 'or sourceUrl is required');
}

export async function readBytes(
  context: ReadContext & Pick<IngestContext, 'files'>,
  record: Named,
): Promise<Bytes> {
  const key = await keyOf(context, record.sha256);
  const bytes = key === undefined ? undefined : await context.files.get(key);
  if (!bytes) {
    // Deleted since its record was read.
    if (!(await isNamed(context, record.sha256))) throw notFound('file');
    throw new Error(`The bytes of ${record.id} are missing`);
  }
  return {
    ...bytes,
    contentType: record.contentType,
    filename: record.filename,
    hash: record.sha256,
  };
}

/** After a record is deleted, gives up its bytes if no other record uses them: files/deletions.ts deletes them later. */
export async function releaseBytes(context: Context, sha256: string): Promise<void> {
  if (await isNamed(context, sha256)) return;
  const { db, team, now } = context;
  const key = await keyOf(context, sha256);
  if (key === undefined) return;
  await db
    .deleteFrom('storedBytes')
    .where('teamId', '=', team.id)
    .where('sha256', '=', sha256)
    .execute();
  await db.insertInto('deletedBytes').values({ teamId: team.id, key, at: now }).execute();
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
