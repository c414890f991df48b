import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { NewerDatabase, UnnotedStep } from './failures.ts';
import { migrations } from './migrations/migrations.ts';

export type Steps = Readonly<Record<string, Migration>>;

interface Options {
  /** The location of the tables, in words. */
  readonly place: string;
  /** Whether the table of finished steps exists. */
  readonly noted: boolean;
  readonly steps?: Steps;
}

/**
 * Migrates the tables in one transaction. Of several processes at once, one does it.
 * Throws `NewerDatabase` when a finished step is unknown to this version, and `UnnotedStep`; both change nothing.
 */
export async function migrate<T>(
  db: Kysely<T>,
  { place, noted, steps = migrations }: Options,
): Promise<void> {
  const done = noted ? await doneSteps(db) : [];
  const unknown = done.find((name) => !(name in steps));
  if (unknown)
    throw new NewerDatabase(
      `The data in ${place} was written by a newer version of cs, or by one from before the first release (it has ${unknown}). Use that version.`,
    );
  if (done.length === Object.keys(steps).length) return;
  const { error, results = [] } = await new Migrator({
    db,
    provider: { getMigrations: async () => ({ ...steps }) },
  }).migrateToLatest();
  if (error && isThere(error)) {
    const step = results.find(({ status }) => status === 'Error')?.migrationName;
    throw new UnnotedStep(
      `The step ${step} is already done in ${place} (${(error as Error).message}), but kysely_migration doesn't note it`,
      { cause: error },
    );
  }
  if (error) throw error;
}

/** PostgreSQL: a table, object or column exists. SQLite has only words for it. */
const isThere = (error: unknown): boolean =>
  ['42P07', '42710', '42701'].includes((error as { code?: string }).code ?? '') ||
  /(already exists|^duplicate column name)/.test((error as Error).message);

/** The names of the finished steps, in order. */
export async function doneSteps<T>(db: Kysely<T>): Promise<string[]> {
  const { rows } = await sql<{
    name: string;
  }>`select name from kysely_migration order by name`.execute(db);
  return rows.map(({ name }) => name);
}
