/** A clock that was ahead once and was set back: what people read is the time of the clock, and only `updatedAt` goes on growing. */
import type { FastifyBaseLogger } from 'fastify';
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { contract } from '../../src/contract/contract.ts';
import type { Resource } from '../../src/contract/resource.ts';
import { listTeams } from '../../src/service/admin.ts';
import { checkData } from '../../src/service/check/check.ts';
import { createWarningLog } from '../../src/service/warnings.ts';
import { whileClockIsAhead } from '../helpers/clock.ts';
import { facility } from '../helpers/facility.ts';
import { samplesOf } from '../helpers/samples.ts';
import { send, startTestService } from '../helpers/service.ts';

const days = (count: number) => count * 86_400_000;
const service = await startTestService();
afterAll(() => service.close());
const make = facility(service);
const hall = await make.location();

/** Between the start of the test and now. */
const present = (from: number) => ({
  asymmetricMatch: (value: unknown) =>
    Date.parse(String(value)) >= from - 1_000 && Date.parse(String(value)) <= Date.now() + 1_000,
  toString: () => 'present',
});

/** No two assignments of a car or a spot overlap. */
async function expectNoOverlap(filter: string): Promise<void> {
  const { body } = await service.call('GET', `/parking/assignments?${filter}&limit=200`);
  const history: { startedAt: string; endedAt: string | null }[] = body.data;
  const inOrder = history.toSorted(
    (a, b) =>
      a.startedAt.localeCompare(b.startedAt) || (a.endedAt ?? '9').localeCompare(b.endedAt ?? '9'),
  );
  for (const [n, { startedAt, endedAt }] of inOrder.entries()) {
    if (endedAt !== null) expect(endedAt >= startedAt).toBe(true);
    const next = inOrder[n + 1];
    if (next)
      expect(endedAt !== null && endedAt <= next.startedAt, `${JSON.stringify(inOrder)}`).toBe(
        true,
      );
  }
}

describe('after one write with the clock 30 days ahead', () => {
  let begun: number;
  beforeEach(async () => {
    begun = Date.now();
    await whileClockIsAhead(service, days(30), () => make.customer());
  });

  test('a car is dropped off, moved and picked up, with and without a stated time', async () => {
    const [spot, other] = [await make.spot(hall.id), await make.spot(hall.id)];
    const now = present(begun);
    for (const occurredAt of [() => undefined, () => new Date().toISOString()]) {
      const car = await make.car();
      expect(
        await make.event(car.id, { parkingSpotId: spot.id, occurredAt: occurredAt() }),
      ).toMatchObject({ occurredAt: now });
      expect(
        await make.event(car.id, { parkingSpotId: other.id, occurredAt: occurredAt() }),
      ).toMatchObject({ occurredAt: now });
      expect(
        await make.event(car.id, { activityType: 'pick_up', occurredAt: occurredAt() }),
      ).toMatchObject({ occurredAt: now });
      const { body } = await service.call('GET', `/parking/assignments?carId=${car.id}`);
      expect(body.data).toMatchObject([
        { startedAt: now, endedAt: now },
        { startedAt: now, endedAt: now },
      ]);
      await expectNoOverlap(`carId=${car.id}`);
    }
    await expectNoOverlap(`parkingSpotId=${spot.id}`);
  });

  test('every moment that the service sets is the time of the clock; updatedAt alone is ahead, and never before createdAt', async () => {
    const samples = samplesOf(service, service.key);
    const made: Record<string, unknown>[] = [];
    for (const resource of Object.values<Resource>(contract)) {
      if (!resource.operations.create) continue;
      const record = await samples.make(resource);
      made.push(record);
      const own = Object.entries(resource.fields).flatMap(([name, { create }]) =>
        create === 'never' && name.endsWith('At') && name !== 'updatedAt' ? [name] : [],
      );
      for (const field of ['createdAt', ...own])
        expect(record, `${resource.name}.${field}`).toMatchObject({
          [field]: record[field] === null ? null : present(begun),
        });
      expect(Date.parse(record.updatedAt)).toBeGreaterThan(Date.now() + days(29));
    }
    expect(made.length).toBeGreaterThan(20);
  });

  test('immediate work is due now, and idempotency records start now', async () => {
    const customer = await make.customer({ lastName: 'Hopper', email: 'grace@example.com' });
    const thread = await make.thread({ customerId: customer.id });
    const message = await make.message(thread.id, { direction: 'outbound' });
    const { dueAt } = await service.admin.database.read
      .selectFrom('outbox')
      .select('dueAt')
      .where('recordId', '=', message.id)
      .executeTakeFirstOrThrow();
    expect(dueAt).toEqual(present(begun));
    expect(await make.read(`/communications/threads/${thread.id}`)).toMatchObject({
      lastMessageAt: message.createdAt,
    });

    await service.call('POST', '/customers', { lastName: 'A' }, undefined, {
      'idempotency-key': message.id,
    });
    const receipt = await service.admin.database.read
      .selectFrom('idempotencyRecords')
      .select('createdAt')
      .where('key', '=', message.id)
      .executeTakeFirstOrThrow();
    expect(receipt.createdAt).toEqual(present(begun));
  });

  test('a sync from the latest change misses nothing, and stamps stay in order', async () => {
    const read = async (path: string) =>
      (await service.call('GET', path)).body.data as { id: string; updatedAt: string }[];
    const [latest] = await read('/customers?limit=1');
    const written = [await make.customer(), await make.customer(), await make.customer()];
    await Promise.all(
      written.map(({ id }) => make.change(`/customers/${id}`, { notes: 'changed' })),
    );
    const found = await read(`/customers?updatedAfter=${latest?.updatedAt}&limit=200`);
    expect(found.map(({ id }) => id)).toEqual(expect.arrayContaining(written.map(({ id }) => id)));
    const stamps = found.map(({ updatedAt }) => updatedAt);
    expect(stamps).toEqual([...new Set(stamps)].sort().reverse());
  });

  test('readiness and the check report it, and by how much', async () => {
    const ready = await send(`${service.url}/readyz`, 'GET');
    const warning = {
      code: 'clock_was_ahead',
      message: expect.stringMatching(/ (29|30) days behind/),
      aheadMs: expect.any(Number),
    };
    expect([ready.status, ready.body]).toEqual([200, { status: 'ready', warnings: [warning] }]);
    expect(await checkData({ data: service.data, database: service.database })).toMatchObject({
      ok: true,
      findings: [],
      warnings: [warning],
    });
  });
});

