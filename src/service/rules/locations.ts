import type { RecordFor } from '../../contract/contract.ts';
import type { Context } from '../context.ts';
import { ApiProblem, invalid } from '../problem.ts';
import { change, find, remove } from '../records.ts';
import type { RulesOf } from './rule.ts';
import { refuseUsed } from './uses.ts';

export const locations: RulesOf<'locations'> = {
  async create(context, { body }, proceed) {
    const timezone = body.timezone ?? context.team.timezone;
    requireTimezone(timezone);
    return proceed({ timezone });
  },
  async update(_context, { body }, proceed) {
    if (body.timezone) requireTimezone(body.timezone);
    return proceed();
  },
  /** Specification: out of use by default, removed with hard=true. Decision: refused while anything still names it. */
  async delete(context, { record, query }) {
    if (!query.hard) {
      await change(context, 'locations', record, { isActive: false });
      return;
    }
    await refuseUsed(context, `The location ${record.name}`, {
      target: 'locations',
      id: record.id,
      called: { parkingZones: 'zones', parkingSpots: 'spots', campaignAudiences: 'audiences' },
    });
    await remove(context, 'locations', record.id);
  },
};

/** A record may only point at a location that is in use. */
export function requireActive(location: RecordFor<'locations'> | undefined): void {
  if (location && !location.isActive) {
    throw new ApiProblem('location_inactive', `The location ${location.name} is not in use`, { locationId: location.id });
  }
}

/** The location that a body names, if it names one. */
export async function requireLocationInUse(
  context: Context,
  locationId: string | null | undefined,
): Promise<RecordFor<'locations'> | undefined> {
  const location = locationId ? await find(context, 'locations', locationId) : undefined;
  requireActive(location);
  return location;
}

/** Node knows the zones; asking for a formatter is how it tells. */
export function isTimezone(timezone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: timezone });
    return true;
  } catch {
    return false;
  }
}

export function requireTimezone(timezone: string): void {
  if (!isTimezone(timezone)) throw invalid([{ path: 'timezone', rule: 'timezone', message: `is not a known time zone: ${timezone}` }]);
}
