/** Who holds a key, a browser session, an account or a link: questions of requests whose team isn't known yet, asked by the owner of the tables. */
import { sql } from 'kysely';
import type { Reader } from './database.ts';
import { cachedQuery } from './query-cache.ts';

const team = ['t.id as teamId', 't.name as teamName', 't.slug', 't.timezone'] as const;
const holder = [sql<string>`coalesce(a."name", s."name")`.as('name'), 'a.email'] as const;

const byPrefix = (db: Reader) =>
  db
    .selectFrom('apiKeys as k')
    .innerJoin('teams as t', 't.id', 'k.teamId')
    .select(['k.id', 'k.name', 'k.secretHash', 'k.scopes', 'k.expiresAt', 'k.revokedAt'])
    .select([...team, 't.apiEnabled'])
    .where('k.prefix', '=', '')
    .compile();

/** A key and its team. */
export async function findKey(db: Reader, prefix: string) {
  const { rows } = await db.executeQuery(cachedQuery(db, 'find key', byPrefix, [prefix]));
  return rows[0];
}

/** By the hash of the session's secret. */
export const findSessionHolder = (db: Reader, secretHash: string) =>
  db
    .selectFrom('browserSessions as x')
    .innerJoin('teams as t', 't.id', 'x.teamId')
    .leftJoin('admins as a', (on) =>
      on.onRef('a.teamId', '=', 'x.teamId').onRef('a.id', '=', 'x.adminId'),
    )
    .leftJoin('screens as s', (on) =>
      on.onRef('s.teamId', '=', 'x.teamId').onRef('s.id', '=', 'x.screenId'),
    )
    .select([...team, ...holder, 'x.id', 'x.role', 'x.adminId', 'x.screenId'])
    .select(['x.lastSeenAt', 'x.createdAt', 'x.endsAt'])
    .where('x.secretHash', '=', secretHash)
    .executeTakeFirst();

/** By e-mail address, in lower case: one for each team with such an account. */
export const findAccountHolders = (db: Reader, email: string) =>
  db
    .selectFrom('admins as x')
    .innerJoin('teams as t', 't.id', 'x.teamId')
    .select([...team, 'x.id', 'x.name', 'x.email', 'x.passwordHash', 'x.waitUntil'])
    .where('x.email', '=', email)
    .orderBy('t.slug')
    .execute();

/** By the hash of the token. */
export const findLinkHolder = (db: Reader, tokenHash: string) =>
  db
    .selectFrom('oneTimeLinks as x')
    .innerJoin('teams as t', 't.id', 'x.teamId')
    .leftJoin('admins as a', (on) =>
      on.onRef('a.teamId', '=', 'x.teamId').onRef('a.id', '=', 'x.adminId'),
    )
    .leftJoin('screens as s', (on) =>
      on.onRef('s.teamId', '=', 'x.teamId').onRef('s.id', '=', 'x.screenId'),
    )
    .select([...team, ...holder, 'x.id', 'x.purpose', 'x.endsAt', 'x.usedAt'])
    .where('x.tokenHash', '=', tokenHash)
    .executeTakeFirst();

type Row<F extends (...args: never[]) => Promise<unknown>> = NonNullable<Awaited<ReturnType<F>>>;

export type KeyHolder = Row<typeof findKey>;
export type SessionHolder = Row<typeof findSessionHolder>;
export type AccountHolder = Row<typeof findAccountHolders>[number];
export type LinkHolder = Row<typeof findLinkHolder>;
