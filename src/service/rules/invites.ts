import { type CreateFor, contract } from '../../contract/contract.ts';
import { change } from '../records.ts';
import { invalid, Refusal } from '../refusal.ts';
import { recountEvent } from './attendance.ts';
import { findGuest, refuseSecond } from './guests.ts';
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
      'is invited',
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
  /** Decision: who has replied has replied, also when the invite is taken back. */
  async delete(context, { record }, proceed) {
    const reply = await context.db
      .selectFrom('rsvps')
      .selectAll()
      .where('teamId', '=', context.team.id)
      .where('inviteId', '=', record.id)
      .executeTakeFirst();
    if (reply) await change(context, 'rsvps', reply, { inviteId: null });
    await proceed();
    await recountEvent(context, record.socialEventId);
  },
};

function requireOnePerson(body: CreateFor<'invites'>): void {
  const people = contract.invites.atLeastOne;
  const given = people.filter((field) => body[field]);
  if (given.length > 1)
    throw new Refusal('conflicting_fields', `Give one of ${people.join(', ')}, not ${given.join(' and ')}`, { fields: given });
  if (given.length === 0) throw invalid([{ path: '', rule: 'exactly_one', message: `needs one of ${people.join(', ')}` }]);
}
