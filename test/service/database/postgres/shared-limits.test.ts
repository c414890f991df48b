/** Several services on one PostgreSQL count limits together. */
import { afterAll, expect, test } from 'vitest';
import { contract } from '../../../../src/contract/contract.ts';
import { operationsOf } from '../../../../src/contract/operations.ts';
import type { Caller } from '../../../../src/service/context.ts';
import { createLimiter, unlimited } from '../../../../src/service/http/rate-limits.ts';
import { createSharedWaits } from '../../../../src/service/http/shared-waits.ts';
import { type RunningService, startService } from '../../../../src/service/start.ts';
import { send, startTestService } from '../../../helpers/service.ts';

const rateLimits = { ...unlimited, requestsPerMinute: 1, burst: 200 };
const first = await startTestService({ rateLimits });
const { data, database } = first;
const others: RunningService[] = [];
for (let n = 0; n < 3; n++)
  others.push(await startService({ data, database, port: 0, rateLimits, quietMs: 0 }));
afterAll(async () => {
  for (const service of others) await service.close();
  await first.close();
});
const urls = [first.url, ...others.map(({ url }) => url)];
const { write } = first.admin.database;
const [list] = operationsOf(contract.cars);
if (!list) throw new Error('The contract has no cars');

test('four services that are asked at once grant the limit once', async () => {
  const ask = (url: string, key: string) =>
    send(`${url}/api/v1/me`, 'GET', undefined, { 'x-api-key': key });
  let granted = 0;
  const until = async (url: string) => {
    for (let refused = 0; refused < 3; ) {
      const { status } = await ask(url, first.key);
      if (status === 200) granted += 1;
      else refused += 1;
    }
  };
  await Promise.all([...urls, ...urls].map(until));
  // A minute has one more.
  expect(granted).toBeGreaterThanOrEqual(200);
  expect(granted).toBeLessThanOrEqual(210);
  expect((await ask(urls[3] as string, first.otherKey)).status).toBe(200);
});

test('a key that is used at each service in turn gets its whole limit, and then waits as long as told', async () => {
  const limits = { ...unlimited, requestsPerMinute: 1, burst: 8 };
  const limiters = urls.map(() => createLimiter(limits, { shared: createSharedWaits(write) }));
  const caller = { keyId: 'in turn' } as Caller;
  for (let n = 0; n < 8; n++) await limiters[n % 4]?.request(caller, list);
  for (const limiter of limiters) {
    await expect(limiter.request(caller, list)).rejects.toMatchObject({
      details: { retryAfter: 60 },
    });
    expect(limiter.headers(caller, list).ratelimit).toBe('"requests";r=0');
  }
});

test('wrong passwords for an address without an account are counted together', async () => {
  const [one, other] = [createSharedWaits(write), createSharedWaits(write)];
  const [address, now] = ['nobody@garage.example', new Date()];
  for (let n = 0; n < 12; n++) await (n % 2 ? one : other).noteFailure(address, now);
  const wait = await other.waitMs(address, now);
  expect(wait).toBeGreaterThan(64_000);
  expect(wait).toBeLessThanOrEqual(128_000);
  expect(await other.waitMs('somebody@garage.example', now)).toBe(0);
});

test('what stands for nothing is deleted, waits of addresses are not', async () => {
  const shared = createSharedWaits(write);
  await shared.reserve({ name: 'quick', interval: 0.001, room: 5 }, 1);
  await shared.reserve({ name: 'slow', interval: 60_000, room: 5 }, 1);
  await shared.noteFailure('once@garage.example', new Date());
  const count = async () =>
    Number(
      (
        await write
          .selectFrom('sharedWaits')
          .select(({ fn }) => fn.countAll().as('n'))
          .executeTakeFirstOrThrow()
      ).n,
    );
  const before = await count();
  await shared.clean();
  expect(await count()).toBeLessThan(before);
  const names = (await write.selectFrom('sharedWaits').select('name').execute()).map(
    ({ name }) => name,
  );
  expect(names).toContain('slow');
  expect(names).not.toContain('quick');
  expect(names.some((name) => name.startsWith('unknown '))).toBe(true);
});
