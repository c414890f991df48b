import type { RecordFor } from '../../contract/contract.ts';
import type { Context } from '../context.ts';
import { ApiProblem, invalidValue } from '../problem.ts';
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
  /** Specification: deactivates by default, deletes with hard=true. Decision: refused while other records use it. */
  async delete(context, { record, query }) {
    if (!query.hard) {
      await change(context, 'locations', record, { isActive: false });
      return;
    }
    await refuseUsed(context, `The location ${record.name}`, {
      target: 'locations',
      id: record.id,
      labels: { parkingZones: 'zones', parkingSpots: 'spots', campaignAudiences: 'audiences' },
    });
    await remove(context, 'locations', record.id);
  },
};

/** A location in a reference must be active. */
export function requireActive(location: RecordFor<'locations'> | undefined): void {
  if (location && !location.isActive) {
    throw new ApiProblem('location_inactive', `The location ${location.name} isn't active`, {
      field: 'locationId',
      locationId: location.id,
    });
  }
}

/** The location in a body, if given. */
export async function requireLocationInUse(
  context: Context,
  locationId: string | null | undefined,
): Promise<RecordFor<'locations'> | undefined> {
  const location = locationId ? await find(context, 'locations', locationId) : undefined;
  requireActive(location);
  return location;
}

/** Node throws for a time zone that it doesn't know. */
export function isTimezone(timezone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: timezone });
    return true;
  } catch {
    return false;
  }
}

export function requireTimezone(timezone: string): void {
  if (!isTimezone(timezone))
    throw invalidValue('timezone', 'timezone', `isn't a known time zone: ${timezone}`);
}
