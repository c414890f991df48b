/** A look at a mirror, for `cs sync status`, `cs sync verify` and work without the server. */
import { resolve } from 'node:path';
import { CliError, usage } from '../../errors/exit.ts';
import type { Context } from '../../framework/context.ts';
import { resourceOf } from '../bulk/resources.ts';
import { fileExists } from '../bulk/sorted.ts';
import { isDatabasePath, MirrorDatabase } from './database.ts';
import { type Inspected, inspectFolder } from './mirror.ts';
import { MirrorTable, sqlName } from './mirror-table.ts';

/** Exit 2 without a mirror at this path. */
export async function inspectMirror({ io }: Context, given: string): Promise<Inspected> {
  const path = resolve(io.cwd, given);
  if (!(await fileExists(path)))
    throw usage(`The mirror ${path} doesn't exist.`, 'name the folder or the database that you gave with --to');
  const found = await (isDatabasePath(path) ? inspectDatabase(path) : inspectFolder(path));
  if (!found) throw usage(`${path} isn't a mirror of cs sync.`, 'name the folder or the database that you gave with --to');
  return found;
}

async function inspectDatabase(path: string): Promise<Inspected> {
  const database = await MirrorDatabase.inspect(path);
  const tables = database.states();
  return {
    ...{ origin: database.origin, tables, missingFiles: [] },
    checkFiles: async () => database.checkFile(),
    async *stamps(resource) {
      const table = tables.find((one) => one.resource === resource)?.table ?? sqlName(resource);
      const rows = database.db.prepare(`select id, updated_at from "${table}"`);
      for (const { id, updated_at } of rows.iterate()) yield { id: String(id), updatedAt: updated_at };
    },
    async *records(name) {
      yield* new MirrorTable(database.db, resourceOf(name)).records();
    },
    close: () => database.close(),
  };
}

/** Exit 6 for a resource that isn't in the mirror. */
export const notMirrored = (path: string, resource: string, known: readonly string[]): CliError =>
  new CliError({
    code: 'not_found',
    message: `${path} has no ${resource}.`,
    hint: known.length > 0 ? `it has ${known.join(', ')}` : 'it has no records yet',
    exitCode: 6,
  });
