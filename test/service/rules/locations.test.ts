import { afterAll, expect, test } from 'vitest';
import { campaignsOf } from '../../helpers/campaigns.ts';
import { facility } from '../../helpers/facility.ts';
import { startTestService } from '../../helpers/service.ts';
import { issues, type Row, testTable } from '../../helpers/table.ts';

const service = await startTestService();
afterAll(() => service.close());
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

const create = (name: string, body: object, expect: Row['expect']): Row => ({
  name: `create: ${name}`,
  method: 'POST',
  path: '/locations',
  body,
  expect,
});
const change = (name: string, id: string, body: object, expect: Row['expect']): Row => ({
  name: `change: ${name}`,
  method: 'PATCH',
  path: `/locations/${id}`,
  body,
  expect,
});
const remove = (name: string, id: string, query: string, expect: Row['expect']): Row => ({
  name: `delete: ${name}`,
  method: 'DELETE',
  path: `/locations/${id}${query}`,
  expect,
});
const shows = (name: string, id: string, expect: Row['expect']): Row => ({
  name,
  method: 'GET',
  path: `/locations/${id}`,
  expect,
});
const deleted = (id: string): Row['expect'] => ({ status: 200, data: { id, deleted: true } });

testTable(service, [
  create(
    'defaults; the time zone is that of the team',
    { name: 'Süd' },
    {
      status: 201,
      data: {
        isActive: true,
        name: 'Süd',
        timezone: 'Europe/Berlin',
        address: null,
        phone: null,
        email: null,
        notes: null,
      },
    },
  ),
  create(
    'a time zone of its own',
    { name: 'West', timezone: 'America/New_York' },
    { status: 201, data: { timezone: 'America/New_York' } },
  ),
  create(
    'a time zone that is none',
    { name: 'Mars', timezone: 'Mars/Olympus' },
    issues({ timezone: 'timezone' }),
  ),
  create(
    'a malformed time zone',
    { name: 'Mars', timezone: '+01:00' },
    issues({ timezone: 'invalid_format' }),
  ),
  create(
    'not active yet',
    { name: 'Later', isActive: false },
    { status: 201, data: { isActive: false } },
  ),
  create(
    'a name in other case',
    { name: 'MÜHLE nord' },
    { status: 422, code: 'duplicate', details: { field: 'name', id: hall.id } },
  ),
  {
    ...create('a name of another team', { name: 'Mühle Nord' }, { status: 201 }),
    key: service.otherKey,
  },

  change(
    'to the same: updatedAt stays',
    hall.id,
    { name: 'Mühle Nord', isActive: true },
    { status: 200, data: { updatedAt: hall.updatedAt } },
  ),
  change(
    'the case of its own name',
    hall.id,
    { name: 'MÜHLE Nord' },
    { status: 200, data: { name: 'MÜHLE Nord' } },
  ),
  change(
    'to a name that is taken',
    hall.id,
    { name: 'used' },
    { status: 422, code: 'duplicate', details: { field: 'name', id: used.id } },
  ),
  change('null clears', hall.id, { email: null }, { status: 200, data: { email: null } }),
  change(
    'a time zone that is none',
    hall.id,
    { timezone: 'Europe/Nowhere' },
    issues({ timezone: 'timezone' }),
  ),

  remove('makes it inactive', soft.id, '', deleted(soft.id)),
  shows('it is still there', soft.id, { status: 200, data: { isActive: false } }),
  remove('again', soft.id, '', deleted(soft.id)),
  remove('hard=false is the default', soft.id, '?hard=false', deleted(soft.id)),
  remove('hard=maybe', soft.id, '?hard=maybe', issues({ hard: 'invalid_value' })),
  {
    name: 'lists show it',
    method: 'GET',
    path: '/locations?isActive=false&q=soft',
    expect: { status: 200, ids: [soft.id] },
  },
  {
    name: 'unless not asked for',
    method: 'GET',
    path: '/locations?isActive=true&q=soft',
    expect: { status: 200, ids: [] },
  },
  change('back into use', soft.id, { isActive: true }, { status: 200, data: { isActive: true } }),
  remove('made inactive although others use it', used.id, '', deleted(used.id)),
  remove('hard while others name it', used.id, '?hard=true', {
    status: 422,
    code: 'resource_in_use',
    error: `The location ${used.name} is still used by 1 car, 2 appointments, 2 zones and 1 spot`,
    details: { zones: 2, spots: 1, cars: 1, appointments: 2 },
  }),
  remove('hard', empty.id, '?hard=true', deleted(empty.id)),
  shows('it is gone', empty.id, { status: 404, code: 'not_found' }),
  remove('hard, again', empty.id, '?hard=true', { status: 404, code: 'not_found' }),
  create('its name is free again', { name: 'Empty' }, { status: 201 }),
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
  expect({
    status: refusal.status,
    code: refusal.body.code,
    details: refusal.body.details,
  }).toEqual({
    status: 422,
    code: 'resource_in_use',
    details: { audiences: 1 },
  });
  await make.change(`/marketing/campaigns/${id}/audiences/${named.id}`, { filter: {} });
  expect((await remove()).body).toEqual({ data: { id: hall.id, deleted: true } });
});
