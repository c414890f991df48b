/** Checks stored bytes against records: missing, damaged and unused bytes. */
import { hashOf, plainKey, type StoredFile } from '../files/store.ts';
import { anyTable } from '../records.ts';
import { tablesWithBytes } from '../rules/stored-bytes.ts';
import type { Stores } from '../stores.ts';

/** Bytes are stored before their record: younger ones may belong to an upload in progress. In milliseconds. */
const uploadMs = 60 * 60_000;

interface Named {
  /** Undefined where the database doesn't know the bytes of its record. */
  readonly key: string | undefined;
  readonly teamId: string;
  readonly sha256: string;
  readonly sizeBytes: number;
}

interface Watch {
  /** All files of the store, to compare sizes; otherwise all bytes are read. */
  readonly sizes: ReadonlyMap<string, number> | undefined;
  readonly signal?: AbortSignal;
  readonly onProgress: (now: string) => void;
}

/** Checks the bytes of all records. Paths are relative to the store. */
export async function checkBytes(
  stores: Stores,
  { sizes, signal, onProgress }: Watch,
): Promise<{ files: number; sizeBytes: number; missing: string[]; damaged: string[] }> {
  const named = await namedBytes(stores);
  const faults = { missing: [] as Named[], damaged: [] as Named[] };
  let [files, sizeBytes] = [0, 0];
  for (const [at, content] of named.entries()) {
    signal?.throwIfAborted();
    if (at % 100 === 0) onProgress(`Checking files: ${at} of ${named.length}`);
    const state = await stateOf(stores, content, sizes);
    if (state === 'whole') {
      files += 1;
      sizeBytes += content.sizeBytes;
    } else faults[state].push(content);
  }
  // Deleted meanwhile, or stored again under another key, is no fault.
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
  { files }: Stores,
  { key, sha256, sizeBytes }: Named,
  sizes: Watch['sizes'],
): Promise<'whole' | 'missing' | 'damaged'> {
  if (key === undefined) return 'missing';
  if (sizes) {
    // A later upload isn't in the list.
    const size = sizes.get(key) ?? (await files.sizeOf(key));
    return size === undefined ? 'missing' : size === sizeBytes ? 'whole' : 'damaged';
  }
  const stored = await files.get(key);
  if (!stored) return 'missing';
  const isSame = (await hashOf(stored.stream)) === sha256;
  return isSame && stored.size === sizeBytes ? 'whole' : 'damaged';
}

async function namedBytes({ database }: Stores): Promise<Named[]> {
  const all = new Map<string, Named>();
  const known = await database.read.selectFrom('storedBytes').selectAll().execute();
  const keys = new Map(known.map((row) => [plainKey(row.teamId, row.sha256), row.key]));
  for (const table of tablesWithBytes) {
    const rows = await anyTable({ db: database.read })
      .selectFrom(table)
      .select(['teamId', 'sha256', 'sizeBytes'])
      .distinct()
      .execute();
    for (const row of rows as unknown as Named[]) {
      const plain = plainKey(row.teamId, row.sha256);
      all.set(plain, { ...row, key: keys.get(plain) });
    }
  }
  return [...all.values()];
}

/** The service deletes files within minutes. In milliseconds. */
const deletionMs = 24 * 60 * 60_000;

/** Unused files, without uploads in progress and those that the service is about to delete. */
export async function findOrphans(
  { database }: Stores,
  /** Listed before, so that new records are known. */
  all: readonly StoredFile[],
  olderThanMs = uploadMs,
): Promise<StoredFile[]> {
  const until = Date.now() - olderThanMs;
  const stored = await database.read.selectFrom('storedBytes').select('key').execute();
  const deleted = await database.read
    .selectFrom('deletedBytes')
    .select('key')
    .where('at', '>', new Date(Date.now() - deletionMs).toISOString())
    .execute();
  const used = new Set([...stored, ...deleted].map(({ key }) => key));
  return all.filter(({ key, modifiedAt }) => modifiedAt.getTime() < until && !used.has(key));
}

const pathOf = ({ key, teamId, sha256 }: Named): string => key ?? plainKey(teamId, sha256);
