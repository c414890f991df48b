import { sql } from 'kysely';
import { contract, type StoredName } from '../../contract/contract.ts';
import type { Resource } from '../../contract/resource.ts';
import type { Context } from '../context.ts';
import { ApiProblem } from '../problem.ts';
import { anyTable } from '../records.ts';
import { idsAt, type Reference, references } from '../references.ts';

interface UsedRecord {
  readonly target: StoredName;
  readonly id: string;
  /** Names of the referring resources in the response, if not their own. */
  readonly labels?: Partial<Record<StoredName, string>>;
}

/** `resource_in_use`, with counts, while other records refer to this one, also inside lists and objects. `what` starts the message. */
export async function refuseUsed(
  context: Context,
  what: string,
  { target, id, labels = {} }: UsedRecord,
): Promise<void> {
  const counts: Record<string, number> = {};
  for (const reference of references) {
    if (reference.target !== target) continue;
    const count = await countUses(context, reference, id);
    const name = labels[reference.table] ?? reference.table;
    if (count > 0) counts[name] = (counts[name] ?? 0) + count;
  }
  const used = Object.entries(counts);
  if (used.length === 0) return;
  const list = joined.format(used.map(([name, count]) => pluralize(name, count)));
  throw new ApiProblem('resource_in_use', `${what} is still used by ${list}`, counts);
}

/** `1 car, 2 appointments and 4 zones`. */
const joined = new Intl.ListFormat('en-GB');

function pluralize(name: string, count: number): string {
  const { singular, plural } = (contract as Readonly<Record<string, Resource>>)[name] ?? {
    singular: name.replace(/s$/, ''),
    plural: name,
  };
  return `${count} ${count === 1 ? singular : plural}`;
}

async function countUses(context: Context, reference: Reference, id: string): Promise<number> {
  const { table, field, within } = reference;
  const all = anyTable(context)
    .selectFrom(table as string)
    .where('teamId', '=', context.team.id);
  if (within) {
    // The text search finds candidates; parsing decides.
    const rows = await all
      .select(field)
      .where(sql<boolean>`cast(${sql.ref(field)} as text) like ${`%"${id}"%`}`)
      .execute();
    return rows.filter((row) => idsAt(row, reference).includes(id)).length;
  }
  const { count } = await all
    .select((rows) => rows.fn.countAll<number>().as('count'))
    .where(field, '=', id)
    .executeTakeFirstOrThrow();
  return Number(count);
}
