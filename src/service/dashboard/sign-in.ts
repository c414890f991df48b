/** Signing in and out: by password, by a one-time link, and what a signed-in browser is told about itself. */
import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import { audit } from '../audit.ts';
import type { Context } from '../context.ts';
import { type AccountHolder, findAccountHolders } from '../database/holders.ts';
import type { AdminRow } from '../database/tables.ts';
import { readBody } from '../input.ts';
import { ApiProblem } from '../problem.ts';
import { change } from '../records.ts';
import type { Stores } from '../stores.ts';
import {
  checkPassword,
  checkUnknown,
  hashNewPassword,
  normalizeEmail,
  noteFailure,
  noteSuccess,
  requireAdmin,
  requireScreen,
  setPassword,
} from '../team/accounts.ts';
import { sendForgotten } from '../team/forgotten.ts';
import { findLink, useLink } from '../team/links.ts';
import {
  actorOf,
  type BrowserSession,
  endSessions,
  type Origin,
  requireLive,
  type StartedSession,
  startSession,
} from '../team/sessions.ts';
import type { UnknownAddresses } from '../team/unknown-addresses.ts';
import { inTransaction } from '../transaction.ts';

/** Longer ones are refused before they are hashed. */
const password = z.string().max(1_000);
const token = z.string().max(200);
const signInBody = z.strictObject({
  email: z.string().max(254),
  password,
  team: z.string().max(64).optional(),
});
const linkBody = z.strictObject({ token });
const useBody = z.strictObject({ token, password: password.optional() });
const passwordBody = z.strictObject({ current: password, password });

const signInFailed = () =>
  new ApiProblem('sign_in_failed', 'The e-mail address or the password is wrong');

/** Starts a session for the address and password of an admin. Throws `sign_in_failed`, `team_required` or `rate_limited`. */
export async function signIn(
  stores: Stores,
  bytes: Uint8Array,
  { origin, unknown }: { readonly origin: Origin; readonly unknown: UnknownAddresses },
): Promise<StartedSession> {
  const { email, password, team } = readBody(signInBody, bytes);
  const address = email.trim().toLowerCase();
  const candidates = await findAccountHolders(stores.database.read, address);
  if (candidates.length === 0) {
    await checkUnknown(unknown, address, password);
    throw signInFailed();
  }
  const onWrong = (candidate: AccountHolder) => noteRefusal(stores, candidate, origin);
  const fitting = await checkPassword(candidates, password, { now: new Date(), onWrong });
  const chosen = team === undefined ? fitting : fitting.filter(({ slug }) => slug === team);
  const [only, second] = chosen;
  if (!only) throw signInFailed();
  if (second) {
    const teams = chosen.map(({ slug, teamName }) => ({ slug, name: teamName }));
    throw new ApiProblem('team_required', 'The account exists in several teams. Choose one', {
      teams,
    });
  }
  return inTransaction(stores, { id: only.teamId }, async (context) => {
    // Removed or given another password since it was read: nobody signs in with what no longer holds.
    const row = await requireAdmin(context, only.id).catch(() => undefined);
    if (!row || row.passwordHash !== only.passwordHash) throw signInFailed();
    await noteSuccess(context, row);
    return start(context, holderOf(row), origin);
  });
}

/** A wrong password makes the next one wait. The log names one refusal of an account a minute. */
const noteRefusal = (stores: Stores, { id, teamId, email }: AccountHolder, { address }: Origin) =>
  inTransaction(stores, { id: teamId }, async (context) => {
    await noteFailure(context, id);
    const since = new Date(Date.parse(context.now) - 60_000).toISOString();
    const noted = await context.db
      .selectFrom('auditLog')
      .select('id')
      .where('teamId', '=', teamId)
      .where('at', '>', since)
      .where('action', '=', 'session.refused')
      .where('subject', '=', id)
      .executeTakeFirst();
    if (!noted)
      await audit(context, `admin:${email}`, {
        action: 'session.refused',
        subject: id,
        details: { address },
      });
  });

const holderOf = ({ role, name, email, id }: AdminRow) => ({
  role,
  name,
  email,
  adminId: id,
  screenId: null,
});

