import type { RecordFor } from '../../contract/contract.ts';
import type { Context } from '../context.ts';
import { invalid } from '../refusal.ts';
import { makeRoom } from './positions.ts';
import type { RulesOf } from './rule.ts';
import { refuseUsed } from './uses.ts';

export const rsvpOptions: RulesOf<'rsvpOptions'> = {
  async create(context, { parent: event, body }, proceed) {
    requireNoCapacity(body.kind, body.capacity);
    return proceed({ position: await makeRoom(context, 'rsvpOptions', await optionsOf(context, event.id), body.position) });
  },
  async update(context, { record, body }, proceed) {
    requireNoCapacity(record.kind, body.capacity);
    if (body.position === undefined) return proceed();
    const others = (await optionsOf(context, record.socialEventId)).filter(({ id }) => id !== record.id);
    return proceed({ position: await makeRoom(context, 'rsvpOptions', others, body.position) });
  },
  async delete(context, { record }, proceed) {
    await refuseUsed(context, `The option ${record.label}`, { target: 'rsvpOptions', id: record.id });
    await proceed();
    await makeRoom(context, 'rsvpOptions', await optionsOf(context, record.socialEventId));
  },
};

async function optionsOf({ db, team }: Context, eventId: string): Promise<RecordFor<'rsvpOptions'>[]> {
  return db
    .selectFrom('rsvpOptions')
    .selectAll()
    .where('teamId', '=', team.id)
    .where('socialEventId', '=', eventId)
    .orderBy('position')
    .execute();
}

/** Decision: only people who come take places, so a limit on other replies would be one that never holds. */
function requireNoCapacity(kind: string, capacity: number | null | undefined): void {
  if (kind === 'going' || !capacity) return;
  throw invalid([{ path: 'capacity', rule: 'going_only', message: `is for options of the kind going; this one is ${kind}` }]);
}
