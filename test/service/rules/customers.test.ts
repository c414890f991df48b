import { afterAll } from 'vitest';
import { facility } from '../../helpers/facility.ts';
import { startTestService } from '../../helpers/service.ts';
import { issues, type Row, testTable } from '../../helpers/table.ts';

const service = await startTestService();
afterAll(() => service.close());
const make = facility(service);

const address = {
  line1: 'Hauptstr. 1',
  line2: null,
  city: 'Berlin',
  region: null,
  postalCode: '10115',
  country: 'DE',
};
const ada = await make.customer({
  firstName: 'Ada',
  email: 'ada@example.com',
  externalId: 'crm-1',
  address,
  tags: ['vip'],
  notes: 'n',
});
const smith = await make.customer({
  companyName: 'Smith & Söhne',
  phone: '+49 30 1',
  status: 'former',
});

const create = (name: string, body: object, expect: Row['expect']): Row => ({
  name: `create: ${name}`,
  method: 'POST',
  path: '/customers',
  body,
  expect,
});
const change = (name: string, id: string, body: object, expect: Row['expect']): Row => ({
  name: `change: ${name}`,
  method: 'PATCH',
  path: `/customers/${id}`,
  body,
  expect,
});
const find = (name: string, query: string, ...ids: string[]): Row => ({
  name: `filter: ${name}`,
  method: 'GET',
  path: `/customers?${query}`,
  expect: { status: 200, ids },
});
const nobody = issues({ '': 'at_least_one' });

testTable(service, [
  find('status', 'status=former', smith.id),
  find('e-mail', 'email=ada@example.com', ada.id),
  find('e-mail in another case', 'email=ADA@example.COM', ada.id),
  find('no part of an e-mail address', 'email=da@example.com'),
  find('external id', 'externalId=crm-1', ada.id),
  find('words', 'q=SÖHNE%20smi', smith.id),
  find('phone', 'q=%2B49', smith.id),
  find('nobody', 'q=turing'),

  create(
    'defaults',
    { lastName: 'Lovelace' },
    {
      status: 201,
      data: {
        firstName: null,
        lastName: 'Lovelace',
        companyName: null,
        email: null,
        phone: null,
        address: null,
        status: 'active',
        emailOptOut: false,
        smsOptOut: false,
        tags: [],
        externalId: null,
        notes: null,
      },
    },
  ),
  create('a phone number alone', { phone: '1' }, { status: 201 }),
  create('an e-mail address alone', { email: 'a@example.com' }, { status: 201 }),
  create('nobody', {}, nobody),
  create('nobody, with notes', { notes: 'who?', firstName: null }, nobody),
  create('an empty name', { firstName: ' ' }, issues({ firstName: 'too_small' })),
  create(
    'part of an address',
    { lastName: 'A', address: { city: 'Bonn' } },
    {
      status: 201,
      data: {
        address: {
          line1: null,
          line2: null,
          city: 'Bonn',
          region: null,
          postalCode: null,
          country: null,
        },
      },
    },
  ),
  create(
    'an unknown part of an address',
    { lastName: 'A', address: { town: 'Bonn' } },
    issues({ 'address.town': 'unknown' }),
  ),
  create('no e-mail address', { email: 'ada' }, issues({ email: 'invalid_format' })),
  create(
    'e-mail of 255',
    {
      email: `${'a'.repeat(60)}@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.example.com`,
    },
    { status: 422, code: 'validation_failed' },
  ),
  create('phone of 33', { phone: '1'.repeat(33) }, issues({ phone: 'too_big' })),
  create(
    '50 tags',
    { lastName: 'A', tags: Array.from({ length: 50 }, (_, n) => `t${n}`) },
    { status: 201 },
  ),
  create(
    '51 tags',
    { lastName: 'A', tags: Array.from({ length: 51 }, (_, n) => `t${n}`) },
    issues({ tags: 'too_big' }),
  ),
  create(
    'tags that are none',
    { lastName: 'A', tags: ['', 1] },
    issues({ 'tags.0': 'too_small', 'tags.1': 'invalid_type' }),
  ),
  create('unknown status', { lastName: 'A', status: 'vip' }, issues({ status: 'invalid_value' })),
  create(
    'text for a switch',
    { lastName: 'A', emailOptOut: 'true' },
    issues({ emailOptOut: 'invalid_type' }),
  ),
  create(
    'external id taken',
    { lastName: 'A', externalId: 'crm-1' },
    { status: 422, code: 'duplicate', details: { field: 'externalId', id: ada.id } },
  ),
  {
    ...create(
      'external id of another team',
      { lastName: 'A', externalId: 'crm-1' },
      { status: 201 },
    ),
    key: service.otherKey,
  },

  change(
    'to the same: updatedAt stays',
    ada.id,
    { tags: ['vip'], address, emailOptOut: false },
    { status: 200, data: { updatedAt: ada.updatedAt } },
  ),
  change(
    'its own external id',
    ada.id,
    { externalId: 'crm-1' },
    { status: 200, data: { updatedAt: ada.updatedAt } },
  ),
  change(
    'null clears',
    ada.id,
    { address: null, notes: null },
    { status: 200, data: { address: null, notes: null, tags: ['vip'] } },
  ),
  change(
    'null where it cannot be',
    ada.id,
    { tags: null, status: null, smsOptOut: null },
    issues({
      tags: 'invalid_type',
      status: 'invalid_value',
      smsOptOut: 'invalid_type',
    }),
  ),
  change('the last name away', smith.id, { companyName: null, phone: null }, nobody),
  change(
    'another name in its place',
    smith.id,
    { companyName: null, firstName: 'Sam' },
    { status: 200, data: { companyName: null, firstName: 'Sam' } },
  ),
  change(
    'to an external id that is taken',
    smith.id,
    { externalId: 'crm-1' },
    { status: 422, code: 'duplicate' },
  ),
]);