async function start(
  context: Context,
  holder: Parameters<typeof startSession>[1],
  origin: Origin,
  linkBy?: string,
  life?: Parameters<typeof startSession>[3],
): Promise<StartedSession> {
  const started = await startSession(context, holder, origin, life);
  await audit(context, actorOf(started.session), {
    action: 'session.start',
    subject: started.session.id,
    details: { ...origin, ...(linkBy !== undefined && { linkBy }) },
  });
  return started;
}

/** Whom a link is for. Nothing is used up. Throws `link_invalid`. */
export async function readLink(stores: Stores, bytes: Uint8Array) {
  const { purpose, email, name, teamName, slug, endsAt } = await findLink(
    stores.database,
    readBody(linkBody, bytes).token,
    new Date(),
  );
  return { purpose, email, name, team: { name: teamName, slug }, endsAt };
}

/** Uses a link up: sets the password of an admin, or signs a screen or a phone in. Throws `link_invalid`, and `validation_failed` for the password. */
export async function openLink(
  stores: Stores,
  bytes: Uint8Array,
  origin: Origin,
): Promise<StartedSession> {
  const { token, password = '' } = readBody(useBody, bytes);
  const link = await findLink(stores.database, token, new Date());
  const { email, teamName } = link;
  const passwordHash =
    email === null || link.purpose === 'phone'
      ? undefined
      : await hashNewPassword(password, { email, teamName });
  return inTransaction(stores, { id: link.teamId }, async (context) => {
    const { adminId, screenId, createdBy, endsAt } = await useLink(context, link.id);
    if (adminId && link.purpose === 'phone') {
      const holder = { ...holderOf(await requireAdmin(context, adminId)), role: 'staff' } as const;
      return start(context, holder, origin, createdBy, { id: link.id, endsAt });
    }
    if (adminId && passwordHash) {
      const row = await requireAdmin(context, adminId);
      await setPassword(context, row, passwordHash, createdBy);
      await endSessions(context, { adminId });
      return start(context, holderOf(row), origin, createdBy);
    }
    if (!screenId) throw new Error('A link is for an admin or a screen');
    await endSessions(context, { screenId });
    await change(context, 'screens', await requireScreen(context, screenId), {
      openedAt: context.now,
    });
    const holder = {
      role: 'screen',
      name: link.name,
      email: null,
      adminId: null,
      screenId,
    } as const;
    return start(context, holder, origin, createdBy);
  });
}

/** A new password for the admin who is signed in, who gives the current one. Ends the other sessions. */
export async function changePassword(
  stores: Stores,
  session: BrowserSession,
  bytes: Uint8Array,
): Promise<void> {
  const { current, password } = readBody(passwordBody, bytes);
  const { team, adminId, email } = session;
  if (!adminId || !email) throw new ApiProblem('role_needed', 'A screen has no password');
  const candidates = (await findAccountHolders(stores.database.read, normalizeEmail(email))).filter(
    ({ id }) => id === adminId,
  );
  const onWrong = (candidate: AccountHolder) =>
    inTransaction(stores, team, (context) => noteFailure(context, candidate.id));
  if (candidates.length === 0) throw new ApiProblem('sign_in_required', 'The account was removed');
  const [fits] = await checkPassword(candidates, current, { now: new Date(), onWrong });
  if (!fits) throw new ApiProblem('sign_in_failed', 'The current password is wrong');
  const passwordHash = await hashNewPassword(password, { email, teamName: team.name });
  await inTransaction(stores, team, async (context) => {
    await requireLive(context, session, new Date());
    await setPassword(context, await requireAdmin(context, adminId), passwordHash);
    await endSessions(context, { adminId, except: session.id });
  });
}

const forgottenBody = z.strictObject({ email: z.string().max(254) });
/** The same for every address, in milliseconds: longer than it takes to find an account. */
const forgottenMs = 300;

/** Mails a link for a new password. The answer and its time don't tell whether there is such an account. */
export async function askForLink(
  stores: Stores,
  bytes: Uint8Array,
  { address }: Origin,
): Promise<void> {
  const { email } = readBody(forgottenBody, bytes);
  await Promise.all([sendForgotten(stores, email, address), setTimeout(forgottenMs)]);
}

/** Ends the session of this browser. */
export const signOut = (stores: Stores, { id, team, ...who }: BrowserSession): Promise<void> =>
  inTransaction(stores, team, async (context) => {
    await endSessions(context, { id });
    await audit(context, actorOf(who), { action: 'session.end', subject: id });
  });
