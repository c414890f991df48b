/** Sessions of browsers: who is signed in, until when, and how a session ends. A session of a car (event session) is something else. */
import type { Role } from '../../contract/dashboard/roles.ts';
import type { Context, ReadContext, Team } from '../context.ts';
import type { Database } from '../database/database.ts';
import { findSessionHolder, type SessionHolder } from '../database/holders.ts';
import type { BrowserSessionRow } from '../database/tables.ts';
import { ApiProblem } from '../problem.ts';
import { find, insert, listBy, newId, remove, removeBy } from '../records.ts';
import { hashSecret, isSecret, makeSecret } from './secrets.ts';

const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;

/** How long a session lasts without a request, and in all (decision). */
const lifetimes: Readonly<Record<Role, { readonly idleMs: number; readonly wholeMs: number }>> = {
  admin: { idleMs: 12 * hourMs, wholeMs: 14 * dayMs },
  // A shift.
  staff: { idleMs: 12 * hourMs, wholeMs: 12 * hourMs },
  screen: { idleMs: 30 * dayMs, wholeMs: 365 * dayMs },
};

/** `lastSeenAt` is written at most this often. */
const seenMs = 5 * 60_000;

/** Ended sessions and used links are removed after this time. */
const keptMs = 30 * dayMs;

/** A browser that is signed in. */
export interface BrowserSession {
  readonly id: string;
  readonly role: Role;
  readonly team: Team;
  /** Of the account, or of the screen. */
  readonly name: string;
  /** Of an account. */
  readonly email: string | null;
  readonly adminId: string | null;
  readonly lastSeenAt: string;
  /** When it ends without another request. */
  readonly endsAt: string;
}

/** Who acts, for the log and the history of a car. */
export const actorOf = ({
  role,
  email,
  name,
}: Pick<BrowserSession, 'role' | 'email' | 'name'>): string =>
  role === 'screen' ? `screen:${name}` : `admin:${email}`;

/** The session with this secret, read at each request: ending one holds from the next on. Undefined if there is none, or it has ended. */
export async function findSession(
  database: Database,
  secret: string | undefined,
  now: Date,
): Promise<BrowserSession | undefined> {
  if (secret === undefined || !isSecret(secret)) return undefined;
  const row = await findSessionHolder(database.read, hashSecret(secret));
  return row && isLive(row, now) ? sessionOf(row) : undefined;
}

function sessionOf({
  id,
  role,
  teamId,
  teamName,
  slug,
  timezone,
  name,
  email,
  adminId,
  ...row
}: SessionHolder): BrowserSession {
  const team = { id: teamId, name: teamName, slug, timezone };
  return {
    id,
    role,
    team,
    name,
    email,
    adminId,
    lastSeenAt: row.lastSeenAt,
    endsAt: endOf({ role, ...row }),
  };
}

type Life = Pick<BrowserSessionRow, 'role' | 'lastSeenAt' | 'endsAt'>;

/** The end without another request. */
export function endOf({ role, lastSeenAt, endsAt }: Life): string {
  const idle = new Date(Date.parse(lastSeenAt) + lifetimes[role].idleMs).toISOString();
  return idle < endsAt ? idle : endsAt;
}

export const isLive = (session: Life, now: Date): boolean => endOf(session) > now.toISOString();

/** Reads the session of a write again, inside its transaction: it may have ended while the body arrived. */
export async function requireLive(
  context: ReadContext,
  { id }: BrowserSession,
  now: Date,
): Promise<void> {
  const row = await find(context, 'browserSessions', id);
  if (!row || !isLive(row, now))
    throw new ApiProblem('sign_in_required', 'The session has ended. Sign in again');
}

/** Where a browser is, for the list of sessions. */
export interface Origin {
  readonly device: string;
  readonly address: string;
}

export interface StartedSession {
  readonly session: BrowserSession;
  /** Goes into the cookie. Only its hash is stored. */
  readonly secret: string;
  /** The cookie lasts until the end of the session, in seconds. */
  readonly maxAge: number;
}

interface Holder {
  readonly role: Role;
  readonly name: string;
  readonly email: string | null;
  readonly adminId: string | null;
  readonly screenId: string | null;
}

export async function startSession(
  context: Context,
  holder: Holder,
  { device, address }: Origin,
  { id = newId(), endsAt }: { id?: string; endsAt?: string } = {},
): Promise<StartedSession> {
  const { team, now } = context;
  await removeOld(context);
  const { role, name, email, adminId, screenId } = holder;
  const secret = makeSecret();
  const { wholeMs } = lifetimes[role];
  const row = await insert(context, 'browserSessions', {
    id,
    secretHash: hashSecret(secret),
    role,
    adminId,
    screenId,
    device,
    address,
    lastSeenAt: now,
    endsAt: endsAt ?? new Date(Date.parse(now) + wholeMs).toISOString(),
  });
  const session: BrowserSession = {
    id,
    role,
    team: { id: team.id, name: team.name, slug: team.slug, timezone: team.timezone },
    name,
    email,
    adminId,
    lastSeenAt: now,
    endsAt: endOf(row),
  };
  return { session, secret, maxAge: Math.floor(wholeMs / 1000) };
}

/** Notes that the session is in use. Best effort: the next request tries again. */
export async function noteSeen(
  database: Database,
  { id, team, lastSeenAt }: BrowserSession,
  now: Date,
): Promise<void> {
  if (now.getTime() - Date.parse(lastSeenAt) < seenMs) return;
  await database
    .ofTeam(team.id)
    .write.updateTable('browserSessions')
    .set({ lastSeenAt: now.toISOString() })
    .where('teamId', '=', team.id)
    .where('id', '=', id)
    .execute();
}

/** Ends sessions; all of these, or all but one. Returns how many. */
export async function endSessions(
  context: Context,
  { except, ...whose }: { id?: string; adminId?: string; screenId?: string; except?: string },
): Promise<number> {
  const { adminId } = whose;
  const found = await listBy(context, 'browserSessions', whose, 'id');
  const ended = found.filter(({ id }) => id !== except);
  for (const { id } of ended) await remove(context, 'browserSessions', id);
  // Links that would still sign a phone in.
  if (adminId !== undefined) await removeBy(context, 'oneTimeLinks', { adminId, purpose: 'phone' });
  return ended.length;
}

/** Sessions and links that ended long ago. */
async function removeOld({ db, team, now }: Context): Promise<void> {
  const before = new Date(Date.parse(now) - keptMs).toISOString();
  await db
    .deleteFrom('browserSessions')
    .where('teamId', '=', team.id)
    .where('endsAt', '<', before)
    .execute();
  await db
    .deleteFrom('oneTimeLinks')
    .where('teamId', '=', team.id)
    .where('endsAt', '<', before)
    .execute();
}
