/** The e-mail with a link to a new password. */
import { audit } from '../audit.ts';
import type { Context } from '../context.ts';
import { findAccountHolders } from '../database/holders.ts';
import { enqueue, type OutboxHandler } from '../outbox/outbox.ts';
import type { Stores } from '../stores.ts';
import { inTransaction } from '../transaction.ts';
import { requireAdmin } from './accounts.ts';
import { makeLink } from './links.ts';

/** Mails to one account in an hour. */
const mostAnHour = 3;
const hourMs = 60 * 60_000;
const action = 'password.forgotten';

/**
 * Sends a link to the accounts of an address, if there are any. Tells nobody whether there are. `from`: the network address of the
 * browser, since anybody can ask.
 */
export async function sendForgotten(stores: Stores, email: string, from: string): Promise<void> {
  for (const { id, teamId } of await findAccountHolders(
    stores.database.read,
    email.trim().toLowerCase(),
  ))
    await inTransaction(stores, { id: teamId }, async (context) => {
      const row = await requireAdmin(context, id).catch(() => undefined);
      if (!row || (await countLately(context, id)) >= mostAnHour) return;
      await audit(context, `admin:${row.email}`, {
        action,
        subject: id,
        details: { address: from },
      });
      await enqueue(context, { kind: 'adminLink', recordId: id });
    });
}

async function countLately({ db, team, now }: Context, adminId: string): Promise<number> {
  const since = new Date(Date.parse(now) - hourMs).toISOString();
  const rows = await db
    .selectFrom('auditLog')
    .select('id')
    .where('teamId', '=', team.id)
    .where('at', '>', since)
    .where('action', '=', action)
    .where('subject', '=', adminId)
    .execute();
  return rows.length;
}

/** The link is made when the mail is handed over, so no token waits in the outbox. A further try sends a new link, and the older one is void. */
export const adminLinkHandler = (publicUrl: string): OutboxHandler => ({
  async load(context, adminId) {
    const row = await requireAdmin(context, adminId).catch(() => undefined);
    if (!row) return undefined;
    const purpose = row.passwordHash === null ? 'welcome' : 'reset';
    const isFirst = purpose === 'welcome';
    const { token } = await makeLink(context, purpose, { adminId }, 'e-mail');
    return {
      id: `${adminId}-${context.stamp.replace(/\D/g, '')}`,
      to: row.email,
      from: null,
      subject: `A new password for the dashboard of ${context.team.name}`,
      body: [
        `Somebody asked for a new password for ${row.email}.`,
        '',
        `Set it here. The link works once, for ${isFirst ? '72 hours' : 'an hour'}:`,
        `${publicUrl}/dashboard/link#${token}`,
        '',
        `If it wasn't you, do nothing${isFirst ? '' : ': your password stays as it is'}.`,
      ].join('\n'),
    };
  },
  async recordOutcome() {
    // Whoever waits for the mail asks again.
  },
});
