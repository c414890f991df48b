import { expect, test } from 'vitest';
import { campaignsOf } from '../../helpers/campaigns.ts';
import { facility } from '../../helpers/facility.ts';
import { testService } from '../../helpers/service.ts';
import { issues, made, type Row, row, testTable } from '../../helpers/table.ts';

const service = await testService();
const make = campaignsOf(service);
const { customer, car, location } = facility(service);

const [hall, yard] = [await location(), await location()];
const ada = await customer({
  email: 'ada@example.com',
  phone: '1',
  tags: ['VIP', 'a"b\\c'],
  status: 'lead',
});
const bob = await customer({ email: 'bob@example.com', tags: ['vip club', '100%', ',"vip"'] });
const eve = await customer({
  email: 'eve@example.com',
  phone: '2',
  emailOptOut: true,
  tags: ['vip'],
});
const dan = await customer({ phone: '3', smsOptOut: true, tags: ['über'], status: 'former' });
const everybody = [ada, bob, eve, dan].map(({ id }) => id);
await car({ customerId: ada.id, locationId: hall.id });
await car({ customerId: ada.id, locationId: hall.id });
await car({ customerId: bob.id, locationId: yard.id });
await car({ customerId: bob.id, locationId: hall.id, status: 'archived' });

const mail = await make.campaign();
const sms = await make.campaign({ channel: 'sms' });
const none = { customerStatus: [], tags: [], locationId: null, customerIds: [] };

const create = (
  name: string,
  filter: object | undefined,
  expected: Row['expect'],
  campaignId = mail.id,
): Row =>
  row('POST', `/marketing/campaigns/${campaignId}/audiences`)(name, { name, filter }, expected);
const counts = (estimatedCount: number): Row['expect'] => made({ estimatedCount });

testTable(service, [
  create(
    'everybody with an e-mail address who did not opt out',
    undefined,
    made({ estimatedCount: 2, filter: none }),
  ),
  create('an empty filter is everybody', {}, made({ estimatedCount: 2, filter: none })),
  create('everybody with a phone who did not opt out', {}, counts(2), sms.id),
  create('a tag, whatever its case; not a part of one', { tags: ['vip'] }, counts(1)),
  create('for SMS: those who opted out of e-mail count', { tags: ['vip'] }, counts(2), sms.id),
  create('any of the tags', { tags: ['vip', 'VIP CLUB'] }, counts(2)),
  create('a tag with quotes and backslashes', { tags: ['A"B\\C'] }, counts(1)),
  create('what looks like another entry within a tag', { tags: [',"VIP"'] }, counts(1)),
  create('% is no wildcard', { tags: ['1%'] }, counts(0)),
  create('_ is no wildcard', { tags: ['vip_club'] }, counts(0)),
  create('states', { customerStatus: ['lead', 'former'] }, counts(1)),
  create('a car at the location, once for several', { locationId: hall.id }, counts(1)),
  create('these customers', { customerIds: everybody }, counts(2)),
  create(
    'every part must hold',
    { customerIds: [bob.id], locationId: yard.id, customerStatus: ['active'], tags: ['vip club'] },
    counts(1),
  ),
  create('one part does not', { customerIds: [bob.id], locationId: hall.id }, counts(0)),
  create('an unknown part', { city: 'Bonn' }, issues({ 'filter.city': 'unknown' })),
]);

/** Another team, since its customers would be counted above. */
const others = await service.newTeam();
const theirs = { ...campaignsOf(others), customer: facility(others).customer };

test('a change recounts, also changes of others; without a change nothing happens', async () => {
  const [one, two] = [
    await theirs.customer({ email: 'one@example.com' }),
    await theirs.customer({ email: 'two@example.com' }),
  ];
  const campaign = await theirs.campaign();
  const audience = await theirs.audience(campaign.id, {
    filter: { customerIds: [one.id, two.id] },
  });
  const path = `/marketing/campaigns/${campaign.id}/audiences/${audience.id}`;
  const change = async (body: object) => (await others.call('PATCH', path, body)).body.data;
  expect(await change({})).toEqual(audience);
  expect(await change({ filter: { customerIds: [one.id] } })).toMatchObject({
    estimatedCount: 1,
    filter: { ...none, customerIds: [one.id] },
  });
  await others.call('PATCH', `/customers/${one.id}`, { emailOptOut: true });
  expect(await change({ name: 'Nobody' })).toMatchObject({ name: 'Nobody', estimatedCount: 0 });
  await others.call('PATCH', `/customers/${one.id}`, { emailOptOut: false });
});

test('a shared address counts once, ignoring case', async () => {
  const [one, two, three] = [
    await theirs.customer({ email: 'couple@example.com', phone: '7' }),
    await theirs.customer({ email: 'Couple@Example.com', phone: '7' }),
    await theirs.customer({ email: 'third@example.com', phone: '8' }),
  ];
  const filter = { customerIds: [one.id, two.id, three.id] };
  const [mail, sms] = [await theirs.campaign(), await theirs.campaign({ channel: 'sms' })];
  expect(await theirs.audience(mail.id, { filter })).toMatchObject({ estimatedCount: 2 });
  expect(await theirs.audience(sms.id, { filter })).toMatchObject({ estimatedCount: 2 });
});

test('counted again when the campaign is scheduled', async () => {
  const [one, two] = [
    await theirs.customer({ email: 'one@example.com' }),
    await theirs.customer({ email: 'two@example.com' }),
  ];
  const campaign = await theirs.ready([one.id, two.id]);
  await others.call('PATCH', `/customers/${two.id}`, { emailOptOut: true });
  const path = `/marketing/campaigns/${campaign.id}`;
  await others.call('PATCH', path, { status: 'scheduled', scheduledAt: '2100-01-01T00:00:00Z' });
  expect((await others.call('GET', `${path}/audiences`)).body.data).toMatchObject([
    { estimatedCount: 1 },
  ]);
});
