/** Integers that a number of JavaScript can't hold keep their digits. */
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createClient } from '../../src/client/client.ts';
import { parseJson } from '../../src/client/json.ts';
import {
  type MisbehavingServer,
  raw,
  startMisbehavingServer,
} from '../helpers/misbehaving-server.ts';

test.each([
  ['{"id":9007199254740993}', { id: '9007199254740993' }],
  [
    '{"a":[1,-9007199254740993,{"b": 12345678901234567890}]}',
    { a: [1, '-9007199254740993', { b: '12345678901234567890' }] },
  ],
  ['[9007199254740993]', ['9007199254740993']],
  // A number holds these.
  ['{"a":9007199254740991,"b":1.5,"c":1e300,"d":0.12345678901234567,"e":-7}', undefined],
  ['{"a":"x:9007199254740993","b":"9007199254740993"}', undefined],
  [
    '{"__proto__":{"id":1234567890123456789}}',
    JSON.parse('{"__proto__":{"id":"1234567890123456789"}}'),
  ],
])('%s', (text, expected) => {
  expect(parseJson(text)).toEqual(expected ?? JSON.parse(text));
});

const servers: MisbehavingServer[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  for (const server of servers.splice(0)) await server.close();
});

async function clientOf(...bodies: string[]) {
  const server = await startMisbehavingServer(
    bodies.map((body) => raw(200, 'application/json', body)),
  );
  servers.push(server);
  return { server, client: createClient({ baseUrl: server.url, key: 'csk_a.b', retries: 0 }) };
}

test("the answer of a server that rounds isn't taken for the record", async () => {
  const { client } = await clientOf('{"data":{"id":9007199254740992}}');
  await expect(client.cars.get('9007199254740993')).rejects.toThrow(
    '"data.id" isn\'t 9007199254740993',
  );
  await client.close();
});

describe('where the platform tells no digits', () => {
  const withoutSource = () => {
    const { parse } = JSON;
    vi.spyOn(JSON, 'parse').mockImplementation((text, reviver) =>
      parse(text, reviver && ((name, value) => reviver(name, value))),
    );
  };

  test('an id is an error', async () => {
    withoutSource();
    const { client } = await clientOf(
      '{"data":[{"id":9007199254740993}],"page":1,"limit":50,"total":1}',
    );
    await expect(client.cars.list()).rejects.toThrow('"data.0" has no id');
    await client.close();
  });

  test('other answers are read', () => {
    withoutSource();
    expect(parseJson('{"sha":"x 1234567890123456789","n":7}')).toEqual({
      sha: 'x 1234567890123456789',
      n: 7,
    });
  });
});
