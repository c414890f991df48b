/** What the tables need of the database beyond tables, made anew with each migration. */
import { type Kysely, sql } from 'kysely';
import { separators } from '../search/search-text.ts';

/** `fold`, `squeeze` and `next_stamp` have the names and the effect of SQLite's in node-sqlite.ts. */
export async function createFunctions(db: Kysely<unknown>): Promise<void> {
  // The letters of every language, as JavaScript has them; without such a collation, those that the database knows.
  const { rows } = await sql<{ name: string }>`select collname as name from pg_collation
    where collname in ('und-x-icu', 'pg_unicode_fast', 'pg_c_utf8') order by array_position(array['und-x-icu', 'pg_unicode_fast', 'pg_c_utf8'], collname::text) limit 1`.execute(
    db,
  );
  const collation = sql.id(rows[0]?.name ?? 'default');
  await sql`create or replace function fold(value text) returns text language sql immutable strict parallel safe
    as $$ select lower(value collate ${collation}) collate "C" $$`.execute(db);
  await sql`create or replace function squeeze(value text) returns text language sql immutable strict parallel safe
    as $$ select translate(fold(value), ${sql.lit(separators)}, '') $$`.execute(db);
  // The database's clock is the one that all processes share.
  await sql`create or replace function next_stamp(last text) returns text language sql volatile
    as $$ select to_char(greatest(clock_timestamp(), last::timestamptz + interval '1 millisecond') at time zone 'UTC',
      'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') collate "C" $$`.execute(db);
  await sql`create or replace function count_rows() returns trigger language plpgsql
    as $$ begin
      insert into "recordCounts" as known select "teamId", tg_table_name, count(*) * tg_argv[0]::int from changed group by "teamId"
        on conflict ("teamId", "table") do update set "count" = known."count" + excluded."count";
      return null;
    end $$`.execute(db);
  await sql`create or replace function lock_team(team text) returns void language sql volatile
    as $$ select pg_advisory_xact_lock(hashtextextended(team, 20260101)) $$`.execute(db);
  await sql`create or replace function await_team(team text) returns void language sql volatile
    as $$ select pg_advisory_xact_lock_shared(hashtextextended(team, 20260101)) $$`.execute(db);
}

/**
 * The one look across teams that requests have: the holder of a key, to those who know its prefix.
 * It runs as the owner of the tables, and finds its tables in no schema but theirs.
 */
export async function createKeySearch(db: Kysely<unknown>, requestRole: string): Promise<void> {
  const { rows } = await sql<{ schema: string }>`select current_schema() as schema`.execute(db);
  await sql`create or replace function find_key(wanted text)
    returns table ("id" text, "name" text, "secretHash" text, "scopes" json, "expiresAt" text, "revokedAt" text,
      "teamId" text, "teamName" text, "slug" text, "timezone" text, "apiEnabled" boolean)
    language sql stable security definer set search_path = ${sql.id(rows[0]?.schema ?? 'public')}, pg_temp
    as $$ select k."id", k."name", k."secretHash", k."scopes", k."expiresAt", k."revokedAt",
      t."id", t."name", t."slug", t."timezone", t."apiEnabled"
      from "apiKeys" k join "teams" t on t."id" = k."teamId" where k."prefix" = wanted $$`.execute(db);
  await sql`revoke all on function find_key(text) from public`.execute(db);
  await sql`grant execute on function find_key(text) to ${sql.raw(requestRole)}`.execute(db);
}

/**
 * Ids of the team that the transaction names: those whose texts are like all patterns of one of the lists (JSON), the key left out; at most so many.
 * It runs as the owner of the tables: to a request, row-level security leaves no index that `like` could use.
 */
export async function createEntrySearch(db: Kysely<unknown>, requestRole: string): Promise<void> {
  const { rows } = await sql<{ schema: string }>`select current_schema() as schema`.execute(db);
  await sql`create or replace function find_entries(wanted text, patterns json, other_than text, most bigint)
    returns setof text language plpgsql stable security definer rows 100 set search_path = ${sql.id(rows[0]?.schema ?? 'public')}, pg_temp
    as $$ begin
      return query execute format('select e."id" from "searchEntries" e
          where e."teamId" = %L and e."table" = %L and strpos(e."keys", %L) = 0 and (%s) limit %s',
        current_setting('cs.team_id', true), wanted, other_than,
        (select string_agg((select string_agg(format('e."text" like %L', pattern), ' and ') from json_array_elements_text(list) pattern), ' or ')
          from json_array_elements(patterns) list), most);
    end $$`.execute(db);
  await sql`revoke all on function find_entries(text, json, text, bigint) from public`.execute(db);
  await sql`grant execute on function find_entries(text, json, text, bigint) to ${sql.raw(requestRole)}`.execute(db);
}
