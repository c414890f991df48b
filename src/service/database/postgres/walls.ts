/**
 * Row-level security: the second wall between teams, behind the condition on teamId that every query has.
 * Requests work as a role that sees no row but those of the team that its transaction names, and none when it names none.
 */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { TeamsNotKeptApart } from '../failures.ts';
import type { Tables } from '../tables.ts';

export function requireTeamId(teamId: string): void {
  if (!/^[0-9a-f-]{36}$/.test(teamId)) throw new TypeError('teamId is not a uuid in lower case');
}

/** The role of requests, quoted as SQL needs it; undefined before the first migration. */
export async function findRequestRole<T>(db: Kysely<T>): Promise<string | undefined> {
  const { rows } = await sql<{ role: string }>`select p.polroles[1]::regrole::text as role from pg_policy p
    where p.polname = 'own_team' and p.polrelid = to_regclass('teams')`.execute(db);
  return rows[0]?.role;
}

/**
 * Makes the role of requests, which owns nothing and which nobody signs in as, and lets the owner of the tables become it.
 * One for each owner, since roles are shared by the databases of a server and only who made one may give it to others.
 */
export async function createRequestRole(db: Kysely<unknown>): Promise<string> {
  const { rows } = await sql<{ role: string }>`select quote_ident('car_storage_' || left(current_user, 50)) as role`.execute(db);
  const name = rows[0]?.role as string;
  const role = sql.raw(name);
  const text = sql.lit(name);
  await sql`do $$
    begin
      if to_regrole(${text}) is null then create role ${role} nologin; end if;
    exception when duplicate_object or unique_violation then null; -- another database of the server was faster
    end $$`.execute(db);
  await sql`do $$
    begin
      if exists (select from pg_roles where oid = to_regrole(${text}) and (rolsuper or rolbypassrls)) then
        raise exception 'row-level security does not bind the role %', ${text};
      end if;
      begin
        set local role ${role};
        set local role none;
      exception when insufficient_privilege then
        execute format('grant ${role} to %I', current_user);
      end;
    end $$`.execute(db);
  return name;
}

/** Puts every table that has no wall yet behind one. A table that says of no row whose it is cannot be. */
export async function raiseWalls(db: Kysely<unknown>, requestRole: string): Promise<void> {
  const { rows } = await sql<{ table: string; column: string | null }>`select c.relname as "table",
      case when c.relname = 'teams' then 'id' else (select a.attname from pg_attribute a where a.attrelid = c.oid and a.attname = 'teamId') end as "column"
    from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relforcerowsecurity
      and c.relname not like 'kysely\\_%'
    order by c.relname`.execute(db);
  const role = sql.raw(requestRole);
  for (const { table, column } of rows) {
    if (column === null)
      throw new Error(
        `The table ${table} has no teamId to keep teams apart by; if it is not the service's, give the service a database of its own`,
      );
    await raiseWall(db, role, table, column);
  }
  await sql`grant select on kysely_migration to ${role}`.execute(db);
  const { rows: schemas } = await sql<{ name: string }>`select current_schema() as name`.execute(db);
  await sql`grant usage on schema ${sql.id(schemas[0]?.name ?? 'public')} to ${role}`.execute(db);
}

async function raiseWall(db: Kysely<unknown>, role: RawBuilder<unknown>, name: string, column: string): Promise<void> {
  const table = sql.id(name);
  // Asked once for a statement, not once for a row.
  const own = sql`${sql.id(column)} = (select current_setting('cs.team_id', true))`;
  await sql`alter table ${table} enable row level security`.execute(db);
  await sql`alter table ${table} force row level security`.execute(db);
  await sql`create policy own_team on ${table} to ${role} using (${own}) with check (${own})`.execute(db);
  await sql`create policy owner on ${table} to current_user using (true) with check (true)`.execute(db);
  const rights = sql.raw(name === 'teams' ? 'select, update' : 'select, insert, update, delete');
  await sql`grant ${rights} on ${table} to ${role}`.execute(db);
}

interface Wall {
  readonly table: string;
  /** Of the row's team, as SQL writes it. */
  readonly column: string;
  /** Row-level security binds the role of requests here. */
  readonly active: boolean;
  /** What lets the role of requests see rows, and make them. */
  readonly policies: readonly { readonly using: string | null; readonly check: string | null }[];
}

/**
 * Throws `TeamsNotKeptApart` unless every table hides the rows of other teams from the role of requests.
 * Whoever can change roles and tables can take that away after the migration.
 */
export async function requireWalls(db: Kysely<Tables>, requestRole: string): Promise<void> {
  const walls = await db.transaction().execute(async (transaction) => {
    const { rows } = await sql<{ schema: number }>`select current_schema()::regnamespace::oid::int8 as schema`.execute(transaction);
    await sql`set local role ${sql.raw(requestRole)}`.execute(transaction);
    return await sql<Wall>`select c.relname as "table", case when c.relname = 'teams' then 'id' else '"teamId"' end as "column",
        c.relforcerowsecurity and row_security_active(c.oid) as active,
        (select coalesce(json_agg(json_build_object('using', pg_get_expr(p.polqual, p.polrelid),
            'check', pg_get_expr(p.polwithcheck, p.polrelid))), '[]')
          from pg_policy p where p.polrelid = c.oid and p.polpermissive
            and exists (select from unnest(p.polroles) as member(role) where role = 0 or pg_has_role(role, 'usage'))) as policies
      from pg_class c
      where c.relnamespace = ${rows[0]?.schema}::int8::oid and c.relkind in ('r', 'p') and c.relname not like 'kysely\\_%'
      order by c.relname`.execute(transaction);
  });
  const condition = conditionOf(walls.rows.find(({ table }) => table === 'teams'));
  const open = walls.rows.filter((wall) => !condition?.includes("'cs.team_id'") || conditionOf(wall) !== condition);
  if (open.length === 0 && condition) return;
  const [first = 'teams', ...others] = open.map(({ table }) => table);
  const tables = others.length > 0 ? `${first} and ${others.length} more` : first;
  throw new TeamsNotKeptApart(`Row-level security doesn't keep teams apart for the role ${requestRole} (tables: ${tables})`);
}

/** What a row's team must equal, for it to be seen or made; undefined where anything else lets the role of requests through. */
function conditionOf(wall: Wall | undefined): string | undefined {
  const [policy, ...others] = wall?.policies ?? [];
  if (!wall?.active || !policy || others.length > 0 || policy.using !== policy.check) return undefined;
  const start = `(${wall.column} = `;
  return policy.using?.startsWith(start) ? policy.using.slice(start.length) : undefined;
}
