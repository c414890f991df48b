/** The files of photos and assets: how they are stored, read, and deleted with the last record that uses them. */
import type { AssetType } from '../../contract/assets.ts';
import type { Context, IngestContext, ReadContext } from '../context.ts';
import { decodeBase64 } from '../files/base64.ts';
import { checkFile, type FileKind } from '../files/file-kinds.ts';
import { safeFilename } from '../files/filename.ts';
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

/** Stores a body's file before the row is written, so that no row lacks its bytes. */
export async function ingestFile<Facts extends { contentType: AssetType }>(
  { team, files, fetchSource }: IngestContext,
  kind: FileKind<Facts>,
  body: Given,
): Promise<IngestedFile<Facts>> {
  const bytes = await bytesOf(body, kind.limit, fetchSource);
  const facts = checkFile(kind, bytes, body.contentType);
  const { sha256, sizeBytes } = await files.put(team.id, bytes);
  return {
    values: {
      ...facts,
      filename: safeFilename(body.filename, facts.contentType, kind.noun),
      sizeBytes,
      sha256,
    },
    // Garbage collection may have deleted them since, with the last record that used them.
    async ensureStored() {
      if (!(await files.has(team.id, sha256))) await files.put(team.id, bytes);
    },
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
  context.afterCommit(({ files, write }) =>
    write(async (later) => {
      if (!(await isNamed(later, sha256))) await files.remove(later.team.id, sha256);
    }),
  );
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
