/** What several services on one PostgreSQL count together. By the clock of the database. */
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../database/tables.ts';
import { hashSecret } from '../team/secrets.ts';
import type { UnknownAddresses } from '../team/unknown-addresses.ts';
import { waitAfter } from '../team/waits.ts';

/** A bucket that refills evenly; see rate-limits.ts. Times in milliseconds. */
export interface Bucket {
  readonly name: string;
  /** Between two tokens. */
  readonly interval: number;
  /** Tokens of a full one. */
  readonly room: number;
}

export interface SharedWaits extends UnknownAddresses {
  /** Takes as many tokens as there are, up to `wanted`. `waitMs` is until the next one, when none was there. */
  reserve(
    bucket: Bucket,
    wanted: number,
  ): Promise<{ readonly granted: number; readonly left: number; readonly waitMs: number }>;
  /** Deletes what stands for full buckets, and the oldest of many addresses. */
  clean(): Promise<void>;
}

/** Above it, the oldest addresses without an account are forgotten. */
const mostAddresses = 10_000;
const clock = sql<number>`(extract(epoch from statement_timestamp()) * 1000)::float8`;
const ofUnknown = 'unknown ';

/** `write` belongs to the owner of the tables: requests have no rights on this one. */
export function createSharedWaits(write: Kysely<Tables>): SharedWaits {
  const nameOf = (address: string) => ofUnknown + hashSecret(address);
  return {
    async reserve({ name, interval, room }, wanted) {
      const first = Math.min(wanted, room);
      // One statement, so services that ask at once get each token once. The margin is for rounding errors.
      const { rows } = await sql<{ granted: number; aheadMs: number }>`
        insert into "sharedWaits" as known ("name", "until", "count")
          values (${name}, ${clock} + ${first * interval}::float8, ${first}::int)
        on conflict ("name") do update set ("until", "count") = (
          select "start" + "granted" * ${interval}::float8, "granted" from (
            select "start", greatest(0, least(${wanted}::int, floor(${room}::int - ("start" - ${clock}) / ${interval}::float8 + 0.001)))::int as "granted"
            from (select greatest(known."until", ${clock}) as "start") as "from") as "next")
        returning "count" as "granted", "until" - ${clock} as "aheadMs"`.execute(write);
      const { granted = 0, aheadMs = 0 } = rows[0] ?? {};
      return {
        granted,
        left: Math.max(0, Math.floor(room - aheadMs / interval + 0.001)),
        waitMs: Math.max(1, aheadMs - (room - 1) * interval),
      };
    },
    async waitMs(address) {
      const row = await write
        .selectFrom('sharedWaits')
        .select(sql<number>`"until" - ${clock}`.as('ms'))
        .where('name', '=', nameOf(address))
        .executeTakeFirst();
      return Math.max(0, row?.ms ?? 0);
    },
    async noteFailure(address) {
      const name = nameOf(address);
      await write.transaction().execute(async (db) => {
        const { count } = await db
          .insertInto('sharedWaits')
          .values({ name, until: clock, count: 1 })
          .onConflict((same) =>
            same.column('name').doUpdateSet({ count: sql`"sharedWaits"."count" + 1` }),
          )
          .returning('count')
          .executeTakeFirstOrThrow();
        await db
          .updateTable('sharedWaits')
          .set({ until: sql`${clock} + ${waitAfter(count)}::float8` })
          .where('name', '=', name)
          .execute();
      });
    },
    async clean() {
      const isUnknown = sql<boolean>`starts_with("name", ${ofUnknown})`;
      await sql`delete from "sharedWaits" where not ${isUnknown} and "until" < ${clock}`.execute(
        write,
      );
      await sql`delete from "sharedWaits" where "name" in
        (select "name" from "sharedWaits" where ${isUnknown} order by "until" desc offset ${mostAddresses}::int)`.execute(
        write,
      );
    },
  };
}
