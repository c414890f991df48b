/** Campaigns come from addresses that the operator allowed for the team, and stop when one is allowed no longer. */
import { beforeEach, describe, expect, test } from 'vitest';
import { addSender, createTeam, listSenders, removeSender } from '../../../src/service/admin.ts';
import { advance } from '../../../src/service/campaigns/phases.ts';
import { checkData } from '../../../src/service/check/check.ts';
import { inTransaction } from '../../../src/service/transaction.ts';
import { campaignsOf, letterBox } from '../../helpers/campaigns.ts';
import { facility } from '../../helpers/facility.ts';
import { testService } from '../../helpers/service.ts';

const box = letterBox();
const service = await testService({ transport: box, outbox: { atOnce: 1 } });
const make = campaignsOf(service);
const { customer } = facility(service);
const { admin, team } = service;

beforeEach(async () => {
  for (const { address } of await listSenders(admin, team))
    await removeSender(admin, team, address);
  box.open();
});

const notAllowed = {
  error: expect.any(String),
  code: 'validation_failed',
  details: {
    issues: [
      {
        path: 'fromAddress',
        rule: 'sender_not_allowed',
        message: expect.stringContaining('cs admin team sender add ADDRESS --team first'),
      },
    ],
  },
};
const create = (fromAddress: string, channel = 'email', key?: string) =>
  service.call('POST', '/marketing/campaigns', { name: 'A', channel, fromAddress }, key);
const patch = (id: string, body: object) =>
  service.call('PATCH', `/marketing/campaigns/${id}`, body);

/** A campaign to two customers, from an address that is allowed for now. */
async function readyFrom(fromAddress: string) {
  await addSender(admin, team, fromAddress);
  const people = [
    await customer({ email: 'ada@example.com' }),
    await customer({ email: 'bob@example.com' }),
  ];
  const campaign = await make.ready(people.map(({ id }) => id));
  expect((await patch(campaign.id, { fromAddress })).status).toBe(200);
  return campaign;
}

describe('which addresses a campaign takes', () => {
  test('only allowed ones, ignoring case; the default sender always', async () => {
    const refused = await create('ceo@bank.example');
    expect({ status: refused.status, body: refused.body }).toEqual({
      status: 422,
      body: notAllowed,
    });
    const campaign = await make.campaign();
    expect((await patch(campaign.id, { fromAddress: 'ceo@bank.example' })).body).toEqual(
      notAllowed,
    );
    expect((await make.read(campaign.id)).fromAddress).toBeNull();

    await addSender(admin, team, ' Office@Garage.example ');
    expect((await create('office@garage.EXAMPLE')).status).toBe(201);
    expect((await patch(campaign.id, { fromAddress: 'OFFICE@garage.example' })).status).toBe(200);
    expect((await patch(campaign.id, { fromAddress: null })).status).toBe(200);
  });

  test.each([
    ['office@garage.example', 'sales@garage.example', 422],
    ['@garage.example', 'sales@garage.example', 201],
    ['@garage.example', 'sales@mail.garage.example', 422],
    ['@garage.example', 'sales@notgarage.example', 422],
    ['@mail.garage.example', 'sales@garage.example', 422],
  ])('allowed %s: %s is %i', async (allowed, address, status) => {
    await addSender(admin, team, allowed);
    expect((await create(address)).status).toBe(status);
  });

  test('not of SMS, which nobody sends', async () => {
    expect((await create('+49 30 1', 'sms')).status).toBe(201);
    await expect(addSender(admin, team, '+49 30 1')).rejects.toThrow('must be an e-mail address');
  });

  test('of this team alone', async () => {
    await addSender(admin, service.otherTeam, '@garage.example');
    expect((await create('office@garage.example')).status).toBe(422);
    expect((await create('office@garage.example', 'email', service.otherKey)).status).toBe(201);
  });
});

