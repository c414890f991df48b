import { invalid, Refusal } from '../refusal.ts';
import { requireLocationInUse } from './locations.ts';
import type { RulesOf } from './rule.ts';

export const cars: RulesOf<'cars'> = {
  async create(context, { body }, proceed) {
    requireModelYear(body.year, context.now);
    await requireLocationInUse(context, body.locationId);
    return proceed();
  },
  async update(context, { record, body }, proceed) {
    if (body.year !== undefined) requireModelYear(body.year, context.now);
    if (body.status === 'archived' && record.status === 'stored') {
      throw new Refusal('car_parked', 'The car is parked; log its pick-up before archiving it', {
        parkingSpotId: record.parkingSpotId,
        parkingZoneId: record.parkingZoneId,
      });
    }
    if (body.locationId !== record.locationId) await requireLocationInUse(context, body.locationId);
    return proceed();
  },
};

/** Decision: makers sell next year's models this year, and announce the year after. */
function requireModelYear(year: number, now: string): void {
  const latest = Number(now.slice(0, 4)) + 1;
  if (year > latest) throw invalid([{ path: 'year', rule: 'too_big', message: `must be ${latest} at most` }]);
}
