/**
 * Invites and replies. A customer or contact is the same person as their own e-mail address alone (decision); two records with the
 * same address are two people.
 */

import type { Expression, SqlBool } from 'kysely';
import { type CreateFor, contract, type RecordFor } from '../../contract/contract.ts';
import type { Context } from '../context.ts';
import type { Where } from '../lists.ts';
import { ApiProblem, invalid, invalidValue } from '../problem.ts';
import { anyTable, change, find, findBy, findOrThrow } from '../records.ts';
import { recountEvent, requireCapacity, requireOpen } from './attendance.ts';
import { foldEmail, folded } from './emails.ts';
import type { RulesOf } from './rule.ts';

export const invites: RulesOf<'invites'> = {
  async create(context, { parent: event, body }, proceed) {
    requireOnePerson(body);
    const { customerId = null, contactId = null, email = null } = body;
    const guest = { customerId, contactId, email };
    const invites = await findGuest(context, 'invites', event.id, guest);
    refuseSecond(
      invites.find(({ status }) => status !== 'cancelled'),
      guest,
      'is already invited',
    );
    const invite = await proceed();
    await recountEvent(context, event.id);
    return invite;
  },
  async update(context, { record }, proceed) {
    const invite = await proceed();
    await recountEvent(context, record.socialEventId);
    return invite;
  },
  /** Decision: a reply stays when its invite is deleted. */
  async delete(context, { record }, proceed) {
    const reply = await findBy(context, 'rsvps', { inviteId: record.id });
    if (reply) await change(context, 'rsvps', reply, { inviteId: null });
    await proceed();
    await recountEvent(context, record.socialEventId);
  },
};

function requireOnePerson(body: CreateFor<'invites'>): void {
  const people = contract.invites.atLeastOne;
  const given = people.filter((field) => body[field]);
  if (given.length > 1)
    throw new ApiProblem(
      'conflicting_fields',
      `Give one of ${people.join(', ')}, not ${given.join(' and ')}`,
      { fields: given },
    );
  if (given.length === 0)
    throw invalidValue('', 'exactly_one', `needs one of ${people.join(', ')}`);
}

type SocialEvent = RecordFor<'socialEvents'>;
type Invite = RecordFor<'invites'>;
type Body = CreateFor<'rsvps'>;

export const rsvps: RulesOf<'rsvps'> = {
  async create(context, { parent: event, body }, proceed) {
    requireOpen(context, event);
    await requireOptionOf(context, event, body.rsvpOptionId);
    const given = body.inviteId ? await requireInvite(context, event, body.inviteId) : undefined;
    requireInvited(body, given);
    const invite = given ?? (await openInviteTo(context, event, guestOf(body)));
    const person = await personOf(context, body, invite);
    const [earlier] = await findGuest(context, 'rsvps', event.id, person);
    refuseSecond(earlier, person, 'has already replied');
    if (!invite && event.visibility === 'invite_only')
      throw wrongInvite('required', 'is required: the social event is only for invited guests');
    const reply = await proceed({ ...person, inviteId: invite?.id ?? null });
    if (invite) await change(context, 'invites', invite, { status: 'responded' });
    await requireCapacity(context, await recountEvent(context, event.id), reply);
    return reply;
  },
  async update(context, { record, body }, proceed) {
    const { rsvpOptionId = record.rsvpOptionId, partySize = record.partySize } = body;
    if (rsvpOptionId === record.rsvpOptionId && partySize === record.partySize) return proceed();
    const event = await findOrThrow(context, 'socialEvents', record.socialEventId);
    requireOpen(context, event);
    await requireOptionOf(context, event, rsvpOptionId);
    const reply = await proceed();
    await requireCapacity(context, await recountEvent(context, event.id), reply, record);
    return reply;
  },
};

async function requireOptionOf(
  context: Context,
  event: SocialEvent,
  optionId: string,
): Promise<void> {
  const option = await find(context, 'rsvpOptions', optionId);
  if (option?.socialEventId !== event.id) {
    throw invalidValue('rsvpOptionId', 'same_event', 'must be an option of the same social event');
  }
}

/** The invite in the body: of this event, and not cancelled. */
async function requireInvite(
  context: Context,
  event: SocialEvent,
  inviteId: string,
): Promise<Invite> {
  const invite = await find(context, 'invites', inviteId);
  if (invite?.socialEventId !== event.id)
    throw wrongInvite('same_event', 'must be an invite to the same social event');
  if (invite.status === 'cancelled')
    throw wrongInvite('cancelled', "must be an invite that isn't cancelled");
  return invite;
}

const wrongInvite = (rule: string, message: string) =>
  invalid([{ path: 'inviteId', rule, message }]);

/** The open invite of a guest who doesn't give it. */
async function openInviteTo(
  context: Context,
  event: SocialEvent,
  guest: Guest,
): Promise<Invite | undefined> {
  const invites = await findGuest(context, 'invites', event.id, guest);
  return invites.find(({ status }) => status === 'pending' || status === 'sent');
}

