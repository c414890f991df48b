/** Campaigns go forward whoever works on them, however often they are interrupted. Nothing carries anything here: it stays queued. */
import { once } from 'node:events';
import { pino } from 'pino';
import { beforeEach, describe, expect, test } from 'vitest';
import type { RecordFor } from '../../../src/contract/contract.ts';
import { startCampaigns } from '../../../src/service/campaigns/worker.ts';
import { campaignsOf } from '../../helpers/campaigns.ts';
import { expectOnceEach, makeCrowd, runOf } from '../../helpers/crowd.ts';
import { facility } from '../../helpers/facility.ts';
import { testService } from '../../helpers/service.ts';

const service = await testService();
const make = campaignsOf(service);
const { customer } = facility(service);
const ada = await customer({ email: 'ada@example.com' });
const { database } = service.admin;

const later = '2100-01-01T00:00:00.000Z';
const schedule = (id: string, scheduledAt: string) =>
  service.call('PATCH', `/marketing/campaigns/${id}`, { status: 'scheduled', scheduledAt });

/** Schedules a campaign for as soon as this machine is fast enough for: a time that has passed is refused. */
async function scheduleSoon(id: string): Promise<RecordFor<'campaigns'>> {
  for (let aheadMs = 100; ; aheadMs *= 2) {
    const { status, body } = await schedule(id, new Date(Date.now() + aheadMs).toISOString());
    if (status === 422) continue;
    expect(body.data).toMatchObject({ status: 'scheduled', startedAt: null });
    return body.data;
  }
}

describe('a scheduled campaign', () => {
  test('starts by itself when its time comes', async () => {
    const { id } = await make.ready([ada.id]);
    const scheduledAt = (await scheduleSoon(id)).scheduledAt as string;
    const { startedAt, stats } = await make.becomes(id, {
      status: 'sending',
      stats: { queued: 1 },
    });
    expect(startedAt && startedAt >= scheduledAt).toBe(true);
    expect(stats).toMatchObject({ recipients: 1, queued: 1 });
    expect(await runOf(database, id)).toBeUndefined();
  });

  test('waits for its current time; a draft has none', async () => {
    const { id } = await make.ready([ada.id]);
    await schedule(id, later);
    expect(await runOf(database, id)).toMatchObject({ phase: 'start', dueAt: later });
    await service.call('PATCH', `/marketing/campaigns/${id}`, {
      scheduledAt: '2101-01-01T01:00:00+01:00',
    });
    expect(await runOf(database, id)).toMatchObject({
      phase: 'start',
      dueAt: '2101-01-01T00:00:00.000Z',
    });
    await make.set(id, 'draft');
    expect(await runOf(database, id)).toBeUndefined();
    await make.set(id, 'scheduled');
    await make.set(id, 'cancelled');
    expect(await runOf(database, id)).toBeUndefined();
  });

  test.each([
    ['after the interval: another process may have changed it', 1_000],
    ['at its time, before the interval is over', Number.POSITIVE_INFINITY],
  ])('is looked for %s', async (_, pollMs) => {
    const { id } = await make.ready([ada.id]);
    await schedule(id, later);
    const leftMs = Date.parse(later) - Date.now();
    const { promise: waited, resolve } = Promise.withResolvers<number>();
    const campaigns = {
      notify() {},
      async wait(ms: number, signal: AbortSignal) {
        if (ms === 0) return;
        resolve(ms);
        await once(signal, 'abort');
      },
    };
    const worker = startCampaigns({ stores: { ...service.admin, campaigns }, pollMs });
    const waitedMs = await waited;
    await worker.stop();
    await make.set(id, 'cancelled');
    expect(waitedMs).toBeLessThanOrEqual(Math.min(pollMs, leftMs));
  });

  test('is looked for again after the interval when the database is away, which the log says', async () => {
    const away = new Error('away');
    const database = new Proxy(service.admin.database, {
      get() {
        throw away;
      },
    });
    const lines: string[] = [];
    const logger = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
    const waits: number[] = [];
    const { promise: waitedTwice, resolve } = Promise.withResolvers<void>();
    const campaigns = {
      notify() {},
      async wait(ms: number, signal: AbortSignal) {
        if (waits.push(ms) === 1) return;
        resolve();
        await once(signal, 'abort');
      },
    };
    const worker = startCampaigns({
      stores: { ...service.admin, campaigns, database },
      logger,
      pollMs: 700,
    });
    await waitedTwice;
    await worker.stop();
    expect(waits).toEqual([700, 700]);
    expect(lines.map((line) => JSON.parse(line))).toMatchObject(
      Array(2).fill({ msg: "can't read the campaigns", err: { message: 'away' } }),
    );
  });

  test('that became due while the service was down starts with it', async () => {
    const { id } = await make.ready([ada.id]);
    await schedule(id, later);
    await database.write
      .updateTable('campaignRuns')
      .set({ dueAt: '2020-01-01T00:00:00.000Z' })
      .where('campaignId', '=', id)
      .execute();
    await service.restart();
    await make.becomes(id, { status: 'sending', stats: { queued: 1 } });
  });

  test('that fails holds back no other', async () => {
    const [failing, other] = [await make.ready([ada.id]), await make.ready([ada.id])];
    for (const { id } of [failing, other]) await schedule(id, later);
    const changeRun = (id: string, values: object) =>
      database.write
        .updateTable('campaignRuns')
        .set({ dueAt: '2020-01-01T00:00:00.000Z', ...values })
        .where('campaignId', '=', id)
        .execute();
    await changeRun(failing.id, { phase: 'of a later version' });
    await changeRun(other.id, { dueAt: '2021-01-01T00:00:00.000Z' });
    await service.restart();
    await make.becomes(other.id, { status: 'sending', stats: { queued: 1 } });
    expect(await make.read(failing.id)).toMatchObject({ status: 'scheduled' });
    await changeRun(failing.id, { phase: 'start' });
    await service.restart();
    await make.becomes(failing.id, { status: 'sending', stats: { queued: 1 } });
  });
});

describe('many people', async () => {
  const people = 1_500;
  await makeCrowd(database, ada, people);

  let id: string;
  beforeEach(async () => {
    id = (await make.campaign()).id;
    for (const tag of ['odd', 'even', 'many']) await make.audience(id, { filter: { tags: [tag] } });
    for (const subject of ['One', 'Two']) await make.step(id, { subject, body: subject });
    await make.set(id, 'sending');
    await make.becomesReaching(id);
  });

  test('continues after a restart of the service in the middle', async () => {
    await service.restart();
    await expectOnceEach(database, id, { people, steps: 2 });
  });

  test('paused in the middle, and on again', async () => {
    await make.set(id, 'paused');
    expect(await runOf(database, id)).toBeUndefined();
    await make.set(id, 'sending');
    await expectOnceEach(database, id, { people, steps: 2 });
  });

  test('cancelled in the middle: all sends are skipped', async () => {
    await make.set(id, 'cancelled');
    await expect.poll(() => runOf(database, id)).toBeUndefined();
    const { status, stats } = await make.read(id);
    expect({ status, stats }).toMatchObject({
      status: 'cancelled',
      stats: { queued: 0, skipped: 2 * stats.recipients },
    });
    const left = database.read
      .selectFrom('campaignSends')
      .select('id')
      .where('campaignId', '=', id)
      .where('status', '=', 'queued');
    expect(await left.execute()).toEqual([]);
  });
});
