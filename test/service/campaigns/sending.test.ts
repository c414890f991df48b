/** What a campaign that was started promises: each person once per step, nobody who does not want it, and honest counts. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { RecordFor } from '../../../src/contract/contract.ts';
import { addSender } from '../../../src/service/admin.ts';
import { putRun } from '../../../src/service/campaigns/runs.ts';
import { sendHandler } from '../../../src/service/campaigns/send-handler.ts';
import { countWaiting } from '../../../src/service/outbox/outbox.ts';
import { TransportError } from '../../../src/service/outbox/transport.ts';
import { change as changeRecord, findOrThrow } from '../../../src/service/records.ts';
import { inTransaction } from '../../../src/service/transaction.ts';
import { campaignsOf, letterBox } from '../../helpers/campaigns.ts';
import { facility } from '../../helpers/facility.ts';
import { testService } from '../../helpers/service.ts';

const box = letterBox({
  answer({ to }) {
    if (to === 'nobody@example.com')
      throw new TransportError('No such mailbox', { permanent: true, reason: 'test' });
  },
});
// One hand-over at a time, so that it is known what has gone out when a campaign is stopped.
const service = await testService({ transport: box, outbox: { atOnce: 1 } });
const make = campaignsOf(service);
const { customer } = facility(service);
await addSender(service.admin, service.team, 'office@example.com');

type Send = RecordFor<'campaignSends'>;
type Customer = RecordFor<'customers'>;
const ids = (people: readonly Customer[]) => people.map(({ id }) => id);
const change = async (path: string, body: object) => {
  const answer = await service.call('PATCH', path, body);
  expect(answer.body).toMatchObject({ data: body });
};
const sendTo = (sends: readonly Send[], { id }: Customer) =>
  sends.filter(({ customerId }) => customerId === id);

let ada: Customer;
let bob: Customer;
let eve: Customer;
beforeEach(async () => {
  [ada, bob, eve] = [
    await customer({ email: 'ada@example.com', phone: '1' }),
    await customer({ email: 'bob@example.com' }),
    await customer({ email: 'eve@example.com' }),
  ];
  box.open();
});

/** The clock's time of a change. `updatedAt` is ahead of it by a millisecond for each earlier change in the same one. */
function expectMoment(moment: string | null, updatedAt: string): void {
  const aheadMs = Date.parse(updatedAt) - Date.parse(moment ?? '');
  expect(aheadMs).toBeGreaterThanOrEqual(0);
  expect(aheadMs).toBeLessThan(60_000);
}

