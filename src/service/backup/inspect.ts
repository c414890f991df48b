/** Checks whether a database file of any origin is intact and has cs's schema. */
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import {
  findSchemaFaults,
  notedSteps,
  type SchemaObject,
  schemaQuery,
} from '../database/sqlite/schema.ts';

/**
 * The fault in words; undefined if there is none. Throws `NewerDatabase`, which names `place`. Opens the file read-only, since a
 * normal open would write beside it and migrate it. Compares the schema before running any of its code.
 */
export async function findFault(path: string, place: string): Promise<string | undefined> {
  try {
    using db = new DatabaseSync(new URL('?immutable=1', pathToFileURL(path)), { readOnly: true });
    db.enableDefensive(true);
    db.exec('pragma trusted_schema = off');
    const found = db.prepare(schemaQuery).all() as unknown as SchemaObject[];
    const steps = notedSteps(db, found, place);
    if (!steps) return 'it contains no data of cs';
    const [fault] = await findSchemaFaults(found, steps);
    if (fault) return fault;
    const [{ integrity_check: result } = {}] = db.prepare('pragma integrity_check(1)').all();
    return result === 'ok' ? undefined : String(result);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SQLITE_ERROR')
      return (error as Error).message;
    throw error;
  }
}
