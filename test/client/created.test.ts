/** A status alone doesn't prove that a record was stored: the answer must have what the specification promises of it. */
import { afterEach, expect, test } from 'vitest';
import { type Client, createClient } from '../../src/client/client.ts';
import { contract, type ResourceName } from '../../src/contract/contract.ts';
import type { Resource } from '../../src/contract/resource.ts';
import { json, startMisbehavingServer } from '../helpers/misbehaving-server.ts';

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

async function clientOf(answer: object): Promise<Client> {
  const server = await startMisbehavingServer(({ method }) =>
    json(method === 'POST' ? 201 : 200, answer),
  );
  const client = createClient({ baseUrl: server.url, key: 'csk_a.b', retries: 0 });
  opened.push(client, server);
  return client;
}

type Call = (...args: unknown[]) => Promise<unknown>;

async function create({ name, parent }: Resource, answer: object): Promise<unknown> {
  const methods = (await clientOf(answer))[name as ResourceName] as unknown as Record<string, Call>;
  return (methods.create as Call)(...(parent ? ['p'] : []), {});
}

const unknown = { name: 'ProtocolError', code: 'unexpected_answer', unknownOutcome: true };
const creatable = Object.values(contract as Readonly<Record<string, Resource>>).filter(
  ({ operations }) => operations.create && operations.get,
);
/** The specification shows neither the record of a photo nor that of an event, but for its session. */
const open = ['carEvents', 'carPhotos'];

test.each(creatable.filter(({ name }) => !open.includes(name)))(
  '$name: a record without an id may be stored',
  async (resource) => {
    for (const data of [{}, { notes: 'x' }, { id: null }, { id: '' }, { id: ' ' }, { id: {} }])
      await expect(create(resource, { data })).rejects.toMatchObject({
        ...unknown,
        message: expect.stringContaining('"data" has no id'),
      });
    for (const id of ['r', 17]) await create(resource, { data: { id } });
  },
);

test('a car event has its session, the one thing that the specification promises, or its id', async () => {
  for (const data of [{}, { notes: 'x' }, { sessionId: null }, { sessionId: '' }])
    await expect(create(contract.carEvents, { data })).rejects.toMatchObject({
      ...unknown,
      message: expect.stringContaining('"data" has no sessionId'),
    });
  for (const data of [{ sessionId: 's' }, { sessionId: 17 }, { id: 'e' }])
    await create(contract.carEvents, { data });
});

test('a photo, whose record the specification leaves open, has some field', async () => {
  for (const data of [{}, { id: null, url: '' }])
    await expect(create(contract.carPhotos, { data })).rejects.toMatchObject({
      ...unknown,
      message: expect.stringContaining('"data" is empty'),
    });
  for (const data of [{ id: 'p' }, { url: '/p.jpg' }]) await create(contract.carPhotos, { data });
});

const failures = [
  { error: 'disk full' },
  { error: 'disk full', data: { id: 'r' } },
  { error: { message: 'disk full' }, data: { id: 'r' } },
  { success: false, message: 'disk full', data: { id: 'r' } },
  { success: 'false', message: 'disk full', data: { id: 'r', deleted: true } },
];

test.each(failures)('a success that tells a failure is none: %j', async (answer) => {
  const client = await clientOf(answer);
  const told = { name: 'ProtocolError', message: expect.stringContaining('disk full') };
  await expect(client.customers.create({ lastName: 'x' })).rejects.toMatchObject({
    ...told,
    unknownOutcome: true,
  });
  await expect(client.customers.update('r', { lastName: 'x' })).rejects.toMatchObject({
    ...told,
    unknownOutcome: true,
  });
  await expect(client.contacts.delete('r')).rejects.toMatchObject({
    ...told,
    unknownOutcome: true,
  });
  await expect(client.customers.get('r')).rejects.toMatchObject({ ...told, unknownOutcome: false });
});

test('a list that tells a failure is none', async () => {
  const client = await clientOf({ data: [], page: 1, limit: 50, total: 0, error: 'disk full' });
  await expect(client.customers.list()).rejects.toMatchObject({
    message: expect.stringContaining('disk full'),
    unknownOutcome: false,
  });
});

test.each([null, '', false, 0, {}, []])('an error that is %j is none', async (error) => {
  const client = await clientOf({ data: { id: 'r' }, error, success: true });
  expect(await client.customers.get('r')).toMatchObject({ id: 'r' });
});
