/**
 * Row-level security: a second protection of teams, beside the condition on teamId of every query.
 * Requests use a role that sees only the rows of the transaction's team, and none without a team.
 */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { TeamsNotKeptApart } from '../failures.ts';
import type { Tables } from '../tables.ts';

export function requireTeamId(teamId: string): void {
  if (!/^[0-9a-f-]{36}$/.test(teamId)) throw new TypeError("teamId isn't a lower-case uuid");
}

/** The role of requests, quoted for SQL; undefined before the first migration. */
export async function findRequestRole<T>(db: Kysely<T>): Promise<string | undefined> {
  const { rows } = await sql<{
    role: string;
  }>`select p.polroles[1]::regrole::text as role from pg_policy p
    where p.polname = 'own_team' and p.polrelid = to_regclass('teams')`.execute(db);
  return rows[0]?.role;
}

/**
 * Creates the role of requests, which owns nothing and can't sign in, and lets the owner of the tables switch to it.
 * Each owner has its own: the databases of a server share roles, and only the creator of one may grant it.
 */
export async function createRequestRole(db: Kysely<unknown>): Promise<string> {
  const { rows } = await sql<{
    role: string;
  }>`select quote_ident('car_storage_' || left(current_user, 50)) as role`.execute(db);
  const name = rows[0]?.role as string;
  const role = sql.raw(name);
  const text = sql.lit(name);
  await sql`do $$
    begin
      if to_regrole(${text}) is null then create role ${role} nologin; end if;
    exception when duplicate_object or unique_violation then null; -- created for another database of the server meanwhile
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

/** Of the owner alone: requests have no rights on them. */
const ownersTables: readonly string[] = ['fileFolder', 'sharedWaits'];

/** Protects every table that isn't protected yet. Each that requests use needs a column with the team. */
export async function enableRowLevelSecurity(
  db: Kysely<unknown>,
  requestRole: string,
): Promise<void> {
  const { rows } = await sql<{ table: string; column: string | null }>`select c.relname as "table",
      case when c.relname = 'teams' then 'id' else (select a.attname from pg_attribute a where a.attrelid = c.oid and a.attname = 'teamId') end as "column"
    from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relforcerowsecurity
      and c.relname not like 'kysely\\_%'
    order by c.relname`.execute(db);
  const role = sql.raw(requestRole);
  for (const { table, column } of rows) {
    if (column === null && !ownersTables.includes(table))
      throw new Error(
        `The table ${table} has no teamId to keep teams apart by; if it is not the service's, give the service a database of its own`,
      );
    await protectTable(db, role, table, column);
  }
  await sql`grant select on kysely_migration to ${role}`.execute(db);
  const { rows: schemas } = await sql<{ name: string }>`select current_schema() as name`.execute(
    db,
  );
  await sql`grant usage on schema ${sql.id(schemas[0]?.name ?? 'public')} to ${role}`.execute(db);
}

async function protectTable(
  db: Kysely<unknown>,
  role: RawBuilder<unknown>,
  name: string,
  column: string | null,
): Promise<void> {
  const table = sql.id(name);
  await sql`alter table ${table} enable row level security`.execute(db);
  await sql`alter table ${table} force row level security`.execute(db);
  await sql`create policy owner on ${table} to current_user using (true) with check (true)`.execute(
    db,
  );
  if (column === null) return;
  // A subquery is evaluated once for each statement, not for each row.
  const own = sql`${sql.id(column)} = (select nullif(current_setting('cs.team_id', true), '')::uuid)`;
  await sql`create policy own_team on ${table} to ${role} using (${own}) with check (${own})`.execute(
    db,
  );
  const rights = sql.raw(name === 'teams' ? 'select, update' : 'select, insert, update, delete');
  await sql`grant ${rights} on ${table} to ${role}`.execute(db);
}

interface Protection {
  readonly table: string;
  /** The column with the team, quoted for SQL. */
  readonly column: string;
  /** Row-level security binds the role of requests here. */
  readonly active: boolean;
  /** The policies that let the role of requests see rows and create them. */
  readonly policies: readonly { readonly using: string | null; readonly check: string | null }[];
}

/**
 * Throws `TeamsNotKeptApart` unless every table hides the rows of other teams from the role of requests.
 * An administrator may have changed roles and tables since the migration.
 */
export async function requireRowLevelSecurity(
  db: Kysely<Tables>,
  requestRole: string,
): Promise<void> {
  const protections = await db.transaction().execute(async (transaction) => {
    const { rows } = await sql<{
      schema: number;
    }>`select current_schema()::regnamespace::oid::int8 as schema`.execute(transaction);
    await sql`set local role ${sql.raw(requestRole)}`.execute(transaction);
    return await sql<Protection>`select c.relname as "table", case when c.relname = 'teams' then 'id' else '"teamId"' end as "column",
        c.relforcerowsecurity and row_security_active(c.oid) as active,
        (select coalesce(json_agg(json_build_object('using', pg_get_expr(p.polqual, p.polrelid),
            'check', pg_get_expr(p.polwithcheck, p.polrelid))), '[]')
          from pg_policy p where p.polrelid = c.oid and p.polpermissive
            and exists (select from unnest(p.polroles) as member(role) where role = 0 or pg_has_role(role, 'usage'))) as policies
      from pg_class c
      where c.relnamespace = ${rows[0]?.schema}::int8::oid and c.relkind in ('r', 'p') and c.relname not like 'kysely\\_%'
      order by c.relname`.execute(transaction);
  });
  const condition = conditionOf(protections.rows.find(({ table }) => table === 'teams'));
  const open = protections.rows.filter(
    (protection) =>
      // No policy and no rights: requests see no row.
      !(
        ownersTables.includes(protection.table) &&
        protection.active &&
        protection.policies.length === 0
      ) &&
      (!condition?.includes("'cs.team_id'") || conditionOf(protection) !== condition),
  );
  if (open.length === 0 && condition) return;
  const [first = 'teams', ...others] = open.map(({ table }) => table);
  const tables = others.length > 0 ? `${first} and ${others.length} more` : first;
  throw new TeamsNotKeptApart(
    `Row-level security doesn't keep teams apart for the role ${requestRole} (tables: ${tables})`,
  );
}

/** The value that a row's team must equal; undefined where any other policy lets the role of requests through. */
function conditionOf(protection: Protection | undefined): string | undefined {
  const [policy, ...others] = protection?.policies ?? [];
  if (!protection?.active || !policy || others.length > 0 || policy.using !== policy.check)
    return undefined;
  const start = `(${protection.column} = `;
  return policy.using?.startsWith(start) ? policy.using.slice(start.length) : undefined;
}
