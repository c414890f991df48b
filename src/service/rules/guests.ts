/**
 * Who is meant by an invite or a reply. Somebody named by customer or contact is the one who is named by that record's own
 * e-mail address alone (decision); two records that share an address are two people.
 */
import type { Expression, SqlBool } from 'kysely';
import type { RecordFor } from '../../contract/contract.ts';
import type { Context } from '../context.ts';
import type { Where } from '../lists.ts';
import { anyTable, find } from '../records.ts';
import { Refusal } from '../refusal.ts';
import { foldEmail, folded } from './emails.ts';

export type Guest = Pick<RecordFor<'rsvps'>, 'customerId' | 'contactId' | 'email'>;
type Table = 'invites' | 'rsvps';

/** The invites or replies of an event that are this person's, the oldest first. */
export async function findGuest<T extends Table>(context: Context, table: T, eventId: string, guest: Guest): Promise<RecordFor<T>[]> {
  const addresses = await addressesOf(context, guest);
  const rows = await anyTable(context)
    .selectFrom(table as string)
    .selectAll()
    .where('teamId', '=', context.team.id)
    .where('socialEventId', '=', eventId)
    .where((where) => means(where, context, guest, addresses))
    .orderBy('id')
    .execute();
  return rows as unknown as RecordFor<T>[];
}

/** `duplicate` for who has one of these already; `what` says which. */
export function refuseSecond(existing: { readonly id: string } | undefined, guest: Guest, what: string): void {
  if (!existing) return;
  const field = (['customerId', 'contactId', 'email'] as const).find((name) => guest[name]);
  throw new Refusal('duplicate', `Who is named by ${field} ${what} already`, { field, id: existing.id });
}

/** Those that the guest gives, and the one that the customer or contact has. */
async function addressesOf(context: Context, { customerId, contactId, email }: Guest): Promise<string[]> {
  const customer = customerId ? await find(context, 'customers', customerId) : undefined;
  const contact = contactId ? await find(context, 'contacts', contactId) : undefined;
  return [email, customer?.email, contact?.email].flatMap((address) => (address ? [foldEmail(address)] : []));
}

function means(where: Where, { team }: Context, { customerId, contactId }: Guest, addresses: readonly string[]): Expression<SqlBool> {
  const any: Expression<SqlBool>[] = [];
  if (customerId) any.push(where('customerId', '=', customerId));
  if (contactId) any.push(where('contactId', '=', contactId));
  if (addresses.length > 0) {
    const byAddress = where(folded('email'), 'in', addresses);
    any.push(where.and([where('customerId', 'is', null), where('contactId', 'is', null), byAddress]));
    const withAddress = (table: string) =>
      where.selectFrom(table).select('id').where('teamId', '=', team.id).where(folded('email'), 'in', addresses);
    if (!customerId && !contactId)
      any.push(where('customerId', 'in', withAddress('customers')), where('contactId', 'in', withAddress('contacts')));
  }
  return where.or(any);
}
