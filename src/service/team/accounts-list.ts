/** Accounts and screens with what their sessions and links tell: for `cs admin`, and for the dashboard. */
import type { AdminState, ScreenState } from '../../contract/dashboard/accounts.ts';
import type { AdminRow, ScreenRow } from '../database/tables.ts';
import { listBy, type OfTeam } from '../records.ts';
import { isLive } from './sessions.ts';

/** What sessions and the newest link tell of an account or a screen. */
interface Activity {
  readonly lastSeenAt: string | null;
  /** Sessions that are open now. */
  readonly sessions: number;
  /** The end of the link that nobody has used yet; null without one, and once it has ended. */
  readonly linkEndsAt: string | null;
}

export interface Account
  extends Pick<AdminRow, 'id' | 'email' | 'name' | 'role' | 'createdAt'>,
    Activity {
  /** Whether the first link was used. */
  readonly hasPassword: boolean;
  readonly state: AdminState;
}

export interface Screen
  extends Pick<ScreenRow, 'id' | 'name' | 'createdBy' | 'openedAt' | 'createdAt'>,
    Activity {
  readonly state: ScreenState;
}

/** By e-mail address; all, or the one of an id. */
export async function readAccounts(context: OfTeam, id?: string): Promise<Account[]> {
  const rows = await listBy(context, 'admins', id === undefined ? {} : { id }, 'email');
  const activityOf = await readActivity(context, 'adminId');
  return rows.map(({ id, email, name, role, passwordHash, createdAt }) => {
    const activity = activityOf(id);
    const hasPassword = passwordHash !== null;
    const state = hasPassword ? 'active' : activity.linkEndsAt ? 'invited' : 'link_ended';
    return { id, email, name, role, hasPassword, state, createdAt, ...activity };
  });
}

/** By name; all, or the one of an id. */
export async function readScreens(context: OfTeam, id?: string): Promise<Screen[]> {
  const rows = await listBy(context, 'screens', id === undefined ? {} : { id }, 'name');
  const activityOf = await readActivity(context, 'screenId');
  return rows.map(({ id, name, createdBy, openedAt, createdAt }) => {
    const activity = activityOf(id);
    return {
      id,
      name,
      createdBy,
      openedAt,
      state: screenState(openedAt, activity),
      createdAt,
      ...activity,
    };
  });
}

function screenState(openedAt: string | null, { sessions, linkEndsAt }: Activity): ScreenState {
  if (sessions > 0) return 'active';
  if (linkEndsAt) return 'invited';
  return openedAt ? 'signed_out' : 'link_ended';
}

/** Whether no admin could sign in without this account: one that waits for its first password can't. */
export const isLastToSignIn = (accounts: readonly Account[], id: string): boolean =>
  accounts.some((account) => account.id === id && account.role === 'admin') &&
  accounts.every(
    (account) => account.id === id || account.role !== 'admin' || !account.hasPassword,
  );

/** Throws for an id without a row. */
export const readAccount = async (reader: OfTeam, id: string): Promise<Account> =>
  only(await readAccounts(reader, id));
export const readScreen = async (reader: OfTeam, id: string): Promise<Screen> =>
  only(await readScreens(reader, id));

function only<T>([row]: readonly T[]): T {
  if (!row) throw new Error('The row was read a moment ago, in the same transaction');
  return row;
}

async function readActivity(
  { db, team }: OfTeam,
  holder: 'adminId' | 'screenId',
): Promise<(id: string) => Activity> {
  const now = new Date();
  const sessions = await listBy({ db, team }, 'browserSessions', {}, 'id');
  const links = await db
    .selectFrom('oneTimeLinks')
    .select(['adminId', 'screenId', 'endsAt'])
    .where('teamId', '=', team.id)
    .where('usedAt', 'is', null)
    .where('purpose', '<>', 'phone')
    .where('endsAt', '>', now.toISOString())
    .execute();
  return (id) => {
    const own = sessions.filter((session) => session[holder] === id);
    const seen = own.map(({ lastSeenAt }) => lastSeenAt).sort();
    return {
      lastSeenAt: seen.at(-1) ?? null,
      sessions: own.filter((session) => isLive(session, now)).length,
      linkEndsAt: links.find((link) => link[holder] === id)?.endsAt ?? null,
    };
  };
}
