/**
 * Who holds a browser session, an account or a link: questions of requests whose team isn't known yet. SQL that both databases
 * understand; on PostgreSQL they are functions that run as the owner of the tables, like `find_key`.
 */
import type { Role } from '../../contract/dashboard/roles.ts';
import type { OneTimeLinkRow } from './tables.ts';

interface OfTeam {
  readonly id: string;
  readonly teamId: string;
  readonly teamName: string;
  readonly slug: string;
  readonly timezone: string;
}

export interface Holders {
  /** By the hash of the session's secret. */
  session: OfTeam & {
    readonly role: Role;
    readonly adminId: string | null;
    readonly screenId: string | null;
    readonly name: string;
    readonly email: string | null;
    readonly lastSeenAt: string;
    readonly createdAt: string;
    readonly endsAt: string;
  };
  /** By e-mail address, in lower case: one for each team with such an account. */
  admin: OfTeam & {
    readonly name: string;
    readonly email: string;
    readonly passwordHash: string | null;
    readonly waitUntil: string | null;
  };
  /** By the hash of the token. */
  link: OfTeam & {
    readonly purpose: OneTimeLinkRow['purpose'];
    readonly name: string;
    readonly email: string | null;
    readonly endsAt: string;
    readonly usedAt: string | null;
  };
}

interface HolderQuery {
  /** The columns of the result in order, with their types on PostgreSQL. */
  readonly columns: Readonly<Record<string, 'uuid' | 'text'>>;
  /** `$wanted` stands for the value. */
  readonly sql: string;
}

const ofTeam = {
  id: 'uuid',
  teamId: 'uuid',
  teamName: 'text',
  slug: 'text',
  timezone: 'text',
} as const;
const team = `t."id", t."name", t."slug", t."timezone"`;
const holder = `coalesce(a."name", s."name"), a."email"`;
const joined = `join "teams" t on t."id" = x."teamId"
  left join "admins" a on a."teamId" = x."teamId" and a."id" = x."adminId"
  left join "screens" s on s."teamId" = x."teamId" and s."id" = x."screenId"`;

export const holderQueries: { readonly [K in keyof Holders]: HolderQuery } = {
  session: {
    columns: {
      ...ofTeam,
      role: 'text',
      adminId: 'uuid',
      screenId: 'uuid',
      name: 'text',
      email: 'text',
      lastSeenAt: 'text',
      createdAt: 'text',
      endsAt: 'text',
    },
    sql: `select x."id", ${team}, x."role", x."adminId", x."screenId", ${holder}, x."lastSeenAt", x."createdAt", x."endsAt"
      from "browserSessions" x ${joined} where x."secretHash" = $wanted`,
  },
  admin: {
    columns: { ...ofTeam, name: 'text', email: 'text', passwordHash: 'text', waitUntil: 'text' },
    sql: `select x."id", ${team}, x."name", x."email", x."passwordHash", x."waitUntil"
      from "admins" x join "teams" t on t."id" = x."teamId" where x."email" = $wanted order by t."slug"`,
  },
  link: {
    columns: {
      ...ofTeam,
      purpose: 'text',
      name: 'text',
      email: 'text',
      endsAt: 'text',
      usedAt: 'text',
    },
    sql: `select x."id", ${team}, x."purpose", ${holder}, x."endsAt", x."usedAt"
      from "oneTimeLinks" x ${joined} where x."tokenHash" = $wanted`,
  },
};

/** The query with the names of the result's columns. */
export function namedQuery({ columns, sql }: HolderQuery, wanted: string): string {
  const names = Object.keys(columns).map((name) => `"${name}"`);
  return `with found(${names.join(', ')}) as (${sql.replace('$wanted', wanted)}) select * from found`;
}
