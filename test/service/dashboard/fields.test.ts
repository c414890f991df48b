/** A field that a write of the dashboard takes is stored and comes back: a rule that forgets one would drop it without a word. */
import { expect, test } from 'vitest';
import { dashboardContract } from '../../../src/contract/dashboard/dashboard.ts';
import { type Operation, walk } from '../../../src/contract/operations.ts';
import { signInAdmin } from '../../helpers/dashboard.ts';
import { testService } from '../../helpers/service.ts';

const service = await testService({ dashboard: {} });
const admin = await signInAdmin(service);

let made = 0;
/** A value that no field has by itself. A new field needs one here. */
const values: Readonly<Record<string, () => unknown>> = {
  name: () => `Given ${++made}`,
  email: () => `given-${++made}@garage.example`,
  scopes: () => ['read:cars', 'write:parking'],
  expiresAt: () => '2199-01-01T00:00:00.000Z',
  replacesId: async () => (await create('keys')).id,
  revoked: () => true,
  apiEnabled: () => false,
  role: () => 'staff',
};

async function valueFor(field: string): Promise<unknown> {
  const value = values[field];
  if (!value) throw new Error(`The field ${field} has no value in this test`);
  return value();
}

const operations = [...walk(dashboardContract)];
const fieldsOf = ({ resource, verb }: Operation) =>
  Object.entries(resource.fields)
    .filter(([, field]) => (verb === 'create' ? field.create !== 'never' : field.update))
    .map(([name]) => name);
const writes = operations.flatMap((operation) =>
  ['create', 'update'].includes(operation.verb) && fieldsOf(operation).length > 0
    ? [[operation.id, operation] as const]
    : [],
);

/** A record of the list, with its required fields. */
async function create(list: 'keys'): Promise<{ id: string }> {
  const { body } = await admin.ask('POST', `/api/v1/team/${list}`, {
    name: 'Before',
    scopes: ['read:cars'],
  });
  return body.data;
}

/** The record as a later request reads it. */
async function read({ resource }: Operation, id: string): Promise<unknown> {
  const { body } = await admin.ask(
    'GET',
    `/api/v1${resource.path}${resource.singleton ? '' : '?limit=200'}`,
  );
  return resource.singleton
    ? body.data
    : body.data.find((record: { id: string }) => record.id === id);
}

test.each(writes)('%s keeps each field that it takes', async (_id, operation) => {
  const { method, path, verb, resource } = operation;
  const names = fieldsOf(operation);
  // A create takes all at once. An update takes each alone: a revoked key has no other change.
  for (const group of verb === 'create' ? [names] : names.map((name) => [name])) {
    const given = Object.fromEntries(
      await Promise.all(group.map(async (name) => [name, await valueFor(name)] as const)),
    );
    const id =
      verb === 'update' && !resource.singleton ? (await create(resource.name as 'keys')).id : '';
    const { status, body } = await admin.ask(
      method,
      `/api/v1${path.replace(/\{\w+\}/, id)}`,
      given,
    );
    expect([status, body.data]).toMatchObject([verb === 'create' ? 201 : 200, given]);
    expect(await read(operation, body.data.id)).toMatchObject(given);
  }
});

test('every resource with fields to write is looked at', () => {
  expect(writes.map(([id]) => id).length).toBeGreaterThanOrEqual(5);
});