test('the log reports it once until the clock has caught up', async () => {
  const warnings: string[] = [];
  const logger = {
    warn: (_details: unknown, message: string) => warnings.push(message),
  } as unknown as FastifyBaseLogger;
  const other = await startTestService();
  onTestFinished(() => other.close());
  const look = createWarningLog({ ...other.admin.database, searchIsIndexed: true }, logger);
  await look();
  expect(warnings).toEqual([]);
  await whileClockIsAhead(other, days(30), async () => {
    await facility(other).customer();
    await look();
  });
  expect(warnings).toEqual([]);
  await look();
  await look();
  expect(warnings).toEqual([expect.stringMatching(/ (29|30) days behind/)]);
});

describe('records from while the clock was ahead', () => {
  const setUp = async () => {
    const [spot, other] = [await make.spot(hall.id), await make.spot(hall.id)];
    const [car, gone] = [await make.car(), await make.car()];
    await whileClockIsAhead(service, days(30), async () => {
      await make.event(gone.id, { parkingSpotId: spot.id });
      await make.event(gone.id, { activityType: 'pick_up' });
      await make.event(car.id, { parkingSpotId: spot.id });
    });
    return { spot, other, car, gone };
  };

  test.each([
    ['without a stated time', () => undefined],
    ['with a stated time', () => new Date().toISOString()],
  ])(
    'a car that was dropped off then is moved and picked up now, %s, and its spot is used again',
    async (_name, occurredAt) => {
      const begun = Date.now();
      const { spot, other, car, gone } = await setUp();
      const now = present(begun);
      // The same place again keeps the assignment.
      expect(
        await make.event(car.id, { parkingSpotId: spot.id, occurredAt: occurredAt() }),
      ).toMatchObject({ occurredAt: now });
      expect(
        await make.event(car.id, { parkingSpotId: other.id, occurredAt: occurredAt() }),
      ).toMatchObject({ occurredAt: now });
      expect(
        await make.event(gone.id, { parkingSpotId: spot.id, occurredAt: occurredAt() }),
      ).toMatchObject({ occurredAt: now });
      expect(
        await make.event(car.id, { activityType: 'pick_up', occurredAt: occurredAt() }),
      ).toMatchObject({ occurredAt: now });
      for (const filter of [`carId=${car.id}`, `carId=${gone.id}`, `parkingSpotId=${spot.id}`]) {
        await expectNoOverlap(filter);
        const { body } = await service.call('GET', `/parking/assignments?${filter}`);
        for (const { startedAt, endedAt } of body.data)
          expect([startedAt, endedAt ?? startedAt]).toEqual([now, now]);
      }
    },
  );

  test('an existing assignment is returned with its corrected time, and a sync gets it', async () => {
    const begun = Date.now();
    const { spot, car } = await setUp();
    const [before] = (await service.call('GET', `/parking/assignments?carId=${car.id}`)).body.data;
    const again = await make.assignment({ carId: car.id, parkingSpotId: spot.id });
    expect(again).toMatchObject({ id: before.id, startedAt: present(begun) });
    expect(again.updatedAt > before.updatedAt).toBe(true);
  });
});

test('a time before the last release of a spot is refused, also for a car that has no history', async () => {
  const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
  const spot = await make.spot(hall.id);
  const [car, next] = [await make.car(), await make.car()];
  await make.event(car.id, { parkingSpotId: spot.id, occurredAt: ago(60) });
  await make.event(car.id, { activityType: 'pick_up', occurredAt: ago(30) });
  const dropOff = (occurredAt: string) =>
    service.call('POST', `/cars/${next.id}/events`, {
      activityType: 'drop_off',
      parkingSpotId: spot.id,
      occurredAt,
    });
  expect((await dropOff(ago(45))).body).toMatchObject({ code: 'occurred_at_conflict' });
  expect((await dropOff(ago(15))).status).toBe(201);
  await expectNoOverlap(`parkingSpotId=${spot.id}`);
});

test('stamps of each team only grow', async () => {
  const stampOf = async () =>
    (await listTeams(service.admin)).find(({ slug }) => slug === service.otherTeam)?.lastStamp ??
    '';
  const others = facility(service, service.otherKey);
  await whileClockIsAhead(service, days(1), () => others.customer());
  const ahead = await stampOf();
  const made = await others.customer();
  expect(made.updatedAt > ahead && (await stampOf()) >= made.updatedAt).toBe(true);
});
