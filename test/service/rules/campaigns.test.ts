import { afterAll, describe, expect, test } from 'vitest';
import { addSender } from '../../../src/service/admin.ts';
import { type Campaigns, campaignsOf } from '../../helpers/campaigns.ts';
import { facility } from '../../helpers/facility.ts';
import { startTestService } from '../../helpers/service.ts';
import { issues, type Row, testTable } from '../../helpers/table.ts';

// Nothing carries anything here: what is started stays queued.
const service = await startTestService();
afterAll(() => service.close());
const make = campaignsOf(service);
const { customer } = facility(service);
await addSender(service.admin, service.team, '@example.com');

const later = '2100-01-01T00:00:00.000Z';
const ada = await customer({ email: 'ada@example.com' });
const empty = await make.campaign();
const sms = await make.campaign({ channel: 'sms' });
await make.audience(sms.id, {});
const ready = await make.ready([ada.id]);
const scheduled = await make.ready([ada.id]);
await service.call('PATCH', `/marketing/campaigns/${scheduled.id}`, {
  status: 'scheduled',
  scheduledAt: later,
});
const start = async (by: Campaigns, customerId: string): Promise<string> => {
  const { id } = await by.ready([customerId]);
  await by.set(id, 'sending');
  await by.becomes(id, { stats: { queued: 1 } });
  return id;
};
const cancel = async (by: Campaigns, id: string) => {
  await by.set(id, 'cancelled');
  await by.becomes(id, { stats: { queued: 0, skipped: 1 } });
};
/** A campaign that reached its end: its customer has no e-mail address. */
const finish = async (by: Campaigns, customerId: string): Promise<string> => {
  const { id } = await by.ready([customerId]);
  await by.set(id, 'sending');
  await by.becomes(id, { status: 'sent' });
  return id;
};
const [sending, paused, cancelled] = [
  await start(make, ada.id),
  await start(make, ada.id),
  await start(make, ada.id),
];
await make.set(paused, 'paused');
await cancel(make, cancelled);
const done = await finish(make, (await customer({ phone: '1' })).id);

const create = (name: string, body: object, expected: Row['expect']): Row => ({
  name: `create: ${name}`,
  method: 'POST',
  path: '/marketing/campaigns',
  body,
  expect: expected,
});
const change = (name: string, id: string, body: object, expected: Row['expect']): Row => ({
  name: `change: ${name}`,
  method: 'PATCH',
  path: `/marketing/campaigns/${id}`,
  body,
  expect: expected,
});
const locked = (status: string): Row['expect'] => ({
  status: 422,
  code: 'campaign_locked',
  details: { status },
});

describe('filters', async () => {
  const here = await service.newTeam();
  const [campaigns, records] = [campaignsOf(here), facility(here)];
  const ada = await records.customer({ email: 'ada@example.com' });
  const named = await campaigns.campaign({ name: 'Nothing yet' });
  await start(campaigns, ada.id);
  const cancelled = await start(campaigns, ada.id);
  await cancel(campaigns, cancelled);
  const sent = await finish(campaigns, (await records.customer({ phone: '1' })).id);
  const find = (query: string, ...ids: string[]): Row => ({
    name: query,
    method: 'GET',
    path: `/marketing/campaigns?${query}`,
    expect: { status: 200, ids },
  });
  testTable(here, [
    find('status=cancelled', cancelled),
    find('status=sent', sent),
    find('q=NOTHING', named.id),
    find('channel=sms'),
  ]);
});

describe('fields', () => {
  testTable(service, [
    create(
      'defaults',
      { name: 'A', channel: 'sms' },
      {
        status: 201,
        data: {
          fromName: null,
          fromAddress: null,
          status: 'draft',
          scheduledAt: null,
          startedAt: null,
          completedAt: null,
          stats: { recipients: 0, queued: 0, sent: 0, delivered: 0, failed: 0, skipped: 0 },
        },
      },
    ),
    create(
      'a draft with a time',
      { name: 'A', channel: 'email', status: 'draft', scheduledAt: '2020-01-01T00:00:00+01:00' },
      {
        status: 201,
        data: { scheduledAt: '2019-12-31T23:00:00.000Z' },
      },
    ),
    create(
      'posts are not campaigns',
      { name: 'A', channel: 'social' },
      issues({ channel: 'invalid_value' }),
    ),
    create(
      'an address that is none',
      { name: 'A', channel: 'email', fromAddress: 'us' },
      issues({ fromAddress: 'invalid_format' }),
    ),
    create(
      'a sender of SMS',
      { name: 'A', channel: 'sms', fromAddress: '+49 30 1' },
      { status: 201 },
    ),
    change(
      'an address that is none',
      empty.id,
      { fromAddress: 'us' },
      issues({ fromAddress: 'invalid_format' }),
    ),
    change(
      'a sender',
      empty.id,
      { fromName: 'Us', fromAddress: 'us@example.com' },
      { status: 200, data: { fromName: 'Us' } },
    ),
    change(
      'to the same: updatedAt stays',
      ready.id,
      { name: ready.name },
      { status: 200, data: { updatedAt: ready.updatedAt } },
    ),
  ]);
});

