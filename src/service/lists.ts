import {
  type Expression,
  type ExpressionBuilder,
  expressionBuilder,
  type Kysely,
  type RawBuilder,
  type SqlBool,
  sql,
} from 'kysely';
import type { Filter, Resource } from '../contract/resource.ts';
import { defaultLimit, kindOf } from '../contract/schemas.ts';
import type { ReadContext } from './context.ts';
import type { Database, TeamAccess } from './database/database.ts';
import { cachedQuery } from './database/query-cache.ts';
import { type SearchTerms, searchTerms } from './database/search-text.ts';
import { type AnyRecord, anyTable } from './records.ts';
import { type Matching, searchPage } from './search.ts';
import { toUtc } from './values.ts';

export type Where = ExpressionBuilder<Record<string, AnyRecord>, string>;
/** A filter that isn't a comparison with one column: its condition for a value. */
export type FilterRule = (where: Where, value: unknown) => Expression<SqlBool>;

export interface ListQuery {
  page?: number;
  limit?: number;
  updatedAfter?: string;
  ids?: string[];
  [filter: string]: unknown;
}

export interface Page<R = AnyRecord> {
  data: R[];
  page: number;
  limit: number;
  total: number;
}

/** Default order (specification: most lists). */
const mostRecentFirst = { field: 'updatedAt', direction: 'desc' } as const;

export interface ListContext
  extends Pick<ReadContext, 'team'>,
    Pick<TeamAccess, 'read' | 'snapshot' | 'answer' | 'heavy'>,
    Pick<Database, 'textOf' | 'search'> {}

/**
 * One page as JSON in the resource's order, with the exact total of the same snapshot. The database writes the JSON, since nothing
 * here reads the records.
 */
export async function list(
  context: ListContext,
  resource: Resource,
  query: ListQuery,
  parentId: string | undefined,
  filterRules: Readonly<Record<string, FilterRule>> = {},
): Promise<string> {
  const { page = 1, limit = defaultLimit } = query;
  const { id: teamId } = context.team;
  const all = conditions(expressionBuilder(), teamId, resource, query, parentId, filterRules);
  const range = { limit, skip: (page - 1) * limit };
  const terms = searchTerms(searchedFor(resource, query));
  const { total, text } = terms
    ? await search(context, resource, terms, all, range)
    : await find(context, resource, all, { ...range, ids: query.ids });
  return `{"data":[${text}],"page":${page},"limit":${limit},"total":${total}}`;
}

/** The search text; empty without one. */
function searchedFor({ filters = {} }: Resource, query: ListQuery): string {
  const [name] = Object.entries(filters).find(([, { by }]) => by === 'search') ?? [];
  return name === undefined ? '' : String(query[name] ?? '');
}

/** A page, and the number of records on all of them. */
export interface Found {
  readonly total: number;
  /** The records as JSON with commas between. */
  readonly text: string;
}

async function search(
  context: ListContext,
  resource: Resource,
  terms: SearchTerms,
  others: Expression<SqlBool>[],
  range: { limit: number; skip: number },
): Promise<Found> {
  const scope = { teamId: context.team.id, table: resource.name };
  const { snapshot } = await context.heavy(resource.name);
  return snapshot((db) =>
    searchPage(
      {
        ...context,
        db,
        resource,
        scope,
        terms,
        others,
        inOrder: (rows) => inOrder(rows, resource),
      },
      range,
    ),
  );
}

