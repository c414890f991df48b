/** Many customers, and a check whether a campaign has reached them all. */
import { expect, vi } from 'vitest';
import type { RecordFor } from '../../src/contract/contract.ts';
import type { Database } from '../../src/service/database/database.ts';
import { newId } from '../../src/service/records.ts';

/** Inserts `many` copies of this customer with their own e-mail and the tags `many`, and `odd` or `even`. */
export async function makeCrowd(
  database: Database,
  like: RecordFor<'customers'>,
  many: number,
): Promise<void> {
  const people = Array.from({ length: many }, (_, n) => ({
    ...like,
    id: newId(),
    email: `many${n}@example.com`,
    tags: ['many', n % 2 ? 'odd' : 'even'],
  }));
  for (let at = 0; at < many; at += 500) {
    await database.write
      .insertInto('customers')
      .values(people.slice(at, at + 500))
      .execute();
  }
}

/** The remaining work of a campaign. */
export const runOf = ({ read }: Database, campaignId: string) =>
  read
    .selectFrom('campaignRuns')
    .selectAll()
    .where('campaignId', '=', campaignId)
    .executeTakeFirst();

/** Waits until all sends exist, and expects that each of `people` has one send for each of `steps` steps, queued and in the outbox. */
export async function expectOnceEach(
  database: Database,
  campaignId: string,
  { people, steps }: { people: number; steps: number },
) {
  await vi.waitFor(async () => expect(await runOf(database, campaignId)).toBeUndefined(), {
    timeout: 50_000,
    interval: 20,
  });
  const sends = await database.read
    .selectFrom('campaignSends')
    .selectAll()
    .where('campaignId', '=', campaignId)
    .execute();
  const pairs = new Set(
    sends.map(({ contentStepId, customerId }) => `${contentStepId} ${customerId}`),
  );
  expect([sends.length, pairs.size]).toEqual([people * steps, people * steps]);
  expect(sends.filter(({ status }) => status !== 'queued')).toEqual([]);
  const parcels = await database.read
    .selectFrom('outbox')
    .select('recordId')
    .where('kind', '=', 'send')
    .execute();
  const inOutbox = new Set(parcels.map(({ recordId }) => recordId));
  expect(sends.filter(({ id }) => !inOutbox.has(id))).toEqual([]);
  const campaign = await database.read
    .selectFrom('campaigns')
    .selectAll()
    .where('id', '=', campaignId)
    .executeTakeFirst();
  expect(campaign).toMatchObject({
    status: 'sending',
    stats: { recipients: people, queued: people * steps, sent: 0, skipped: 0 },
  });
}
