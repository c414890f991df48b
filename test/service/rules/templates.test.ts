import { afterAll, expect, test } from 'vitest';
import { campaignsOf } from '../../helpers/campaigns.ts';
import { startTestService } from '../../helpers/service.ts';
import { issues, type Row, testTable } from '../../helpers/table.ts';

const service = await startTestService();
afterAll(() => service.close());
const make = campaignsOf(service);

const offer = await make.template({
  name: 'Winter offer',
  subject: 'Winter',
  body: 'Keep it dry.',
});
const note = await make.template({ name: 'Reminder', channel: 'sms', body: 'Your car is ready.' });
const post = await make.template({
  name: 'Post',
  channel: 'social',
  body: 'Look at this Porsche.',
});

const create = (name: string, body: object, expected: Row['expect']): Row => ({
  name: `create: ${name}`,
  method: 'POST',
  path: '/marketing/templates',
  body,
  expect: expected,
});
const change = (name: string, body: object, expected: Row['expect']): Row => ({
  name: `change: ${name}`,
  method: 'PATCH',
  path: `/marketing/templates/${offer.id}`,
  body,
  expect: expected,
});
const find = (query: string, ...ids: string[]): Row => ({
  name: query,
  method: 'GET',
  path: `/marketing/templates?${query}`,
  expect: { status: 200, ids },
});

testTable(service, [
  find('channel=sms', note.id),
  find('channel=social', post.id),
  find('q=WINTER', offer.id),
  find('q=porsche', post.id),
  find('q=ready%20reminder', note.id),
  find('q=summer'),
  find('channel=email&q=dry', offer.id),
  create(
    'defaults',
    { name: 'A', channel: 'email', body: 'B' },
    { status: 201, data: { subject: null, lastUsedAt: null } },
  ),
  create(
    'text of 10,000',
    { name: 'A', channel: 'sms', body: 'b'.repeat(10_000) },
    { status: 201 },
  ),
  create(
    'text of 10,001',
    { name: 'A', channel: 'sms', body: 'b'.repeat(10_001) },
    issues({ body: 'too_big' }),
  ),
  create('no text', { name: 'A', channel: 'sms', body: '' }, issues({ body: 'too_small' })),
  create(
    'another channel',
    { name: 'A', channel: 'fax', body: 'B' },
    issues({ channel: 'invalid_value' }),
  ),
  change(
    'null clears the subject',
    { subject: null },
    { status: 200, data: { subject: null, body: 'Keep it dry.' } },
  ),
  change(
    'null where it cannot be',
    { body: null, name: null },
    issues({ body: 'invalid_type', name: 'invalid_type' }),
  ),
]);

test('deleting one is permanent, and only clears the reference in content steps', async () => {
  const template = await make.template({ subject: 'Hello', body: 'Hello there.' });
  const campaign = await make.campaign();
  const step = (
    await service.call('POST', `/marketing/campaigns/${campaign.id}/content`, {
      templateId: template.id,
    })
  ).body.data;
  expect(step).toMatchObject({ templateId: template.id, subject: 'Hello', body: 'Hello there.' });

  const path = `/marketing/templates/${template.id}`;
  const deleted = await service.call('DELETE', path);
  expect({ status: deleted.status, body: deleted.body }).toEqual({
    status: 200,
    body: { data: { id: template.id, deleted: true } },
  });
  expect((await service.call('GET', path)).status).toBe(404);
  expect((await service.call('DELETE', path)).body.code).toBe('not_found');

  const after = (
    await service.call('GET', `/marketing/campaigns/${campaign.id}/content/${step.id}`)
  ).body.data;
  expect(after).toEqual({ ...step, templateId: null, updatedAt: after.updatedAt });
  expect(after.updatedAt > step.updatedAt).toBe(true);
});
