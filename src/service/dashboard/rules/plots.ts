import { sql, type Transaction } from 'kysely';
import type { DashboardRecord } from '../../../contract/dashboard/dashboard.ts';
import type { Tables } from '../../database/tables.ts';
import { notFound } from '../../problem.ts';
import { find } from '../../records.ts';
import { quotaOf, usedBytesOf } from '../../rules/stored-bytes.ts';
import type { DashboardRulesOf, Reading } from './rule.ts';
import { type Spans, spanAt, spansOf } from './spans.ts';

export const usage: DashboardRulesOf<'usage'> = {
  async get(reading, query) {
    const { db, team, now, teamQuota } = reading;
    const spans = await spansOf(query, team.timezone, now);
    const [from = ''] = spans.starts;
    const hours = await db
      .selectFrom('keyUsage')
      .select(['apiKeyId', 'hour', 'requests', 'refused', 'failed', 'uploads'])
      .where('teamId', '=', team.id)
      .where('hour', '>=', from)
      .where('hour', '<', spans.end)
      .$if(query.keyId !== undefined, (of) => of.where('apiKeyId', '=', query.keyId as string))
      .orderBy('hour')
      .execute();
    const rows = new Map<string, DashboardRecord<'usage'>['rows'][number]>();
    for (const { apiKeyId: keyId, hour, requests, refused, failed, uploads } of hours) {
      const at = spans.starts[spanAt(spans, hour)] as string;
      const sum = rows.get(`${at} ${keyId}`) ?? {
        keyId,
        at,
        requests: 0,
        refused: 0,
        failed: 0,
        uploads: 0,
      };
      sum.requests += requests;
      sum.refused += refused;
      sum.failed += failed;
      sum.uploads += uploads;
      rows.set(`${at} ${keyId}`, sum);
    }
    return {
      from,
      to: spans.end,
      rows: [...rows.values()],
      usedBytes: await usedBytesOf(db, team.id),
      quotaBytes: await quotaOf(reading, teamQuota),
    };
  },
};

export const occupancy: DashboardRulesOf<'occupancy'> = {
  async get(reading, query) {
    const { team, now } = reading;
    const location = query.locationId as string | undefined;
    const timezone = location === undefined ? team.timezone : await zoneOf(reading, location);
    const spans = await spansOf(query, timezone, now);
    const { snapshot } = await reading.heavy('parkingAssignments');
    return snapshot(async (db) => {
      const changes = await countChanges(db, team.id, location, spans);
      const { open, capacity } = await countNow(db, team.id, location);
      // Backwards from now: a car that came in later wasn't there, one that left later was.
      let stored = open;
      const rows = [];
      for (let index = spans.starts.length; index >= 0; index--) {
        const { started, ended, moved } = changes[index] as Change;
        const at = spans.starts[index];
        if (at !== undefined) rows.unshift({ at, stored, in: started - moved, out: ended - moved });
        stored += ended - started;
      }
      return { from: spans.starts[0] as string, to: spans.end, timezone, capacity, rows };
    });
  },
};

/** The time zone of a location. Throws `not_found`. */
async function zoneOf(reading: Reading, id: string): Promise<string> {
  const row = await find(reading, 'locations', id);
  if (!row) throw notFound('location', 'locationId');
  return row.timezone;
}

interface Change {
  readonly started: number;
  readonly ended: number;
  /** Of the started: at the moment when the car left another place. */
  readonly moved: number;
}

/** Parkings that started and ended in each span, and as the last entry those after all of them. */
async function countChanges(
  db: Transaction<Tables>,
  teamId: string,
  location: string | undefined,
  spans: Spans,
): Promise<Change[]> {
  const here = location === undefined ? sql`` : sql`and ${atLocation(location)}`;
  const isMove = sql`and exists (select 1 from "parkingAssignments" b
    where b."teamId" = a."teamId" and b."carId" = a."carId" and b."endedAt" = a."startedAt" and b.id <> a.id)`;
  const bounds = [...spans.starts, spans.end, '9999'];
  const counts = bounds.slice(1).map((to, index) => {
    const within = (field: string) => sql`(select count(*) from "parkingAssignments" a
      where a."teamId" = ${teamId} and a.${sql.ref(field)} >= ${bounds[index]} and a.${sql.ref(field)} < ${to} ${here}`;
    return sql`select ${sql.lit(index)} as at, ${within('startedAt')}) as started, ${within('endedAt')}) as ended,
      ${within('startedAt')} ${isMove}) as moved`;
  });
  const { rows } = await sql<
    Change & { at: number }
  >`${sql.join(counts, sql` union all `)} order by at`.execute(db);
  return rows.map(({ started, ended, moved }) => ({
    started: Number(started),
    ended: Number(ended),
    moved: Number(moved),
  }));
}

/** An assignment `a` of a spot or a zone of the location. */
const atLocation = (
  id: string,
) => sql`(exists (select 1 from "parkingSpots" p where p."teamId" = a."teamId" and p.id = a."parkingSpotId" and p."locationId" = ${id})
  or exists (select 1 from "parkingZones" z where z."teamId" = a."teamId" and z.id = a."parkingZoneId" and z."locationId" = ${id}))`;

async function countNow(
  db: Transaction<Tables>,
  teamId: string,
  location: string | undefined,
): Promise<{ open: number; capacity: number | null }> {
  const here = location === undefined ? sql`` : sql`and ${atLocation(location)}`;
  const of = location === undefined ? sql`` : sql`and "locationId" = ${location}`;
  const { rows } = await sql<{
    open: number;
    spots: number;
    places: number;
    unlimited: number;
  }>`select
    (select count(*) from "parkingAssignments" a where a."teamId" = ${teamId} and a."endedAt" is null ${here}) as open,
    (select count(*) from "parkingSpots" where "teamId" = ${teamId} and "isActive" ${of}) as spots,
    (select coalesce(sum(capacity), 0) from "parkingZones" where "teamId" = ${teamId} and "isActive" ${of}) as places,
    (select count(*) from "parkingZones" where "teamId" = ${teamId} and "isActive" and capacity is null ${of}) as unlimited`.execute(
    db,
  );
  const [found] = rows;
  const places = Number(found?.spots ?? 0) + Number(found?.places ?? 0);
  return {
    open: Number(found?.open ?? 0),
    capacity: Number(found?.unlimited ?? 0) > 0 ? null : places,
  };
}
