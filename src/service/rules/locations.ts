import type { RecordFor } from '../../contract/contract.ts';
import type { Context } from '../context.ts';
import { change, remove } from '../records.ts';
import { invalid, Refusal } from '../refusal.ts';
import type { RulesOf } from './rule.ts';

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
    const uses = await countUses(context, record);
    if (Object.values(uses).some((count) => count > 0)) {
      const named = Object.entries(uses).filter(([, count]) => count > 0);
      const list = named.map(([what, count]) => `${count} ${what}`).join(', ');
      throw new Refusal('resource_in_use', `The location ${record.name} is still named by ${list}`, Object.fromEntries(named));
    }
    await remove(context, 'locations', record.id);
  },
};

/** A record may only point at a location that is in use. */
export function requireActive(location: RecordFor<'locations'> | undefined): void {
  if (location && !location.isActive) {
    throw new Refusal('location_inactive', `The location ${location.name} is not in use`, { locationId: location.id });
  }
}

async function countUses({ db, team }: Context, location: RecordFor<'locations'>): Promise<Record<string, number>> {
  const count = async (table: 'parkingZones' | 'parkingSpots' | 'cars') => {
    const row = await db
      .selectFrom(table)
      .select((all) => all.fn.countAll<number>().as('count'))
      .where('teamId', '=', team.id)
      .where('locationId', '=', location.id)
      .executeTakeFirstOrThrow();
    return Number(row.count);
  };
  return { zones: await count('parkingZones'), spots: await count('parkingSpots'), cars: await count('cars') };
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

function requireTimezone(timezone: string): void {
  if (!isTimezone(timezone)) throw invalid([{ path: 'timezone', rule: 'timezone', message: `is not a known time zone: ${timezone}` }]);
}