describe('states', () => {
  testTable(service, [
    change(
      'nothing is there',
      empty.id,
      { status: 'scheduled' },
      issues({ scheduledAt: 'required', audiences: 'at_least_one', content: 'at_least_one' }),
    ),
    change(
      'by SMS, which is recorded and not delivered',
      sms.id,
      { status: 'sending' },
      issues({ channel: 'not_delivered', content: 'at_least_one' }),
    ),
    change(
      'start with nothing',
      empty.id,
      { status: 'sending' },
      issues({ audiences: 'at_least_one', content: 'at_least_one' }),
    ),
    change(
      'in the past',
      ready.id,
      { status: 'scheduled', scheduledAt: '2020-01-01T00:00:00Z' },
      issues({ scheduledAt: 'in_future' }),
    ),
    change(
      'no time',
      ready.id,
      { status: 'scheduled', scheduledAt: null },
      issues({ scheduledAt: 'required' }),
    ),

    change(
      'scheduled: its name',
      scheduled.id,
      { name: 'Soon' },
      { status: 200, data: { status: 'scheduled', name: 'Soon' } },
    ),
    change(
      'scheduled: no time',
      scheduled.id,
      { scheduledAt: null },
      issues({ scheduledAt: 'required' }),
    ),
    change(
      'scheduled: the past',
      scheduled.id,
      { scheduledAt: '2020-01-01T00:00:00Z' },
      issues({ scheduledAt: 'in_future' }),
    ),
    change(
      'scheduled: back to draft',
      scheduled.id,
      { status: 'draft' },
      { status: 200, data: { status: 'draft', scheduledAt: later } },
    ),
    change(
      'scheduled again, with the time it has',
      scheduled.id,
      { status: 'scheduled' },
      { status: 200 },
    ),
    change(
      'scheduled: cancelled',
      scheduled.id,
      { status: 'cancelled' },
      { status: 200, data: { startedAt: null, completedAt: null } },
    ),

    change('sending: its name', sending, { name: 'Late' }, locked('sending')),
    change(
      'sending: its name with a pause',
      sending,
      { name: 'Late', status: 'paused' },
      locked('sending'),
    ),
    change(
      'sending: to the same',
      sending,
      { status: 'sending' },
      { status: 200, data: { status: 'sending' } },
    ),
    change(
      'paused: its name',
      paused,
      { name: 'Wait' },
      { status: 200, data: { status: 'paused', name: 'Wait' } },
    ),
    change('sent: its name', done, { name: 'Late' }, locked('sent')),
    change('cancelled: its time', cancelled, { scheduledAt: later }, locked('cancelled')),
  ]);
});

describe('parts', async () => {
  const parts = [
    ['audiences', { name: 'A' }, { name: 'B' }],
    ['content', { subject: 'A', body: 'A' }, { body: 'B' }],
  ] as const;
  const rows: Row[] = [];
  for (const [id, status] of [
    [sending, 'sending'],
    [done, 'sent'],
    [cancelled, 'cancelled'],
    [paused, undefined],
  ] as const) {
    for (const [part, given, changed] of parts) {
      const path = `/marketing/campaigns/${id}/${part}`;
      const [first] = (await service.call('GET', path)).body.data;
      const name = `${part} while ${status ?? 'paused'}`;
      const expected = (success: number): Row['expect'] =>
        status ? locked(status) : { status: success };
      rows.push({ name, method: 'POST', path, body: given, expect: expected(201) });
      rows.push({
        name,
        method: 'PATCH',
        path: `${path}/${first.id}`,
        body: changed,
        expect: expected(200),
      });
      rows.push({ name, method: 'DELETE', path: `${path}/${first.id}`, expect: expected(200) });
    }
  }
  testTable(service, rows);

  test('a scheduled campaign keeps its last audience and its last step', async () => {
    const { id } = await make.ready([ada.id]);
    await service.call('PATCH', `/marketing/campaigns/${id}`, {
      status: 'scheduled',
      scheduledAt: later,
    });
    for (const [part, given] of parts) {
      const path = `/marketing/campaigns/${id}/${part}`;
      const [first] = (await service.call('GET', path)).body.data;
      const refusal = await service.call('DELETE', `${path}/${first.id}`);
      expect({ status: refusal.status, code: refusal.body.code }).toEqual({
        status: 422,
        code: 'campaign_locked',
      });
      await service.call('POST', path, given);
      expect((await service.call('DELETE', `${path}/${first.id}`)).status).toBe(200);
    }
  });
});
