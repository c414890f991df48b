/**
 * A page of a searched list: first records with a key equal to the whole query, then those with all of its words, both in the
 * list's order. Few matches are looked up in the index. Very many aren't worth it: the list is scanned in its order until the page
 * is full, and the index entries are counted.
 */
import {
  type Expression,
  type RawBuilder,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
} from 'kysely';
import type { Resource } from '../contract/resource.ts';
import type { Database, Reader } from './database/database.ts';
import type { Condition, SearchScope } from './database/search-index.ts';
import { keyLine, type SearchTerms } from './database/search-text.ts';
import { type AnyRecord, anyTable } from './records.ts';

export type Matching = SelectQueryBuilder<Record<string, AnyRecord>, string, unknown>;

export interface Search extends Pick<Database, 'search' | 'textOf'> {
  /** A transaction. */
  readonly db: Reader;
  readonly resource: Resource;
  readonly scope: SearchScope;
  readonly terms: SearchTerms;
  /** The other conditions of the list, at least the one on the team. */
  readonly others: readonly Expression<SqlBool>[];
  readonly inOrder: (matching: Matching) => Matching;
}

/** Records found in one way. */
interface Section {
  /** Selects their `foundId` through an index, at most `most`. */
  readonly find: (most: number) => RawBuilder<unknown>;
  /** Condition on their index entries `e`. */
  readonly condition: Condition;
}

/** Up to this many matches are looked up one by one. */
const few = 5_000;

interface MeasuredSection extends Section {
  readonly isFew: boolean;
}

export async function searchPage(
  search: Search,
  { limit, skip }: { readonly limit: number; readonly skip: number },
): Promise<{ total: number; text: string }> {
  const texts: string[] = [];
  let total = 0;
  for (const one of sectionsOf(search)) {
    const section = { ...one, isFew: (await countUpTo(search, one.find, few + 1)) <= few };
    const count = await countSection(search, section);
    // The part of the page in this section.
    const from = Math.max(skip - total, 0);
    const size = Math.min(skip + limit - total, count) - from;
    total += count;
    if (size <= 0) continue;
    const rows = search.inOrder(rowsOf(search, section)).limit(size).offset(from);
    const { name } = search.resource;
    const page = await sql<{
      text: string | null;
    }>`select ${search.textOf(name, rows.selectAll(name))} as text`.execute(search.db);
    if (page.rows[0]?.text) texts.push(page.rows[0].text);
  }
  return { total, text: texts.join(',') };
}

function sectionsOf({ search, scope, terms }: Search): Section[] {
  const { whole, parts, beginnings } = terms;
  const isWhole = search.holds('keys', keyLine(whole));
  const holdsParts = parts.map((words) => allOf(words.map((word) => search.holds('text', word))));
  const begins =
    beginnings.length > 0
      ? [allOf(beginnings.map((part) => search.holds('keys', `\n${part}`)))]
      : [];
  const byKey = () => search.byKey(scope, whole);
  const first = { find: byKey, condition: isWhole };
  if (parts.length + begins.length === 0) return whole ? [first] : [];
  const condition = sql<boolean>`((${sql.join([...holdsParts, ...begins], sql` or `)})${whole ? sql` and not ${isWhole}` : sql``})`;
  const longest = beginnings.reduce((one, other) => (other.length > one.length ? other : one), '');
  const find = (most: number) => {
    const ways = [
      ...(parts.length > 0 ? [search.byParts(scope, terms, condition, most)] : []),
      ...(beginnings.length > 0 ? [search.byBeginning(scope, longest, condition, most)] : []),
    ];
    return sql.join(ways.map(sqlSelect), sql` union `);
  };
  const then = { find, condition };
  return whole ? [first, then] : [then];
}

const allOf = (conditions: readonly Condition[]): Condition =>
  sql<boolean>`(${sql.join(conditions, sql` and `)})`;
/** A form of the query that can be part of a union. */
const sqlSelect = (query: RawBuilder<unknown>) => sql`select "foundId" from (${query}) as q`;

async function countUpTo({ db }: Search, find: Section['find'], most: number): Promise<number> {
  const { rows } = await sql<{
    count: number;
  }>`select count(*) as "count" from (select 1 from (${find(most)}) as f limit ${most}) as m`.execute(
    db,
  );
  return Number(rows[0]?.count);
}

async function countSection(search: Search, section: MeasuredSection): Promise<number> {
  const { db, scope, others } = search;
  const plain = others.length === 1;
  // Records and index entries correspond one to one.
  if (plain && section.isFew) return countUpTo(search, section.find, few);
  if (plain)
    return totalOf(
      await sql<{ total: number }>`${search.search.countAll(scope, section.condition)}`.execute(db),
    );
  return totalOf(
    await db.executeQuery(
      rowsOf(search, section).select(sql<number>`count(*)`.as('total')).compile(),
    ),
  );
}

const totalOf = ({ rows }: { rows: { total: number }[] }): number => Number(rows[0]?.total ?? 0);

function rowsOf(
  { db, resource: { name }, search, scope, others }: Search,
  { find, condition, isFew }: MeasuredSection,
): Matching {
  const tables = anyTable({ db });
  if (!isFew)
    return tables
      .selectFrom(name)
      .where((where) =>
        where.and([...others, search.ofRow(scope, condition)]),
      ) as unknown as Matching;
  // SQLite keeps this order: each match is looked up.
  return tables
    .selectFrom(sql<AnyRecord>`(${find(few + 1)})`.as('found'))
    .crossJoin(name)
    .whereRef(`${name}.id`, '=', 'found.foundId' as never)
    .where((where) => where.and([...others])) as unknown as Matching;
}