/** Who replies: as given, completed from the invite. The name is copied, so that it stays when a contact is deleted. */
async function personOf(
  context: Context,
  body: Body,
  invite: Invite | undefined,
): Promise<Guest & Pick<RecordFor<'rsvps'>, 'guestName'>> {
  const { customerId, contactId, email } = guestOf(body, invite);
  if (customerId && contactId) {
    throw new ApiProblem('conflicting_fields', 'Give customerId or contactId, not both', {
      fields: ['customerId', 'contactId'],
    });
  }
  const guestName = body.guestName ?? (await nameOf(context, customerId, contactId));
  if (!invite && !customerId && !contactId && !guestName && !email) {
    throw invalidValue(
      '',
      'at_least_one',
      `needs at least one of ${contract.rsvps.atLeastOne.join(', ')}`,
    );
  }
  return { customerId, contactId, guestName, email };
}

const guestOf = (body: Body, invite?: Invite): Guest => ({
  customerId: body.customerId ?? invite?.customerId ?? null,
  contactId: body.contactId ?? invite?.contactId ?? null,
  email: body.email ?? invite?.email ?? null,
});

/** Only the invited customer or contact can answer an invite. */
function requireInvited(body: Body, invite: Invite | undefined): void {
  if (!invite?.customerId && !invite?.contactId) return;
  const others = (['customerId', 'contactId'] as const).filter(
    (field) => body[field] && body[field] !== invite[field],
  );
  if (others.length > 0)
    throw invalid(
      others.map((path) => ({
        path,
        rule: 'invited',
        message: 'must be the invited person, or be left out',
      })),
    );
}

async function nameOf(
  context: Context,
  customerId: string | null,
  contactId: string | null,
): Promise<string | null> {
  const customer = customerId ? await find(context, 'customers', customerId) : undefined;
  const person = contactId ? await find(context, 'contacts', contactId) : customer;
  const name = [person?.firstName, person?.lastName].filter(Boolean).join(' ');
  // The length of a name field.
  return (name || customer?.companyName)?.slice(0, 255) ?? null;
}

type Guest = Pick<RecordFor<'rsvps'>, 'customerId' | 'contactId' | 'email'>;
type Table = 'invites' | 'rsvps';

/** All invites or replies of a guest for an event, oldest first. */
async function findGuest<T extends Table>(
  context: Context,
  table: T,
  eventId: string,
  guest: Guest,
): Promise<RecordFor<T>[]> {
  const addresses = await addressesOf(context, guest);
  const rows = await anyTable(context)
    .selectFrom(table as string)
    .selectAll()
    .where('teamId', '=', context.team.id)
    .where('socialEventId', '=', eventId)
    .where((where) => isGuest(where, context, guest, addresses))
    .execute();
  // Sorted here: asked for this order, SQLite reads the guests of every event.
  return (rows as unknown as RecordFor<T>[]).sort((one, other) => (one.id < other.id ? -1 : 1));
}

/** `duplicate` if the guest has one already; `what` says which. */
function refuseSecond(
  existing: { readonly id: string } | undefined,
  guest: Guest,
  what: string,
): void {
  if (!existing) return;
  const field = (['customerId', 'contactId', 'email'] as const).find((name) => guest[name]);
  throw new ApiProblem('duplicate', `The guest in ${field} ${what}`, { field, id: existing.id });
}

/** The addresses that the guest gives, and those of the customer or contact. */
async function addressesOf(
  context: Context,
  { customerId, contactId, email }: Guest,
): Promise<string[]> {
  const customer = customerId ? await find(context, 'customers', customerId) : undefined;
  const contact = contactId ? await find(context, 'contacts', contactId) : undefined;
  return [email, customer?.email, contact?.email].flatMap((address) =>
    address ? [foldEmail(address)] : [],
  );
}

function isGuest(
  where: Where,
  { team }: Context,
  { customerId, contactId }: Guest,
  addresses: readonly string[],
): Expression<SqlBool> {
  const any: Expression<SqlBool>[] = [];
  if (customerId) any.push(where('customerId', '=', customerId));
  if (contactId) any.push(where('contactId', '=', contactId));
  if (addresses.length > 0) {
    const byAddress = where(folded('email'), 'in', addresses);
    any.push(
      where.and([where('customerId', 'is', null), where('contactId', 'is', null), byAddress]),
    );
    const withAddress = (table: string) =>
      where
        .selectFrom(table)
        .select('id')
        .where('teamId', '=', team.id)
        .where(folded('email'), 'in', addresses);
    if (!customerId && !contactId)
      any.push(
        where('customerId', 'in', withAddress('customers')),
        where('contactId', 'in', withAddress('contacts')),
      );
  }
  return where.or(any);
}
