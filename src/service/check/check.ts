/** Checks the integrity of all data: the database itself, records against each other, and bytes against records. */
import { sql } from 'kysely';
import { databaseKind } from '../database/create-tables.ts';
import type { Reader } from '../database/database.ts';
import { DamagedData, isDamage, OutdatedDatabase } from '../database/failures.ts';
import { doneSteps } from '../database/migrate.ts';
import type { Place } from '../database/open.ts';
import { findSchemaFaults, type SchemaObject, schemaQuery } from '../database/sqlite/schema.ts';
import { forEachFile } from '../files/at-once.ts';
import { requireOwnStore } from '../files/ownership.ts';
import { findDeadLetters } from '../outbox/outbox.ts';
import { eachBatch, findIds } from '../records.ts';
import { idsAt, references } from '../references.ts';
import { openStores, type Stores } from '../stores.ts';
import { findWarnings, type Warning } from '../warnings.ts';
import { checkBytes, findOrphans } from './bytes.ts';
import { questions, searchQuestions } from './consistency.ts';

export interface CheckOptions extends Place {
  /** Deletes unused bytes. */
  readonly fix?: boolean;
  readonly signal?: AbortSignal;
  readonly onProgress?: (now: string) => void;
}

/** A fault. */
export interface Finding {
  readonly check: 'database' | 'schema' | 'references' | 'records' | 'bytes' | 'orphans' | 'outbox';
  /** How many of what, in words. */
  readonly message: string;
  readonly count: number;
  /** The first ones: ids, paths, or messages of the database. */
  readonly examples: readonly string[];
}

export interface CheckResult {
  readonly ok: boolean;
  readonly findings: readonly Finding[];
  /** Intact, but needs attention. */
  readonly warnings: readonly Warning[];
  /** Number and size of the files read without a fault. */
  readonly files: number;
  readonly sizeBytes: number;
  /** What --fix deleted. */
  readonly removed: { readonly files: number; readonly sizeBytes: number };
}

/** Read-only without `fix`. Neither waits for the service nor blocks it. */
export async function checkData({
  data,
  files: s3,
  database,
  pooler,
  fix = false,
  signal,
  onProgress = () => {},
}: CheckOptions): Promise<CheckResult> {
  let stores: Stores;
  try {
    stores = await openStores({ data, files: s3, database, pooler });
  } catch (error) {
    const faults =
      error instanceof OutdatedDatabase
        ? found('schema', error.missing, ...inTables)
        : isDamage(error) || error instanceof DamagedData
          ? found('database', [(error as Error).message], ...inFile)
          : undefined;
    if (!faults) throw error;
    return { ...nothing, findings: faults };
  }
  try {
    await requireOwnStore(stores.database, stores.files, { claim: false });
    onProgress('Checking the records');
    const ofFile = database === undefined ? await checkFile(stores) : [];
    // A damaged database can't answer the other checks.
    if (ofFile.some(({ check }) => check === 'database')) return { ...nothing, findings: ofFile };
    const ofRecords = await checkRecords(stores, signal);
    onProgress('Listing the files');
    const all = await Array.fromAsync(stores.files.list());
    const sizes = s3 && new Map(all.map(({ key, sizeBytes }) => [key, sizeBytes]));
    const bytes = await checkBytes(stores, { sizes, signal, onProgress });
    const orphans = await findOrphans(stores, all);
    if (fix) await forEachFile(orphans, ({ key }) => stores.files.remove(key));
    const [removed, left] = fix ? [orphans, []] : [[], orphans];
    const findings = [
      ...ofFile,
      ...ofRecords,
      // They need a decision of the operator.
      ...found(
        'outbox',
        await findDeadLetters(stores.database.read),
        'outbox entry was set aside; see `cs admin outbox list --failed`',
        'outbox entries were set aside; see `cs admin outbox list --failed`',
      ),
      ...found(
        'bytes',
        bytes.missing,
        'file of a record is missing',
        'files of records are missing',
      ),
      ...found(
        'bytes',
        bytes.damaged,
        "file doesn't match its record",
        "files don't match their records",
      ),
      ...found(
        'orphans',
        left.map(({ key }) => key),
        'unused file; --fix deletes it',
        'unused files; --fix deletes them',
      ),
    ];
    const { files, sizeBytes } = bytes;
    const freed = removed.reduce((sum, file) => sum + file.sizeBytes, 0);
    return {
      ok: findings.length === 0,
      findings,
      warnings: findWarnings(stores.database),
      files,
      sizeBytes,
      removed: { files: removed.length, sizeBytes: freed },
    };
  } finally {
    await stores.database.close();
  }
}

