/** Records below another one: each answer is held against the id in its path, for every resource of the contract that has a parent. */
import { afterEach, expect, test } from 'vitest';
import { type Client, createClient } from '../../src/client/client.ts';
import { contract, type ResourceName } from '../../src/contract/contract.ts';
import { operationsOf } from '../../src/contract/operations.ts';
import type { Resource } from '../../src/contract/resource.ts';
import {
  json,
  type MisbehavingServer,
  startMisbehavingServer,
} from '../helpers/misbehaving-server.ts';

const mine = '0199aaaa-0000-7000-8000-00000000000a';
const other = '0199aaaa-0000-7000-8000-00000000000b';
const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

/** Answers every request with this record, or the list of it. */
async function serve(record: object): Promise<{ client: Client; server: MisbehavingServer }> {
  const server = await startMisbehavingServer(({ url, method }) => {
    const isList = method === 'GET' && !/\/r\b/.test(url);
    return json(
      method === 'POST' ? 201 : 200,
      isList ? { data: [record], page: 1, limit: 50, total: 1 } : { data: record },
    );
  });
  const client = createClient({ baseUrl: server.url, key: 'csk_a.b', retries: 0 });
  opened.push(client, server);
  return { client, server };
}

const nested = Object.values(contract as Readonly<Record<string, Resource>>).filter(
  ({ parent }) => parent,
);
const cases = nested.flatMap((resource) =>
  [...operationsOf(resource)]
    .filter(({ answer }) => answer === 'record' || answer === 'list')
    .map(({ verb, method }) => ({
      name: resource.name as ResourceName,
      verb,
      method,
      field: resource.parent?.field as string,
    })),
);

type Call = (...args: unknown[]) => Promise<unknown>;

test.each(cases)(
  '$name $verb refuses a record of another $field',
  async ({ name, verb, method, field }) => {
    const call = async (parent: unknown) => {
      const { client } = await serve({ id: 'r', sessionId: 's', [field]: parent });
      const methods = client[name] as unknown as Record<string, Call>;
      return (methods[verb] as Call)(
        mine,
        ...(verb === 'list' || verb === 'create' ? [] : ['r']),
        {},
      );
    };
    await expect(call(other)).rejects.toMatchObject({
      code: method === 'GET' ? 'filter_ignored' : 'unexpected_answer',
      unknownOutcome: method !== 'GET',
      message: expect.stringContaining(
        `a record whose ${field} is ${other}, so the server ignores the id in the path`,
      ),
    });
    // The same id in capitals, and what doesn't tell.
    for (const parent of [mine, mine.toUpperCase(), null, '', undefined, { id: other }])
      await call(parent);
  },
);

test('there are resources with a parent', () => {
  expect(cases.length).toBeGreaterThan(10);
});

test('a whole list is checked, and an id may be a number', async () => {
  const { client } = await serve({ id: 'r', carId: 17 });
  expect((await client.carPhotos.list('17')).data).toHaveLength(1);
  await expect(Array.fromAsync(client.carPhotos.all('18'))).rejects.toMatchObject({
    code: 'filter_ignored',
  });
});