describe('an address that is not allowed any more', () => {
  test('pauses a running campaign, which can continue once the address is allowed again', async () => {
    const campaign = await readyFrom('spring@garage.example');
    box.shut();
    await make.set(campaign.id, 'sending');
    const first = await box.held;
    expect(first.from).toBe('spring@garage.example');
    expect(await removeSender(admin, team, 'Spring@garage.example')).toMatchObject({
      sender: { address: 'spring@garage.example' },
      stopped: [{ id: campaign.id, status: 'paused' }],
    });
    box.open();
    await make.becomes(campaign.id, {
      status: 'paused',
      stats: { recipients: 2, sent: 1, queued: 1 },
    });
    expect((await patch(campaign.id, { status: 'sending' })).body).toEqual(notAllowed);
    expect((await patch(campaign.id, { name: 'Other' })).status).toBe(200);
    await addSender(admin, team, '@garage.example');
    await make.set(campaign.id, 'sending');
    await make.becomes(campaign.id, { status: 'sent', stats: { sent: 2 } });
  });

  test('a scheduled campaign becomes a draft', async () => {
    const campaign = await readyFrom('summer@garage.example');
    const schedule = { status: 'scheduled', scheduledAt: '2100-01-01T00:00:00.000Z' };
    expect((await patch(campaign.id, schedule)).status).toBe(200);
    expect((await removeSender(admin, team, 'summer@garage.example')).stopped).toMatchObject([
      { id: campaign.id, status: 'draft' },
    ]);
    expect((await patch(campaign.id, schedule)).body).toEqual(notAllowed);
    expect((await patch(campaign.id, { ...schedule, fromAddress: null })).status).toBe(200);
  });

  test('one allowed by another entry continues', async () => {
    const campaign = await readyFrom('autumn@garage.example');
    await addSender(admin, team, '@garage.example');
    await patch(campaign.id, { status: 'scheduled', scheduledAt: '2100-01-01T00:00:00.000Z' });
    expect((await removeSender(admin, team, 'autumn@garage.example')).stopped).toEqual([]);
    expect((await make.read(campaign.id)).status).toBe('scheduled');
    await removeSender(admin, team, '@garage.example');
  });

  test('is looked at again when the time of a scheduled campaign comes, and found by a check', async () => {
    const campaign = await readyFrom('winter@garage.example');
    await patch(campaign.id, { status: 'scheduled', scheduledAt: '2100-01-01T00:00:00.000Z' });
    // As data from before there were allowed addresses.
    await admin.database.write
      .deleteFrom('allowedSenders')
      .where('address', '=', 'winter@garage.example')
      .execute();
    const { findings } = await checkData(service);
    expect(findings).toMatchObject([{ check: 'records', count: 1, examples: [campaign.id] }]);
    await inTransaction(admin, { id: campaign.teamId }, (context) =>
      advance(context, campaign.id, '2100-01-01T00:00:00.000Z'),
    );
    expect(await make.read(campaign.id)).toMatchObject({ status: 'draft', startedAt: null });
    expect((await checkData(service)).findings).toEqual([]);
  });
});

describe('the operator', () => {
  test('repeats change nothing; every action is in the audit log', async () => {
    const { slug, id } = await createTeam(admin, { name: 'Audited' });
    const first = await addSender(admin, slug, 'office@garage.example');
    expect(await addSender(admin, slug, 'OFFICE@garage.example')).toEqual(first);
    expect(await listSenders(admin, slug)).toEqual([first]);
    await removeSender(admin, slug, 'office@garage.example');
    expect(await listSenders(admin, slug)).toEqual([]);
    await expect(removeSender(admin, slug, 'office@garage.example')).rejects.toMatchObject({
      code: 'not_found',
    });
    const log = await admin.database.read
      .selectFrom('auditLog')
      .select(['action', 'details'])
      .where('teamId', '=', id)
      .orderBy('at')
      .execute();
    expect(log.slice(1)).toEqual([
      { action: 'sender.add', details: { address: 'office@garage.example' } },
      { action: 'sender.remove', details: { address: 'office@garage.example' } },
    ]);
  });

  test.each(['@', 'garage.example', 'office@garage.example, b@garage.example', '*@garage.example'])(
    'refused: %j',
    async (address) => {
      await expect(addSender(admin, team, address)).rejects.toMatchObject({
        code: 'validation_failed',
      });
    },
  );
});