async function find(
  context: ListContext,
  resource: Resource,
  all: Expression<SqlBool>[],
  { limit, skip, ids }: { limit: number; skip: number; ids: readonly string[] | undefined },
): Promise<Found> {
  const { read, team, textOf } = context;
  const { name } = resource;
  const db = anyTable({ db: read });
  const matching = () =>
    (ids ? ofIds(db, name, { teamId: team.id, ids }) : db.selectFrom(name)).where((where) =>
      where.and(all),
    );
  // Only the condition on the team.
  const plain = all.length === 1;
  const { snapshot, answer } = skip <= near && (plain || ids) ? context : await context.heavy(name);
  const counting = plain
    ? knownCount(team.id, name)
    : sql`(select count(*) from ${matching().select('id').as('counted')})`;
  const select = (...columns: RawBuilder<unknown>[]) =>
    sql<Partial<Found>>`select ${sql.join(columns)}`.compile(db);
  const total = sql`${counting} as total`;
  if (skip === 0) {
    // The first page needs no total to know where it starts.
    const firstPage = () =>
      select(
        total,
        sql`${textOf(name, inOrder(matching(), resource).limit(limit).selectAll())} as text`,
      );
    const [found] = await answer(
      plain
        ? cachedQuery(db, `first page of ${name}`, firstPage, [team.id, name, team.id, limit])
        : firstPage(),
    );
    return { total: Number(found?.total ?? 0), text: found?.text ?? '' };
  }
  return snapshot(async (snapshot) => {
    const { rows } = await snapshot.executeQuery(select(total));
    const count = Number(rows[0]?.total ?? 0);
    if (skip >= count) return { total: count, text: '' };
    const rowsOfPage = pageOf(db, matching(), resource, {
      teamId: team.id,
      total: count,
      limit,
      skip,
    });
    const page = await snapshot.executeQuery(select(sql`${textOf(name, rowsOfPage)} as text`));
    return { total: count, text: page.rows[0]?.text ?? '' };
  });
}

/** A subquery of the given ids in place of the table. Its limit makes SQLite look up each id instead of scanning the list in order. */
function ofIds(
  db: Kysely<Record<string, AnyRecord>>,
  name: string,
  { teamId, ids }: { teamId: string; ids: readonly string[] },
): Matching {
  const found = db
    .selectFrom(name)
    .selectAll()
    .where('teamId', '=', teamId)
    .where('id', 'in', ids)
    .limit(ids.length);
  return db.selectFrom(found.as(name)) as unknown as Matching;
}

/** The count that triggers maintain. */
const knownCount = (teamId: string, name: string) =>
  sql`(select "count" from "recordCounts" where "teamId" = ${teamId} and "table" = ${name})`;

function inOrder(
  matching: Matching,
  { order: { field, direction } = mostRecentFirst }: Resource,
): Matching {
  return matching.orderBy(field, direction).orderBy('id', direction);
}

/** Pages up to this offset are found by scanning rows; farther ones by scanning the index only. */
const near = 1_000;

/** The rows of a page, scanned from the nearer end, so that the last page is as fast as the first. */
function pageOf(
  db: Kysely<Record<string, AnyRecord>>,
  matching: Matching,
  { name, order: { field, direction } = mostRecentFirst }: Resource,
  { teamId, total, limit, skip }: { teamId: string; total: number; limit: number; skip: number },
): Matching {
  const size = Math.min(limit, total - skip);
  const after = total - skip - size;
  const backwards = after < skip;
  const walk = backwards === (direction === 'desc') ? 'asc' : 'desc';
  const found = matching
    .orderBy(field, walk)
    .orderBy('id', walk)
    .limit(size)
    .offset(backwards ? after : skip);
  if (!backwards && skip <= near) return found.selectAll();
  return db
    .selectFrom(found.select('id as foundId').as('found'))
    .crossJoin(name)
    .selectAll(name)
    .where('teamId', '=', teamId)
    .whereRef('id', '=', 'foundId')
    .orderBy(field, direction)
    .orderBy('id', direction) as unknown as Matching;
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
    if (value !== undefined && filter.by !== 'search')
      all.push(condition(where, filter, value, filterRules[name]));
  }
  return all;
}

function condition(
  where: Where,
  filter: Exclude<Filter, { by: 'search' }>,
  value: unknown,
  rule: FilterRule | undefined,
): Expression<SqlBool> {
  const comparable = kindOf(filter.schema) === 'timestamp' ? toUtc(value as string) : value;
  switch (filter.by) {
    case 'equals':
      return where(filter.field, '=', comparable);
    case 'from':
      return where(filter.field, '>=', comparable);
    case 'to':
      return where(filter.field, '<=', comparable);
    case 'rule':
      if (!rule) throw new Error('A filter by rule has no rule');
      return rule(where, value);
  }
}
