import { facility } from '../../helpers/facility.ts';
import { testService } from '../../helpers/service.ts';
import { issues, list, made, ok, row, rowOf, testTable } from '../../helpers/table.ts';

const service = await testService();
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

const create = row('POST', '/customers');
const change = rowOf('PATCH', (id) => `/customers/${id}`);
const nobody = issues({ '': 'at_least_one' });

testTable(service, [
  list('/customers?email=da@example.com'),
  list('/customers?externalId=CRM-1'),
  list('/customers?q=%2B49', smith.id),
  create('a phone number alone', { phone: '1' }, made()),
  create('an e-mail address alone', { email: 'a@example.com' }, made()),
  create('nobody, with notes', { notes: 'who?', firstName: null }, nobody),
  create(
    'part of an address',
    { lastName: 'A', address: { city: 'Bonn' } },
    made({
      address: {
        line1: null,
        line2: null,
        city: 'Bonn',
        region: null,
        postalCode: null,
        country: null,
      },
    }),
  ),
  create(
    'tags that are none',
    { lastName: 'A', tags: ['', 1] },
    issues({ 'tags.0': 'too_small', 'tags.1': 'invalid_type' }),
  ),

  change(
    'to the same: updatedAt stays',
    ada.id,
    { tags: ['vip'], address, emailOptOut: false },
    ok({ updatedAt: ada.updatedAt }),
  ),
  change('the last name away', smith.id, { companyName: null, phone: null }, nobody),
  change(
    'another name in its place',
    smith.id,
    { companyName: null, firstName: 'Sam' },
    ok({ companyName: null, firstName: 'Sam' }),
  ),
]);
