import { sql } from 'kysely';
import { withArticle } from '../contract/article.ts';
import type { Resource, Unique } from '../contract/resource.ts';
import type { Context } from './context.ts';
import { ApiProblem } from './problem.ts';
import { anyTable, type Row } from './records.ts';

/**
 * Refuses a value that another record of the team has, with the field and that record. Called inside the write lock, so no write
 * comes in between; unique indexes are the second line of defence.
 */
export async function requireUnique(
  context: Context,
  resource: Resource,
  values: Row,
  ownId?: string,
): Promise<void> {
  for (const unique of resource.unique ?? []) {
    const other = await findOther(context, resource, unique, values, ownId);
    if (!other) continue;
    const value = String(values[unique.field]);
    throw new ApiProblem(
      'duplicate',
      `Another ${resource.singular} has the ${unique.field} ${value}`,
      {
        field: unique.field,
        id: other.id,
      },
    );
  }
}

async function findOther(
  context: Context,
  resource: Resource,
  { field, within, ignoreCase, unless }: Unique,
  values: Row,
  ownId?: string,
) {
  const value = values[field];
  if (value === null || value === undefined) return undefined;
  if (unless && values[unless.field] === unless.is) return undefined;
  let query = anyTable(context)
    .selectFrom(resource.name)
    .select('id')
    .where('teamId', '=', context.team.id);
  query = ignoreCase
    ? query.where(sql`fold(${sql.ref(field)})`, '=', String(value).toLowerCase())
    : query.where(field, '=', value);
  if (within) query = query.where(within, values[within] === null ? 'is' : '=', values[within]);
  if (unless) query = query.where(unless.field, '<>', unless.is);
  if (ownId) query = query.where('id', '<>', ownId);
  return query.executeTakeFirst();
}

/** Refuses a status that the record can't change to, with the allowed ones. Setting the current status again is allowed. */
export function requireTransition(
  { transitions, singular }: Resource,
  body: Row,
  record?: Row,
): void {
  if (!transitions) return;
  const to = body[transitions.field];
  if (typeof to !== 'string') return;
  const from = record ? String(record[transitions.field]) : null;
  const allowed = from === null ? transitions.first : transitions.to[from];
  if (to === from || !allowed || allowed.includes(to)) return;
  const how =
    from === null
      ? `be created with the ${transitions.field} ${to}`
      : `change from ${from} to ${to}`;
  throw new ApiProblem('invalid_transition', `${begin(withArticle(singular))} can't ${how}`, {
    from,
    to,
    allowed,
  });
}

const begin = (sentence: string) => sentence.replace(/^./, (letter) => letter.toUpperCase());
