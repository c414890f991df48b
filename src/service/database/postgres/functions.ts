/** The functions that tables and requests need. Each migration creates them again. */
import { type Kysely, sql } from 'kysely';
import { separators } from '../search-text.ts';

/** `fold`, `squeeze` and `next_stamp` have the same names and effect as in sqlite/dialect.ts. */
export async function createFunctions(db: Kysely<unknown>): Promise<void> {
  // Folds the letters of every language, as JavaScript does; without such a collation, those of the database's language.
  const { rows } = await sql<{ name: string }>`select collname as name from pg_collation
    where collname in ('und-x-icu', 'pg_unicode_fast', 'pg_c_utf8') order by array_position(array['und-x-icu', 'pg_unicode_fast', 'pg_c_utf8'], collname::text) limit 1`.execute(
    db,
  );
  const collation = sql.id(rows[0]?.name ?? 'default');
  await sql`create or replace function fold(value text) returns text language sql immutable strict parallel safe
    as $$ select lower(value collate ${collation}) collate "C" $$`.execute(db);
  await sql`create or replace function squeeze(value text) returns text language sql immutable strict parallel safe
    as $$ select translate(fold(value), ${sql.lit(separators)}, '') $$`.execute(db);
  // All processes share the database's clock.
  await sql`create or replace function next_stamp(last text, count bigint) returns text language sql volatile
    as $$ select to_char((greatest(clock_timestamp(), last::timestamptz + interval '1 millisecond') + (count - 1) * interval '1 millisecond') at time zone 'UTC',
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
 * Ids of the transaction's team whose texts match all patterns of one of the lists (JSON), without those that have the key; at most `most`.
 * It runs as the owner of the tables, since row-level security keeps `like` in requests from using an index.
 */
export async function createEntrySearch(db: Kysely<unknown>, requestRole: string): Promise<void> {
  const { rows } = await sql<{ schema: string }>`select current_schema() as schema`.execute(db);
  await sql`create or replace function find_entries(wanted text, patterns json, other_than text, most bigint)
    returns setof uuid language plpgsql stable security definer rows 100 set search_path = ${sql.id(rows[0]?.schema ?? 'public')}, pg_temp
    as $$ begin
      return query execute format('select e."id" from "searchEntries" e
          where e."teamId" = %L and e."table" = %L and strpos(e."keys", %L) = 0 and (%s) limit %s',
        nullif(current_setting('cs.team_id', true), ''), wanted, other_than,
        (select string_agg((select string_agg(format('e."text" like %L', pattern), ' and ') from json_array_elements_text(list) pattern), ' or ')
          from json_array_elements(patterns) list), most);
    end $$`.execute(db);
  await sql`revoke all on function find_entries(text, json, text, bigint) from public`.execute(db);
  await sql`grant execute on function find_entries(text, json, text, bigint) to ${sql.raw(requestRole)}`.execute(
    db,
  );
}