const nothing = {
  ok: false,
  warnings: [],
  files: 0,
  sizeBytes: 0,
  removed: { files: 0, sizeBytes: 0 },
};
const inTables = [
  "table or column that this version of cs needs isn't there",
  "tables or columns that this version of cs needs aren't there",
] as const;
const inFile = ['fault in the database file', 'faults in the database file'] as const;

function found(
  check: Finding['check'],
  all: readonly string[],
  one: string,
  many: string,
): Finding[] {
  if (all.length === 0) return [];
  return [
    {
      check,
      message: `${all.length} ${all.length === 1 ? one : many}`,
      count: all.length,
      examples: all.slice(0, 5),
    },
  ];
}

/** SQLite's own checks. Not in a transaction, which a damaged page would abort. */
async function checkFile({ database: { read } }: Stores): Promise<Finding[]> {
  const faults = await answers(read, 'pragma integrity_check', ({ integrity_check: result }) =>
    result === 'ok' ? [] : [String(result)],
  );
  if (faults.length > 0) return found('database', faults, ...inFile);
  const { rows } = await sql.raw<SchemaObject>(schemaQuery).execute(read);
  const foreign = await findSchemaFaults(rows, await doneSteps(read));
  const dangling = await answers(read, 'pragma foreign_key_check', ({ table, parent }) => [
    `${table} → ${parent}`,
  ]);
  return [
    ...found(
      'schema',
      foreign,
      "database object differs from cs's schema",
      "database objects differ from cs's schema",
    ),
    ...found('references', dangling, 'dangling reference', 'dangling references'),
  ];
}

/** In one snapshot, so that concurrent writes are no contradiction. */
async function checkRecords(
  { database }: Stores,
  signal: AbortSignal | undefined,
): Promise<Finding[]> {
  return database.read.transaction().execute(async (db) => {
    const findings: Finding[] = [];
    for (const { sql: text, one, many } of [
      ...questions,
      ...searchQuestions(databaseKind(database.read)),
    ]) {
      signal?.throwIfAborted();
      findings.push(...found('records', await answers(db, text, wrongId), one, many));
    }
    findings.push(
      ...found(
        'references',
        await findDanglingReferences(db, signal),
        'dangling reference',
        'dangling references',
      ),
    );
    return findings;
  });
}

type Row = Record<string, unknown>;

async function answers(db: Reader, text: string, read: (row: Row) => string[]): Promise<string[]> {
  try {
    return (await sql.raw<Row>(text).execute(db)).rows.flatMap(read);
  } catch (error) {
    // Damage prevents the query.
    if (isDamage(error)) return [(error as Error).message];
    throw error;
  }
}

/** The id, unless the stored counts equal the counted ones. */
function wrongId({ id, shown, ...counted }: Row): string[] {
  const agrees =
    shown !== undefined &&
    Object.entries(counted).every(
      ([name, value]) => (shown as Row | null)?.[name] === Number(value),
    );
  return agrees ? [] : [String(id)];
}

/** Dangling references inside lists and objects, which no foreign key protects: `resource.field id → resource`. */
async function findDanglingReferences(
  db: Reader,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const wrong: string[] = [];
  for (const reference of references) {
    if (!reference.within) continue;
    const { table, field, inner, target } = reference;
    const place = [table, field, inner].filter(Boolean).join('.');
    const primaryKey = ['teamId', 'id'];
    for await (const rows of eachBatch(db, { name: table, primaryKey }, [...primaryKey, field])) {
      signal?.throwIfAborted();
      for (const [id, own] of Map.groupBy(rows, ({ teamId }) => teamId as string)) {
        const ids = new Set(own.flatMap((row) => idsAt(row, reference)));
        const known = await findIds({ db, team: { id } }, target, [...ids]);
        for (const row of own)
          if (idsAt(row, reference).some((one) => !known.has(one)))
            wrong.push(`${place} ${row.id} → ${target}`);
      }
    }
  }
  return wrong;
}
