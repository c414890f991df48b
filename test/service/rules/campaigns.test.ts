import { describe, expect, test } from 'vitest';
import { addSender } from '../../../src/service/admin.ts';
import { campaignsOf } from '../../helpers/campaigns.ts';
import { facility } from '../../helpers/facility.ts';
import { testService } from '../../helpers/service.ts';
import { issues, made, ok, type Row, refused, row, rowOf, testTable } from '../../helpers/table.ts';

// Nothing carries anything here: what is started stays queued.
const service = await testService();
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
const start = async (customerId = ada.id): Promise<string> => {
  const { id } = await make.ready([customerId]);
  await make.set(id, 'sending');
  return id;
};
const [sending, paused, cancelled] = [await start(), await start(), await start()];
for (const id of [sending, paused, cancelled]) await make.becomes(id, { stats: { queued: 1 } });
await make.set(paused, 'paused');
await make.set(cancelled, 'cancelled');
await make.becomes(cancelled, { stats: { queued: 0, skipped: 1 } });
// It reaches its end: its customer has no e-mail address.
const done = await start((await customer({ phone: '1' })).id);
await make.becomes(done, { status: 'sent' });

const create = row('POST', '/marketing/campaigns');
const change = rowOf('PATCH', (id) => `/marketing/campaigns/${id}`);
const locked = (status: string): Row['expect'] => refused('campaign_locked', { status });

describe('fields', () => {
  testTable(service, [
    create(
      'a draft with a time',
      { name: 'A', channel: 'email', status: 'draft', scheduledAt: '2020-01-01T00:00:00+01:00' },
      made({ scheduledAt: '2019-12-31T23:00:00.000Z' }),
    ),
    create(
      'an address that is none',
      { name: 'A', channel: 'email', fromAddress: 'us' },
      issues({ fromAddress: 'invalid_format' }),
    ),
    create('a sender of SMS', { name: 'A', channel: 'sms', fromAddress: '+49 30 1' }, made()),
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
      ok({ fromName: 'Us' }),
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
      ok({ status: 'scheduled', name: 'Soon' }),
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
      ok({ status: 'draft', scheduledAt: later }),
    ),
    change('scheduled again, with the time it has', scheduled.id, { status: 'scheduled' }, ok()),
    change(
      'scheduled: cancelled',
      scheduled.id,
      { status: 'cancelled' },
      ok({ startedAt: null, completedAt: null }),
    ),

    change('sending: its name', sending, { name: 'Late' }, locked('sending')),
    change(
      'sending: its name with a pause',
      sending,
      { name: 'Late', status: 'paused' },
      locked('sending'),
    ),
    change('sending: to the same', sending, { status: 'sending' }, ok({ status: 'sending' })),
    change('paused: its name', paused, { name: 'Wait' }, ok({ status: 'paused', name: 'Wait' })),
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
      rows.push(row('POST', path)(name, given, expected(201)));
      rows.push(row('PATCH', `${path}/${first.id}`)(name, changed, expected(200)));
      rows.push(row('DELETE', `${path}/${first.id}`)(name, undefined, expected(200)));
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
