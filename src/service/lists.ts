import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import type { Filter, Resource } from '../contract/resource.ts';
import { defaultLimit, kindOf } from '../contract/schemas.ts';
import type { ReadContext } from './context.ts';
import { type AnyRecord, anyTable } from './records.ts';
import { toUtc } from './values.ts';

type Where = ExpressionBuilder<Record<string, AnyRecord>, string>;
/** A filter that no single column answers: the condition for a value. */
export type FilterRule = (where: Where, value: unknown) => Expression<SqlBool>;

export interface ListQuery {
  page?: number;
  limit?: number;
  updatedAfter?: string;
  ids?: string[];
  [filter: string]: unknown;
}

export interface Page {
  data: AnyRecord[];
  page: number;
  limit: number;
  total: number;
}

/**
 * One page, most recently updated first, with the exact total of the same snapshot.
 * The page is found in the index first and only its rows are read whole, so that a late page costs little more than the first.
 */
export async function list(
  context: ReadContext,
  resource: Resource,
  query: ListQuery,
  parentId: string | undefined,
  filterRules: Readonly<Record<string, FilterRule>> = {},
): Promise<Page> {
  const { page = 1, limit = defaultLimit } = query;
  return context.db.transaction().execute(async (db) => {
    const snapshot = anyTable({ db });
    const matching = snapshot
      .selectFrom(resource.name)
      .where((where) => where.and(conditions(where, context.team.id, resource, query, parentId, filterRules)));
    const { total } = await matching.select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow();
    if ((page - 1) * limit >= Number(total)) return { data: [], page, limit, total: Number(total) };
    const ids = matching
      .select('id')
      .orderBy('updatedAt', 'desc')
      .orderBy('id', 'desc')
      .limit(limit)
      .offset((page - 1) * limit);
    const data = await snapshot
      .selectFrom(resource.name)
      .selectAll()
      .where('teamId', '=', context.team.id)
      .where('id', 'in', ids)
      .orderBy('updatedAt', 'desc')
      .orderBy('id', 'desc')
      .execute();
    return { data: data as AnyRecord[], page, limit, total: Number(total) };
  });
}

function conditions(
  where: Where,
  teamId: string,
  resource: Resource,
  query: ListQuery,
  parentId: string | undefined,
  filterRules: Readonly<Record<string, FilterRule>>,
): Expression<SqlBool>[] {
  const all: Expression<SqlBool>[] = [where('teamId', '=', teamId)];
  if (resource.parent) all.push(where(resource.parent.field, '=', parentId));
  if (query.updatedAfter) all.push(where('updatedAt', '>=', toUtc(query.updatedAfter)));
  if (query.ids) all.push(where('id', 'in', query.ids));
  for (const [name, filter] of Object.entries(resource.filters ?? {})) {
    const value = query[name];
    if (value !== undefined) all.push(condition(where, filter, value, filterRules[name]));
  }
  return all;
}

function condition(where: Where, filter: Filter, value: unknown, rule: FilterRule | undefined): Expression<SqlBool> {
  const comparable = kindOf(filter.schema) === 'timestamp' ? toUtc(value as string) : value;
  switch (filter.by) {
    case 'equals':
      return where(filter.field, '=', comparable);
    case 'from':
      return where(filter.field, '>=', comparable);
    case 'to':
      return where(filter.field, '<=', comparable);
    case 'search':
      return where.and(
        words(value as string).map((word) =>
          where.or(filter.fields.map((field) => sql<boolean>`fold(${sql.ref(field)}) like ${word} escape '\\'`)),
        ),
      );
    case 'rule':
      if (!rule) throw new Error('A filter by rule has no rule');
      return rule(where, value);
  }
}

/** Every word must be found, anywhere and whatever its case; % and _ stand for themselves. */
function words(text: string): string[] {
  return text
    .toLowerCase()
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => `%${word.replace(/[\\%_]/g, '\\$&')}%`);
}
