/**
 * Whatever is sent to any operation: never a fault of the service, never no answer, always the shapes that are described.
 * CS_LONG=1 sends a hundred times as much.
 */

import { beforeAll, describe, expect, test } from 'vitest';
import { contract } from '../../src/contract/contract.ts';
import { walk } from '../../src/contract/operations.ts';
import { checkData } from '../../src/service/check/check.ts';
import { expectWellFormed } from '../helpers/answers.ts';
import { hostileTo } from '../helpers/hostile.ts';
import fc, { long } from '../helpers/property.ts';
import { fill, named, samplesOf } from '../helpers/samples.ts';
import { testService } from '../helpers/service.ts';

const numRuns = long ? 1_500 : 12;
// Names lead nowhere, so that no test knocks at anybody's door.
const service = await testService({ source: { lookup: async () => ['127.0.0.1'] } });
const samples = samplesOf(service, service.key);

/** Records that bodies can name: two of each resource that is referred to. */
const known = new Map<string, string[]>();
beforeAll(async () => {
  const wanted = new Set(
    [...walk(contract)].flatMap(({ references }) => references.map(({ resource }) => resource)),
  );
  for (const name of wanted)
    known.set(name, [(await samples.make(named(name))).id, (await samples.make(named(name))).id]);
});

describe.each([...walk(contract)].map((operation) => [operation.id, operation] as const))(
  '%s',
  (_id, operation) => {
    test('takes anything', { timeout: long ? 600_000 : 60_000 }, async () => {
      const ids = await samples.ids(operation);
      await fc.assert(
        fc.asyncProperty(
          hostileTo(operation, ids, known),
          async ({ segments, query, body, headers }) => {
            const path = fill(operation.path, segments) + query;
            const answer = await service.call(operation.method, path, body, undefined, headers);
            expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(500);
            expectWellFormed(operation.method, path, answer);
          },
        ),
        { numRuns },
      );
    });
  },
);

test('and after all of it everything can be read, and is whole', async () => {
  const plain = [...walk(contract)].filter(
    ({ verb, params, resource }) => verb === 'list' && params.length === 0 && !resource.computed,
  );
  for (const { path } of plain) {
    const answer = await service.call('GET', `${path}?limit=200`);
    expect(answer.status).toBe(200);
    expectWellFormed('GET', path, answer);
  }
  expect((await checkData({ data: service.data, database: service.database })).findings).toEqual(
    [],
  );
});
