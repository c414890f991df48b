/** The accounts of admins and staff: made by a link, signed in with a password. */
import type { AccountRole } from '../../contract/dashboard/roles.ts';
import { email as emailSchema } from '../../contract/fields.ts';
import { audit } from '../audit.ts';
import type { Context } from '../context.ts';
import type { AccountHolder } from '../database/holders.ts';
import type { AdminRow, ScreenRow } from '../database/tables.ts';
import { ApiProblem, invalid, invalidValue, notFound } from '../problem.ts';
import { change, find, findBy, insert, type OfTeam, remove, removeBy } from '../records.ts';
import { makeLink, type NewLink } from './links.ts';
import { readName } from './names.ts';
import { hashPassword, passwordIssue, verifyPassword } from './passwords.ts';
import { endSessions } from './sessions.ts';
import type { UnknownAddresses } from './unknown-addresses.ts';
import { waitAfter } from './waits.ts';

/** The address in the form that is stored and compared. */
export function normalizeEmail(text: string): string {
  const address = text.trim().toLowerCase();
  if (!emailSchema.safeParse(address).success)
    throw invalidValue('email', 'invalid_format', `must be an e-mail address: ${text}`);
  return address;
}

/** An account with its first link. */
export async function addAdmin(
  context: Context,
  actor: string,
  {
    email: given,
    name,
    role = 'admin',
  }: { readonly email: string; readonly name?: string; readonly role?: AccountRole },
): Promise<{ row: AdminRow; link: NewLink }> {
  const email = normalizeEmail(given);
  const taken = await findBy(context, 'admins', { email });
  if (taken)
    throw new ApiProblem('duplicate', `${email} has an account of ${context.team.name} already`, {
      field: 'email',
      id: taken.id,
    });
  const row = await insert(context, 'admins', {
    email,
    name: name === undefined ? email : readName(name),
    role,
    failures: 0,
  });
  await audit(context, actor, { action: 'admin.add', subject: row.id, details: { email, role } });
  return { row, link: await makeLink(context, 'welcome', { adminId: row.id }, actor) };
}

/** A new link for an account: for its first password, or for another one. */
export async function addLink(context: Context, actor: string, row: AdminRow): Promise<NewLink> {
  await audit(context, actor, {
    action: 'admin.link',
    subject: row.id,
    details: { email: row.email },
  });
  const purpose = row.passwordHash === null ? 'welcome' : 'reset';
  return makeLink(context, purpose, { adminId: row.id }, actor);
}

/** Ends the account and its sessions. */
export async function removeAdmin(context: Context, actor: string, row: AdminRow): Promise<void> {
  await endSessions(context, { adminId: row.id });
  await removeBy(context, 'oneTimeLinks', { adminId: row.id });
  await remove(context, 'admins', row.id);
  await audit(context, actor, {
    action: 'admin.remove',
    subject: row.id,
    details: { email: row.email },
  });
}

/** Throws `not_found`. */
export async function requireAdmin(context: OfTeam, id: string): Promise<AdminRow> {
  const row = await find(context, 'admins', id);
  if (!row) throw notFound('admin');
  return row;
}

/**
 * Sets a password and ends the waits after wrong ones. Hash it before the transaction: that takes 40 ms.
 * `linkBy`: who made the link that it was set with, and who may have opened it as well.
 */
export async function setPassword(
  context: Context,
  row: AdminRow,
  passwordHash: string,
  linkBy?: string,
): Promise<void> {
  await change(context, 'admins', row, { passwordHash, failures: 0, waitUntil: null });
  await audit(context, `admin:${row.email}`, {
    action: 'password.set',
    subject: row.id,
    ...(linkBy !== undefined && { details: { linkBy } }),
  });
}

/** Throws `validation_failed` with what is wrong with it. */
export async function hashNewPassword(
  password: string,
  about: { email: string; teamName: string },
): Promise<string> {
  const issue = await passwordIssue(password, about);
  if (issue) throw invalid([issue]);
  return hashPassword(password);
}