describe('a started campaign', () => {
  test('sends once to a shared address, ignoring case, across audiences and pauses', async () => {
    const couple = [
      await customer({ email: 'couple@example.com' }),
      await customer({ email: 'COUPLE@example.com' }),
    ];
    const campaign = await make.campaign();
    await make.audience(campaign.id, { filter: { customerIds: ids([...couple, ada]) } });
    await make.audience(campaign.id, { filter: { customerIds: ids(couple) } });
    await make.step(campaign.id);
    const later = await make.step(campaign.id, {
      subject: 'Later',
      body: 'Later.',
      delayMinutes: 60,
    });
    await make.set(campaign.id, 'sending');
    await make.becomes(campaign.id, { stats: { recipients: 2, queued: 2, sent: 2 } });
    await make.set(campaign.id, 'paused');
    const third = await customer({ email: 'Couple@example.com' });
    await make.audience(campaign.id, { filter: { customerIds: ids([third]) } });
    await change(`/marketing/campaigns/${campaign.id}/content/${later.id}`, { delayMinutes: 0 });
    await make.set(campaign.id, 'sending');
    await make.becomes(campaign.id, {
      status: 'sent',
      stats: { recipients: 2, queued: 0, sent: 4, skipped: 0 },
    });
    const to = (await make.sends(campaign.id))
      .map(({ recipient }) => recipient.toLowerCase())
      .sort();
    expect(to).toEqual([
      'ada@example.com',
      'ada@example.com',
      'couple@example.com',
      'couple@example.com',
    ]);
  });

  test('a skipped recipient is replaced by another one with the same address', async () => {
    const couple = [
      await customer({ email: 'swap@example.com' }),
      await customer({ email: 'Swap@example.com' }),
    ];
    const campaign = await make.campaign();
    await make.audience(campaign.id, { filter: { customerIds: ids(couple) } });
    const step = await make.step(campaign.id, {
      subject: 'Later',
      body: 'Later.',
      delayMinutes: 60,
    });
    await make.set(campaign.id, 'sending');
    await make.becomes(campaign.id, { stats: { recipients: 1, queued: 1 } });
    const [send] = await make.sends(campaign.id);
    const other = couple.find(({ id }) => id !== send?.customerId) as Customer;
    await make.set(campaign.id, 'paused');
    await change(`/customers/${send?.customerId}`, { emailOptOut: true });
    await change(`/marketing/campaigns/${campaign.id}/content/${step.id}`, { delayMinutes: 0 });
    await make.set(campaign.id, 'sending');
    await make.becomes(campaign.id, {
      status: 'sent',
      stats: { recipients: 2, queued: 0, sent: 1, skipped: 1 },
    });
    expect(sendTo(await make.sends(campaign.id), other)).toMatchObject([{ status: 'sent' }]);
  });

  test('reaches each person of its audiences once per step, and is sent when all is settled', async () => {
    const out = await customer({ email: 'out@example.com', emailOptOut: true });
    const silent = await customer({ phone: '2' });
    const campaign = await make.campaign({
      fromName: 'The "Garage"',
      fromAddress: 'office@example.com',
    });
    await make.audience(campaign.id, { filter: { customerIds: ids([ada, bob, out, silent]) } });
    await make.audience(campaign.id, { filter: { customerIds: ids([ada, eve]) } });
    const first = await make.step(campaign.id, { subject: 'One', body: 'First.' });
    const second = await make.step(campaign.id, { subject: 'Two', body: 'Second.' });
    const started = await make.set(campaign.id, 'sending');
    expect(started).toMatchObject({ status: 'sending', completedAt: null });
    expectMoment(started.startedAt, started.updatedAt);

    const done = await make.becomes(campaign.id, { status: 'sent' });
    expect(done).toMatchObject({
      startedAt: started.startedAt,
      stats: { recipients: 3, queued: 0, sent: 6, delivered: 0, failed: 0, skipped: 0 },
    });
    expectMoment(done.completedAt, done.updatedAt);
    const sends = await make.sends(campaign.id);
    const pairs = sends
      .map(({ contentStepId, customerId }) => `${contentStepId} ${customerId}`)
      .sort();
    expect(pairs).toEqual(
      [first, second].flatMap((step) => [ada, bob, eve].map(({ id }) => `${step.id} ${id}`)).sort(),
    );
    for (const send of sends) {
      expect(send).toMatchObject({
        status: 'sent',
        attempts: 1,
        contactId: null,
        skipReason: null,
        error: null,
      });
      expectMoment(send.sentAt, send.updatedAt);
      expect(box.letters.filter(({ id }) => id === send.id)).toEqual([
        {
          id: send.id,
          to: send.recipient,
          from: '"The \\"Garage\\"" <office@example.com>',
          subject: send.contentStepId === first.id ? 'One' : 'Two',
          body: send.contentStepId === first.id ? 'First.' : 'Second.',
        },
      ]);
    }
    for (const [filter, total] of [
      [`customerId=${ada.id}`, 2],
      [`contentStepId=${second.id}`, 3],
      ['status=sent', 6],
      ['status=queued', 0],
    ]) {
      expect(
        (await service.call('GET', `/marketing/campaigns/${campaign.id}/sends?${filter}`)).body
          .total,
      ).toBe(total);
    }
  });

  test('a rejected send fails without delaying the others', async () => {
    const gone = await customer({ email: 'nobody@example.com' });
    const { id } = await make.ready(ids([gone, ada]));
    await make.set(id, 'sending');
    expect((await make.becomes(id, { status: 'sent' })).stats).toMatchObject({
      recipients: 2,
      sent: 1,
      failed: 1,
    });
    const [failed] = sendTo(await make.sends(id), gone);
    expect(failed).toMatchObject({
      status: 'failed',
      error: 'No such mailbox',
      attempts: 1,
      sentAt: null,
    });
  });

  test('each step waits for its delay after the one before, and the campaign with it', async () => {
    const { id } = await make.ready([ada.id]);
    const hour = await make.step(id, { subject: 'S', body: 'B', delayMinutes: 60 });
    const day = await make.step(id, { subject: 'S', body: 'B', delayMinutes: 24 * 60 });
    const { startedAt } = await make.set(id, 'sending');
    await make.becomes(id, { status: 'sending', stats: { sent: 1, queued: 2 } });
    const sends = await make.sends(id);
    for (const [step, minutes] of [
      [hour, 60],
      [day, 25 * 60],
    ] as const) {
      const send = sends.find(({ contentStepId }) => contentStepId === step.id);
      const parcels = service.admin.database.read
        .selectFrom('outbox')
        .select('dueAt')
        .where('recordId', '=', send?.id as string);
      expect(Date.parse((await parcels.executeTakeFirstOrThrow()).dueAt)).toBe(
        Date.parse(startedAt as string) + minutes * 60_000,
      );
    }
    await make.set(id, 'cancelled');
    await make.becomes(id, { stats: { queued: 0, skipped: 2 } });
  });
});

