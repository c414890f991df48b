import { expect, test } from 'vitest';
import { campaignsOf } from '../../helpers/campaigns.ts';
import { facility } from '../../helpers/facility.ts';
import { testService } from '../../helpers/service.ts';
import {
  issues,
  made,
  ok,
  type Row,
  refused,
  row,
  rowOf,
  shows,
  testTable,
} from '../../helpers/table.ts';

const service = await testService();
const make = facility(service);

const hall = await make.location({ name: 'Mühle Nord', email: 'hall@example.com' });
const used = await make.location({ name: 'Used' });
await make.spot(used.id, { zoneId: (await make.zone(used.id)).id });
await make.zone(used.id);
await make.car({ locationId: used.id });
await make.appointment({ locationId: used.id });
await make.appointment({ locationId: used.id });
const empty = await make.location({ name: 'Empty' });
const soft = await make.location({ name: 'Soft' });

const create = row('POST', '/locations');
const change = rowOf('PATCH', (id) => `/locations/${id}`);
const remove = (name: string, id: string, query: string, expect: Row['expect']): Row =>
  row('DELETE', `/locations/${id}${query}`)(`delete: ${name}`, undefined, expect);
const deleted = (id: string): Row['expect'] => ok({ id, deleted: true });

testTable(service, [
  create('the time zone of the team', { name: 'Süd' }, made({ timezone: 'Europe/Berlin' })),
  create(
    'a time zone of its own',
    { name: 'West', timezone: 'America/New_York' },
    made({ timezone: 'America/New_York' }),
  ),
  create(
    'a time zone that is none',
    { name: 'Mars', timezone: 'Mars/Olympus' },
    issues({ timezone: 'timezone' }),
  ),
  create(
    'a name in other case',
    { name: 'MÜHLE nord' },
    refused('duplicate', { field: 'name', id: hall.id }),
  ),
  change('the case of its own name', hall.id, { name: 'MÜHLE Nord' }, ok({ name: 'MÜHLE Nord' })),
  change(
    'a time zone that is none',
    hall.id,
    { timezone: 'Europe/Nowhere' },
    issues({ timezone: 'timezone' }),
  ),

  remove('makes it inactive', soft.id, '', deleted(soft.id)),
  shows('it is still there', `/locations/${soft.id}`, { isActive: false }),
  remove('again', soft.id, '', deleted(soft.id)),
  remove('hard=maybe', soft.id, '?hard=maybe', issues({ hard: 'invalid_value' })),
  change('back into use', soft.id, { isActive: true }, ok({ isActive: true })),
  remove('made inactive although others use it', used.id, '', deleted(used.id)),
  remove('hard while others name it', used.id, '?hard=true', {
    status: 422,
    code: 'resource_in_use',
    error: `The location ${used.name} is still used by 1 car, 2 appointments, 2 zones and 1 spot`,
    details: { zones: 2, spots: 1, cars: 1, appointments: 2 },
  }),
  remove('hard', empty.id, '?hard=true', deleted(empty.id)),
]);

test('hard while an audience refers to it: refused until the audience changes', async () => {
  const hall = await make.location();
  const { audience, campaign } = campaignsOf(service);
  const { id } = await campaign();
  const named = await audience(id, { filter: { locationId: hall.id } });
  // A tag that looks like it is not it.
  await audience(id, { filter: { tags: [hall.id] } });
  const remove = () => service.call('DELETE', `/locations/${hall.id}?hard=true`);
  const refusal = await remove();
  expect(refusal).toMatchObject({
    status: 422,
    body: { code: 'resource_in_use', details: { audiences: 1 } },
  });
  await make.change(`/marketing/campaigns/${id}/audiences/${named.id}`, { filter: {} });
  expect((await remove()).body).toEqual({ data: { id: hall.id, deleted: true } });
});
