/** Counts the answers to each key in memory, and adds them to the hours of `keyUsage` once a minute. A crash loses a minute at most. */
import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import type { KeyUsageRow } from '../database/tables.ts';

/** How often the counts are stored, in milliseconds. */
const storeMs = 60_000;
/** How long hours are kept, in milliseconds: 400 days. */
const keptMs = 400 * 24 * 60 * 60_000;
const hourMs = 60 * 60_000;

interface Answered {
  readonly teamId: string;
  readonly keyId: string;
  readonly status: number;
  readonly upload: boolean;
}

export interface KeyUsage {
  count(answered: Answered): void;
  /** Stores what was counted. Several processes may do so for the same hour. */
  store(): Promise<void>;
  /** Stores the rest and ends. */
  stop(): Promise<void>;
}

export function countKeyUsage(database: Database, now: () => Date = () => new Date()): KeyUsage {
  let counted = new Map<string, KeyUsageRow>();
  const store = async () => {
    const rows = [...counted.values()];
    counted = new Map();
    for (const [teamId, own] of Map.groupBy(rows, (row) => row.teamId))
      try {
        await add(database, teamId, own, now());
      } catch {
        // Stored with the next ones.
        for (const row of own) merge(counted, row);
      }
  };
  const timer = setInterval(() => void store(), storeMs).unref();
  return {
    count({ teamId, keyId, status, upload }) {
      const time = now().getTime();
      merge(counted, {
        teamId,
        apiKeyId: keyId,
        hour: new Date(time - (time % hourMs)).toISOString(),
        requests: 1,
        refused: status >= 400 && status < 500 ? 1 : 0,
        failed: status >= 500 ? 1 : 0,
        uploads: upload ? 1 : 0,
      });
    },
    store,
    async stop() {
      clearInterval(timer);
      await store();
    },
  };
}

const numbers = ['requests', 'refused', 'failed', 'uploads'] as const;

function merge(counted: Map<string, KeyUsageRow>, row: KeyUsageRow): void {
  const key = `${row.apiKeyId} ${row.hour}`;
  const sum = counted.get(key);
  if (!sum) counted.set(key, { ...row });
  else for (const name of numbers) sum[name] += row[name];
}

async function add(
  database: Database,
  teamId: string,
  rows: readonly KeyUsageRow[],
  now: Date,
): Promise<void> {
  const { write } = database.ofTeam(teamId);
  const sums = Object.fromEntries(
    numbers.map((name) => [
      name,
      sql<number>`${sql.ref(`keyUsage.${name}`)} + ${sql.ref(`excluded.${name}`)}`,
    ]),
  );
  const before = new Date(now.getTime() - keptMs).toISOString();
  await write
    .deleteFrom('keyUsage')
    .where('teamId', '=', teamId)
    .where('hour', '<', before)
    .execute();
  // Last: after a failure all rows are added again.
  await write
    .insertInto('keyUsage')
    .values([...rows])
    .onConflict((conflict) => conflict.columns(['teamId', 'apiKeyId', 'hour']).doUpdateSet(sums))
    .execute();
}