/** Started, with the letter of one person held at the slot; `others` are still queued. */
async function held(people: readonly Customer[]) {
  box.shut();
  const { id } = await make.ready(ids(people));
  await make.set(id, 'sending');
  const letter = await box.held;
  await make.becomes(id, { stats: { queued: people.length } });
  const [first] = (await make.sends(id)).filter((send) => send.id === letter.id);
  return {
    id,
    path: `/marketing/campaigns/${id}`,
    first: first as Send,
    others: people.filter(({ id: other }) => other !== first?.customerId),
  };
}

describe('while it is being sent', () => {
  test('a recipient who opts out before the delivery gets nothing', async () => {
    const { id, others } = await held([ada, bob]);
    await change(`/customers/${others[0]?.id}`, { emailOptOut: true });
    box.open();
    await make.becomes(id, { status: 'sent', stats: { sent: 1, skipped: 1 } });
    expect(sendTo(await make.sends(id), others[0] as Customer)).toMatchObject([
      { status: 'skipped', skipReason: 'opted_out', attempts: 0 },
    ]);
  });

  test('the address is the one of the start', async () => {
    const { id, others } = await held([ada, bob]);
    await change(`/customers/${others[0]?.id}`, { email: 'new@example.com' });
    box.open();
    await make.becomes(id, { status: 'sent' });
    expect(sendTo(await make.sends(id), others[0] as Customer)).toMatchObject([
      { recipient: others[0]?.email, status: 'sent' },
    ]);
  });

  test('cancelled: sends in flight are sent, others are not', async () => {
    const { id, first } = await held([ada, bob, eve]);
    await make.set(id, 'cancelled');
    await make.becomes(id, { status: 'cancelled', stats: { queued: 0, skipped: 3 } });
    box.open();
    expect(await make.becomes(id, { stats: { sent: 1, skipped: 2 } })).toMatchObject({
      status: 'cancelled',
      completedAt: null,
    });
    const sends = await make.sends(id);
    expect(sends.find((send) => send.id === first.id)).toMatchObject({
      status: 'sent',
      skipReason: null,
    });
    for (const send of sends.filter((other) => other.id !== first.id))
      expect(send).toMatchObject({
        status: 'skipped',
        skipReason: 'campaign_cancelled',
        sentAt: null,
      });
  });

  test('cancelled: a send that is refused in flight stays cancelled', async () => {
    const { id } = await held([await customer({ email: 'nobody@example.com' })]);
    await make.set(id, 'cancelled');
    await make.becomes(id, { stats: { queued: 0, skipped: 1 } });
    box.open();
    await expect.poll(() => countWaiting(service.admin.database.read)).toBe(0);
    expect(await make.sends(id)).toMatchObject([
      { status: 'skipped', skipReason: 'campaign_cancelled', error: null },
    ]);
    expect(await make.read(id)).toMatchObject({ stats: { failed: 0, skipped: 1 } });
  });

  test('paused: what comes up before its audience is looked at again waits for that', async () => {
    const { id, others } = await held([ada, bob]);
    const [send] = sendTo(await make.sends(id), others[0] as Customer);
    await make.set(id, 'paused');
    const team = service.admin.database.read.selectFrom('teams').select('id');
    const own = await team.where('slug', '=', service.team).executeTakeFirstOrThrow();
    await inTransaction(service.admin, own, async (context) => {
      const campaign = await findOrThrow(context, 'campaigns', id);
      await changeRecord(context, 'campaigns', campaign, { status: 'sending' });
      expect(await sendHandler.load(context, send?.id ?? '')).toMatchObject({ id: send?.id });
      await putRun(context, id, { phase: 'review' });
      expect(await sendHandler.load(context, send?.id ?? '')).toBeUndefined();
    });
    await make.set(id, 'cancelled');
    box.open();
  });

  test('paused: nothing is sent, and changes apply when it continues', async () => {
    const { id, path, first, others } = await held([ada, bob, eve]);
    const [leaving, staying] = others as [Customer, Customer];
    const late = await customer({ email: 'late@example.com' });
    const off = await customer({ email: 'off@example.com' });
    const { startedAt } = await make.set(id, 'paused');
    expect(startedAt).not.toBeNull();
    box.open();
    await make.becomes(id, { status: 'paused', stats: { sent: 1, queued: 2 } });

    const [step] = (await service.call('GET', `${path}/content`)).body.data;
    await change(`${path}/content/${step.id}`, { body: 'Better words.' });
    const [audience] = (await service.call('GET', `${path}/audiences`)).body.data;
    const customerIds = [first.customerId, staying.id, late.id, off.id];
    await service.call('PATCH', `${path}/audiences/${audience.id}`, { filter: { customerIds } });
    await change(`/customers/${off.id}`, { emailOptOut: true });
    expect(await make.read(id)).toMatchObject({ status: 'paused', stats: { sent: 1, queued: 2 } });

    const resumed = await make.set(id, 'sending');
    // Steps are counted from the first start, so going on is no new one.
    expect([resumed.startedAt, (await make.becomes(id, { status: 'sent' })).startedAt]).toEqual([
      startedAt,
      startedAt,
    ]);
    expect((await make.read(id)).stats).toEqual({
      recipients: 4,
      queued: 0,
      sent: 3,
      delivered: 0,
      failed: 0,
      skipped: 1,
    });
    const sends = await make.sends(id);
    expect(sendTo(sends, leaving)).toMatchObject([
      { status: 'skipped', skipReason: 'not_in_audience' },
    ]);
    expect(sends.filter(({ customerId }) => customerId === first.customerId)).toMatchObject([
      { status: 'sent' },
    ]);
    for (const person of [staying, late]) {
      const [send] = sendTo(sends, person);
      expect(box.letters.filter((letter) => letter.id === send?.id)).toMatchObject([
        { body: 'Better words.' },
      ]);
    }
    expect(sendTo(sends, off)).toEqual([]);
  });

  test('paused: skipped with the reason, opted out or without an address', async () => {
    const { id, others } = await held([ada, bob, eve]);
    await make.set(id, 'paused');
    box.open();
    await make.becomes(id, { stats: { sent: 1 } });
    await change(`/customers/${others[0]?.id}`, { emailOptOut: true });
    await change(`/customers/${others[1]?.id}`, { email: null, phone: '5' });
    await make.set(id, 'sending');
    await make.becomes(id, { status: 'sent', stats: { recipients: 3, sent: 1, skipped: 2 } });
    const sends = await make.sends(id);
    expect(sendTo(sends, others[0] as Customer)).toMatchObject([{ skipReason: 'opted_out' }]);
    expect(sendTo(sends, others[1] as Customer)).toMatchObject([{ skipReason: 'no_address' }]);
  });

  test('paused: an added step is sent to everybody, a deleted one to nobody', async () => {
    const { id, path, first, others } = await held([ada, bob]);
    await make.set(id, 'paused');
    box.open();
    await make.becomes(id, { stats: { sent: 1 } });
    const [step] = (await service.call('GET', `${path}/content`)).body.data;
    expect((await service.call('DELETE', `${path}/content/${step.id}`)).status).toBe(200);
    expect((await make.read(id)).stats).toMatchObject({ queued: 0, sent: 1, skipped: 1 });
    const added = await make.step(id, { subject: 'New', body: 'New.' });
    await make.set(id, 'sending');
    await make.becomes(id, { status: 'sent', stats: { recipients: 2, sent: 3, skipped: 1 } });
    const sends = await make.sends(id);
    expect(sends.filter(({ contentStepId }) => contentStepId === added.id)).toMatchObject([
      { status: 'sent' },
      { status: 'sent' },
    ]);
    expect(sends.find((send) => send.id === first.id)).toMatchObject({
      contentStepId: null,
      status: 'sent',
    });
    expect(sendTo(sends, others[0] as Customer)).toContainEqual(
      expect.objectContaining({ contentStepId: null, skipReason: 'step_deleted' }),
    );
  });
});
