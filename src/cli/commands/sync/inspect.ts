/** A look at a mirror, for `cs sync status`, `cs sync verify` and work without the server. */
import { resolve } from 'node:path';
import type { SyncName } from '../../../client/client.ts';
import type { Context } from '../../context.ts';
import { CliError, usage } from '../../errors/exit.ts';
import { connectionFlags, nextCommand } from '../../framework/next-command.ts';
import { resourceOf } from '../bulk/resources.ts';
import { fileExists } from '../bulk/sorted.ts';
import { isDatabasePath, MirrorDatabase } from './database.ts';
import { type Inspected, inspectFolder, type Repair, requireThere } from './mirror.ts';
import { partMissing } from './mirror-files.ts';
import { MirrorTable } from './mirror-table.ts';

/** Exit 2 without a mirror at this path. */
export async function inspectMirror(context: Context, given: string): Promise<Inspected> {
  const path = resolve(context.io.cwd, given);
  if (!(await fileExists(path)))
    throw usage(
      `The mirror ${path} doesn't exist.`,
      'name the folder or the database that you gave with --to',
    );
  const repair: Repair = (resource, ...flags) =>
    nextCommand(['sync', resource, '--to', path, ...flags], connectionFlags(context));
  const found = await (isDatabasePath(path)
    ? inspectDatabase(path, repair)
    : inspectFolder(path, repair));
  if (!found)
    throw usage(
      `${path} isn't a mirror of cs sync.`,
      'name the folder or the database that you gave with --to',
    );
  return found;
}

async function inspectDatabase(path: string, repair: Repair): Promise<Inspected> {
  const database = await MirrorDatabase.inspect(path);
  const lost = new Map<string, CliError>();
  const tables = database.states().map((state) => {
    const { resource, table } = state;
    if (database.hasRecords(table)) return state;
    lost.set(resource, partMissing(`The table ${table} of ${path}`, repair(resource)));
    return { ...state, records: 0 };
  });
  const tableOf = (name: SyncName) => new MirrorTable(database.db, resourceOf(name));
  return {
    ...{ origin: database.origin, tables, lost },
    async checkFiles(resources) {
      database.checkFile();
      requireThere(lost, resources);
    },
    async *whole(name) {
      yield* tableOf(name).whole();
    },
    async *records(name) {
      yield* tableOf(name).records();
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
