/** A clock that was ahead once and was set back: what people read is the time of the clock, and only `updatedAt` goes on growing. */
import { beforeEach, describe, expect, test } from 'vitest';
import { contract } from '../../src/contract/contract.ts';
import type { Resource } from '../../src/contract/resource.ts';
import { listTeams } from '../../src/service/admin.ts';
import { whileClockIsAhead } from '../helpers/clock.ts';
import { facility } from '../helpers/facility.ts';
import { samplesOf } from '../helpers/samples.ts';
import { testService } from '../helpers/service.ts';

const days = (count: number) => count * 86_400_000;
const service = await testService();
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
});

test('a car that was dropped off then is moved and picked up now; a stated time waits for the clock', async () => {
  const [spot, other] = [await make.spot(hall.id), await make.spot(hall.id)];
  const car = await make.car();
  const then = await whileClockIsAhead(service, days(30), () =>
    make.event(car.id, { parkingSpotId: spot.id }),
  );
  const move = (occurredAt?: string) =>
    service.call('POST', `/cars/${car.id}/events`, {
      activityType: 'drop_off',
      parkingSpotId: other.id,
      occurredAt,
    });
  expect((await move(new Date().toISOString())).body).toMatchObject({
    code: 'occurred_at_conflict',
    details: { latest: then.occurredAt },
  });
  expect((await move()).status).toBe(201);
  await make.event(car.id, { activityType: 'pick_up' });
  await expectNoOverlap(`carId=${car.id}`);
  await expectNoOverlap(`parkingSpotId=${other.id}`);
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
