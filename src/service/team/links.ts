/** One-time links: they set a password, or sign a screen in. The token is shown once, and only its hash is stored. */
import type { Context, ReadContext } from '../context.ts';
import type { Database, TeamAccess } from '../database/database.ts';
import { findLinkHolder, type LinkHolder } from '../database/holders.ts';
import type { OneTimeLinkRow } from '../database/tables.ts';
import { ApiProblem } from '../problem.ts';
import { findBy, insert, type OfTeam, remove, removeBy } from '../records.ts';
import { hashSecret, isSecret, makeSecret } from './secrets.ts';
import { endSessions } from './sessions.ts';

type Purpose = OneTimeLinkRow['purpose'];

const hourMs = 60 * 60_000;
/** How long a link may be used (decision). */
const lifetimes: Readonly<Record<Purpose, number>> = {
  welcome: 72 * hourMs,
  reset: hourMs,
  screen: 24 * hourMs,
  // The panel that shows it asks for more time while it is open.
  phone: hourMs / 30,
};

export interface NewLink {
  readonly id: string;
  readonly token: string;
  readonly endsAt: string;
}

/** A new link. Older ones of the same admin or screen are void from now on, unless it is for a phone. */
export async function makeLink(
  context: Context,
  purpose: Purpose,
  holder: { readonly adminId: string } | { readonly screenId: string },
  createdBy: string,
): Promise<NewLink> {
  // A phone beside another one.
  if (purpose !== 'phone') await removeBy(context, 'oneTimeLinks', holder);
  const token = makeSecret();
  const endsAt = new Date(Date.parse(context.now) + lifetimes[purpose]).toISOString();
  const { id } = await insert(context, 'oneTimeLinks', {
    tokenHash: hashSecret(token),
    purpose,
    createdBy,
    ...holder,
    endsAt,
  });
  return { id, token, endsAt };
}

/** Used, ended, replaced or unknown: the answer is the same. */
export const linkInvalid = (): ApiProblem =>
  new ApiProblem(
    'link_invalid',
    'This link was used, has ended, or was replaced by a newer one. Ask for a new link',
  );

/** Whom the link is for. Nothing is used up. */
export async function findLink(database: Database, token: string, now: Date): Promise<LinkHolder> {
  const row = isSecret(token) ? await findLinkHolder(database.read, hashSecret(token)) : undefined;
  if (!row || row.usedAt || row.endsAt <= now.toISOString()) throw linkInvalid();
  return row;
}

/** Uses the link up, inside the transaction that does what it is for: of two uses at once, one is refused. */
export async function useLink(
  { db, team, now, stamp }: Context,
  id: string,
): Promise<OneTimeLinkRow> {
  const row = await db
    .updateTable('oneTimeLinks')
    .set({ usedAt: now, updatedAt: stamp })
    .where('teamId', '=', team.id)
    .where('id', '=', id)
    .where('usedAt', 'is', null)
    .where('endsAt', '>', now)
    .returningAll()
    .executeTakeFirst();
  if (!row) throw linkInvalid();
  return row;
}

/** The link of a phone. The session that it starts has its id. */
export const findPhoneLink = (context: OfTeam, id: string): Promise<OneTimeLinkRow | undefined> =>
  findBy(context, 'oneTimeLinks', { id, purpose: 'phone' });

/** Gives the link, and the phone that used it, two more minutes. No change of the team: nobody else reads it. */
export async function keepPhoneLink(
  { team, write }: Pick<ReadContext, 'team'> & Pick<TeamAccess, 'write'>,
  id: string,
  now: Date,
): Promise<void> {
  const endsAt = new Date(now.getTime() + lifetimes.phone).toISOString();
  for (const table of ['oneTimeLinks', 'browserSessions'] as const)
    await write
      .updateTable(table)
      .set({ endsAt })
      .where('teamId', '=', team.id)
      .where('id', '=', id)
      .where('endsAt', '>', now.toISOString())
      .execute();
}

/** Signs the phone out that used it. */
export async function endPhoneLink(context: Context, id: string): Promise<void> {
  await remove(context, 'oneTimeLinks', id);
  await endSessions(context, { id });
}
