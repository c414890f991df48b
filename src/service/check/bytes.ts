/** Checks stored bytes against records: missing, damaged and unused bytes. */
import { createHash } from 'node:crypto';
import { tablesWithBytes } from '../backup/referenced-bytes.ts';
import type { ReadContext } from '../context.ts';
import type { FileStore, StoredFile } from '../files/store.ts';
import { anyTable } from '../records.ts';
import type { Stores } from '../stores.ts';
import { inTransaction } from '../transaction.ts';

/** Bytes are stored before their record: younger ones may belong to an upload in progress. In milliseconds. */
const uploadMs = 60 * 60_000;

interface Named {
  readonly teamId: string;
  readonly sha256: string;
  readonly sizeBytes: number;
}

interface Watch {
  readonly signal?: AbortSignal;
  readonly onProgress: (now: string) => void;
}

/** Reads all referenced bytes. Paths are relative to the store's folder. */
export async function checkBytes(
  stores: Stores,
  { signal, onProgress }: Watch,
): Promise<{ files: number; sizeBytes: number; missing: string[]; damaged: string[] }> {
  const named = await namedBytes(stores);
  const faults = { missing: [] as Named[], damaged: [] as Named[] };
  let [files, sizeBytes] = [0, 0];
  for (const [at, content] of named.entries()) {
    signal?.throwIfAborted();
    if (at % 100 === 0) onProgress(`Reading files: ${at} of ${named.length}`);
    const state = await stateOf(stores.files, content);
    if (state === 'whole') {
      files += 1;
      sizeBytes += content.sizeBytes;
    } else faults[state].push(content);
  }
  // Deleted meanwhile is no fault.
  const still =
    faults.missing.length > 0 ? new Set((await namedBytes(stores)).map(pathOf)) : new Set<string>();
  return {
    files,
    sizeBytes,
    missing: faults.missing.map(pathOf).filter((path) => still.has(path)),
    damaged: faults.damaged.map(pathOf),
  };
}

async function stateOf(
  files: FileStore,
  { teamId, sha256, sizeBytes }: Named,
): Promise<'whole' | 'missing' | 'damaged'> {
  const stored = await files.read(teamId, sha256);
  if (!stored) return 'missing';
  const hash = createHash('sha256');
  for await (const chunk of stored.stream) hash.update(chunk as Buffer);
  return stored.size === sizeBytes && hash.digest('hex') === sha256 ? 'whole' : 'damaged';
}

async function namedBytes({ database }: Stores): Promise<Named[]> {
  const all = new Map<string, Named>();
  for (const table of tablesWithBytes) {
    const rows = await anyTable({ db: database.read })
      .selectFrom(table)
      .select(['teamId', 'sha256', 'sizeBytes'])
      .distinct()
      .execute();
    for (const row of rows as unknown as Named[]) all.set(pathOf(row), row);
  }
  return [...all.values()];
}

/** Unused bytes, without uploads in progress. */
export async function findOrphans(stores: Stores): Promise<StoredFile[]> {
  const [files, until]: [StoredFile[], number] = [[], Date.now() - uploadMs];
  for await (const file of stores.files.list())
    if (file.modifiedAt.getTime() < until) files.push(file);
  // Queried after the files were listed, so that new records are included.
  const named = new Set((await namedBytes(stores)).map(pathOf));
  return files.filter((file) => !named.has(pathOf(file)));
}

/** Each inside the write lock of its team, so that no new record can refer to it in between. */
export async function removeOrphans(
  stores: Stores,
  orphans: readonly StoredFile[],
): Promise<StoredFile[]> {
  const teams = new Set(
    (await stores.database.read.selectFrom('teams').select('id').execute()).map(({ id }) => id),
  );
  const removed: StoredFile[] = [];
  for (const orphan of orphans) {
    const remove = async (context?: ReadContext) => {
      if (context && (await isNamed(context, orphan.sha256))) return;
      await stores.files.remove(orphan.teamId, orphan.sha256);
      removed.push(orphan);
    };
    await (teams.has(orphan.teamId)
      ? inTransaction(stores, { id: orphan.teamId }, remove)
      : remove());
  }
  return removed;
}

async function isNamed(context: ReadContext, sha256: string): Promise<boolean> {
  for (const table of tablesWithBytes) {
    const row = await anyTable(context)
      .selectFrom(table)
      .select('id')
      .where('teamId', '=', context.team.id)
      .where('sha256', '=', sha256)
      .executeTakeFirst();
    if (row) return true;
  }
  return false;
}

export const pathOf = ({ teamId, sha256 }: Pick<Named, 'teamId' | 'sha256'>) =>
  `${teamId}/${sha256}`;
