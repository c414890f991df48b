import type { RecordFor } from '../../contract/contract.ts';
import type { Context } from '../context.ts';
import { find } from '../records.ts';
import { invalid, Refusal } from '../refusal.ts';
import { requireActive } from './locations.ts';
import type { RulesOf } from './rule.ts';

type Status = RecordFor<'cars'>['status'];

/** What a PATCH may do. `stored` comes from events alone, so that a car is never stored without a place. */
const byHand: Record<Status, readonly Status[]> = {
  expected: ['archived'],
  stored: [],
  checked_out: ['archived'],
  archived: ['checked_out'],
};

export const cars: RulesOf<'cars'> = {
  async create(context, { body }, proceed) {
    requireModelYear(body.year, context.now);
    if (body.status === 'stored') throw refuseTransition(null, 'stored', ['expected', 'checked_out', 'archived']);
    await requireActiveLocation(context, body.locationId);
    return proceed();
  },
  async update(context, { record, body }, proceed) {
    if (body.year !== undefined) requireModelYear(body.year, context.now);
    if (body.status !== undefined && body.status !== record.status) {
      if (body.status === 'archived' && record.status === 'stored') {
        throw new Refusal('car_parked', 'The car is parked; log its pick-up before archiving it', {
          parkingSpotId: record.parkingSpotId,
          parkingZoneId: record.parkingZoneId,
        });
      }
      if (!byHand[record.status].includes(body.status)) throw refuseTransition(record.status, body.status, byHand[record.status]);
    }
    if (body.locationId !== record.locationId) await requireActiveLocation(context, body.locationId);
    return proceed();
  },
};

function refuseTransition(from: Status | null, to: Status, allowed: readonly Status[]): Refusal {
  const how = to === 'stored' ? '; log a drop-off event to park it' : '';
  return new Refusal('invalid_transition', `A car cannot be set to ${to}${from ? ` from ${from}` : ''}${how}`, { from, to, allowed });
}

/** Decision: makers sell next year's models this year, and announce the year after. */
function requireModelYear(year: number, now: string): void {
  const latest = Number(now.slice(0, 4)) + 1;
  if (year > latest) throw invalid([{ path: 'year', rule: 'too_big', message: `must be ${latest} at most` }]);
}

async function requireActiveLocation(context: Context, locationId: string | null | undefined): Promise<void> {
  if (locationId) requireActive(await find(context, 'locations', locationId));
}