type Candidate = AccountHolder;

/**
 * The accounts whose password this is, one or more. `onWrong` notes a failure in the account's team. Throws `rate_limited` while every
 * one waits.
 */
export async function checkPassword(
  all: readonly Candidate[],
  password: string,
  {
    now,
    onWrong,
  }: { readonly now: Date; readonly onWrong: (candidate: Candidate) => Promise<void> },
): Promise<Candidate[]> {
  // Any team can invite an address. Only accounts with a password count; without one, the first takes as long.
  const able = all.filter(({ passwordHash }) => passwordHash !== null);
  const candidates = able.length > 0 ? able : all.slice(0, 1);
  const waits = candidates.map(({ waitUntil }) =>
    waitUntil ? Date.parse(waitUntil) - now.getTime() : 0,
  );
  requireNoWait(Math.min(...waits));
  const fitting = [];
  for (const [at, candidate] of candidates.entries()) {
    if ((waits[at] ?? 0) > 0) continue;
    if (await verifyPassword(password, candidate.passwordHash)) fitting.push(candidate);
  }
  if (fitting.length === 0) for (const candidate of candidates) await onWrong(candidate);
  return fitting;
}

/** For an address without an account: as long as a wrong password takes, with the same waits. Throws `rate_limited`. */
export async function checkUnknown(
  unknown: UnknownAddresses,
  address: string,
  password: string,
): Promise<void> {
  requireNoWait(await unknown.waitMs(address, new Date()));
  await verifyPassword(password, null);
  await unknown.noteFailure(address, new Date());
}

function requireNoWait(ms: number): void {
  if (ms <= 0) return;
  const retryAfter = Math.ceil(ms / 1000);
  throw new ApiProblem('rate_limited', `Too many wrong passwords. Retry in ${retryAfter} s`, {
    retryAfter,
  });
}

/** Notes a wrong password in the row, so that all processes make the next one wait. */
export async function noteFailure(context: Context, id: string): Promise<void> {
  const row = await requireAdmin(context, id);
  const failures = row.failures + 1;
  const waitMs = waitAfter(failures);
  const waitUntil = waitMs > 0 ? new Date(Date.parse(context.now) + waitMs).toISOString() : null;
  await change(context, 'admins', row, { failures, waitUntil });
}

/** Ends the waits. */
export const noteSuccess = (context: Context, row: AdminRow): Promise<AdminRow> =>
  change(context, 'admins', row, { failures: 0, waitUntil: null });

/** A screen with its link, which signs one browser in. */
export async function addScreen(
  context: Context,
  actor: string,
  given: string,
): Promise<{ row: ScreenRow; link: NewLink }> {
  const name = readName(given);
  const row = await insert(context, 'screens', { name, createdBy: actor });
  await audit(context, actor, { action: 'screen.add', subject: row.id, details: { name } });
  return { row, link: await makeLink(context, 'screen', { screenId: row.id }, actor) };
}

/** A new link for a screen. The display that shows it now is signed out when the link is used. */
export async function addScreenLink(
  context: Context,
  actor: string,
  { id, name }: ScreenRow,
): Promise<NewLink> {
  await audit(context, actor, { action: 'screen.link', subject: id, details: { name } });
  return makeLink(context, 'screen', { screenId: id }, actor);
}

/** Throws `not_found`. */
export async function requireScreen(context: OfTeam, id: string): Promise<ScreenRow> {
  const row = await find(context, 'screens', id);
  if (!row) throw notFound('screen');
  return row;
}

/** Ends the screen and its session. */
export async function endScreen(
  context: Context,
  actor: string,
  { id, name }: Pick<ScreenRow, 'id' | 'name'>,
): Promise<void> {
  await endSessions(context, { screenId: id });
  await removeBy(context, 'oneTimeLinks', { screenId: id });
  await remove(context, 'screens', id);
  await audit(context, actor, { action: 'screen.end', subject: id, details: { name } });
}
