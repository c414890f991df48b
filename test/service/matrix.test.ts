/**
 * What holds of every operation, read off the contract: a new resource is covered by being in it.
 * Scopes, fixed fields, references and transitions are proven against a table of their own: interface-table.test.ts.
 */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { contract } from '../../src/contract/contract.ts';
import { type Operation, walk } from '../../src/contract/operations.ts';
import type { Field } from '../../src/contract/resource.ts';
import { givenSchema, storedFields } from '../../src/contract/schemas.ts';
import { expectProblem, expectWellFormed } from '../helpers/answers.ts';
import { forMany, inTurn, offenders } from '../helpers/offenders.ts';
import { fill, queryOf, type Samples, samplesOf } from '../helpers/samples.ts';
import { type Answer, testService } from '../helpers/service.ts';
import { issuesOf } from '../helpers/table.ts';

const service = await testService();

const operations = [...walk(contract)];
const withPath = operations.filter(({ params }) => params.length > 0);
const withBody = operations.filter(({ body }) => body);

/** Ids of records that stay as they are, since all requests but one test's are refused. */
function lasting(samples: Samples) {
  const known = new Map<string, Promise<string[]>>();
  return (operation: Operation): Promise<string[]> => {
    const name = `${operation.resource.name} ${operation.params.length}`;
    const ids = known.get(name) ?? samples.ids(operation);
    known.set(name, ids);
    return ids;
  };
}
const own = samplesOf(service, service.key);
const idsOf = lasting(own);
const foreignIdsOf = lasting(samplesOf(service, service.otherKey));

interface Ask {
  ids?: readonly string[];
  key?: string | null;
  body?: unknown;
  query?: string;
}

async function ask(
  operation: Operation,
  { ids, key, body, query = queryOf(operation) }: Ask = {},
): Promise<Answer> {
  const { method, path } = operation;
  const filled = fill(path, ids ?? (await idsOf(operation))) + query;
  const given = body ?? (operation.body ? {} : undefined);
  const answer = await service.call(method, filled, given, key);
  expectWellFormed(method, filled, answer);
  return answer;
}

async function expectRefused(
  operation: Operation,
  asked: Ask,
  status: number,
  code: string,
): Promise<Answer> {
  const answer = await ask(operation, asked);
  expect({ status: answer.status, code: answer.body.code }).toEqual({ status, code });
  expectProblem(answer, operation);
  return answer;
}

function holds(
  name: string,
  of: readonly Operation[],
  check: (operation: Operation, at: number) => Promise<unknown>,
): void {
  test(
    name,
    async () => {
      const named = of.map((operation) => ({ name: operation.id, operation }));
      expect(named.length).toBeGreaterThan(0);
      const found = await offenders(named, ({ operation }, at) => check(operation, at));
      expect(found).toEqual([]);
    },
    forMany,
  );
}

holds('no key and a wrong key: 401', operations, async (operation) => {
  await expectRefused(operation, { key: null, ids: [] }, 401, 'missing_api_key');
  const wrong = { key: 'csk_aaaaaaaaaaaa.AAAA', ids: [] };
  await expectRefused(operation, wrong, 401, 'invalid_api_key');
});

holds('unknown query parameter: 422 that names it', operations, async (operation) => {
  const query = `${queryOf(operation) || '?'}&nonsense=1&Limit=2`;
  const answer = await expectRefused(operation, { query }, 422, 'validation_failed');
  expect(issuesOf(answer.body)).toEqual({ nonsense: 'unknown', Limit: 'unknown' });
});

holds(
  'without its required parameters: 422 with all of them',
  operations.filter((operation) => queryOf(operation)),
  async (operation) => {
    const answer = await expectRefused(operation, { query: '' }, 422, 'validation_failed');
    const names = [...new URLSearchParams(queryOf(operation)).keys()];
    expect(issuesOf(answer.body)).toEqual(
      Object.fromEntries(names.map((name) => [name, 'required'])),
    );
  },
);

const malformed = ['not-a-uuid', '0', "'", '%00', '%F0%9F%9A%97', '..%2f..%2fme'];

holds('unknown, foreign or malformed ids: the same 404', withPath, async (operation, turn) => {
  const [ids, others] = [await idsOf(operation), await foreignIdsOf(operation)];
  for (const at of operation.params.keys()) {
    const wrong = [randomUUID(), others[at] as string, `${ids[at]}0`, ...inTurn(malformed, turn)];
    const answers = [];
    for (const id of wrong) {
      // Even a body that is no body: the record is missed first.
      const asked = { ids: ids.with(at, id), body: operation.body && 'no object' };
      const answer = await expectRefused(operation, asked, 404, 'not_found');
      answers.push(Buffer.from(answer.bytes).toString());
    }
    expect(new Set(answers).size).toBe(1);
  }
});

holds(
  'a record of another parent: 404',
  operations.filter(({ params }) => params.length > 1),
  async (operation) => {
    const [[, inner], [outer]] = [await idsOf(operation), await own.ids(operation)];
    const ids = [outer as string, inner as string];
    await expectRefused(operation, { ids }, 404, 'not_found');
  },
);

const noJson = ['', '{', '{"a":1}}', 'nothing', new Uint8Array([0x22, 0xff, 0x22])];
const noObject = ['null', '[]', '1', '"text"'];

holds('bad bodies: 422', withBody, async (operation, turn) => {
  for (const body of inTurn(noJson, turn, 2))
    await expectRefused(operation, { body }, 422, 'invalid_json');
  for (const body of inTurn(noObject, turn))
    await expectRefused(operation, { body }, 422, 'validation_failed');
});

const takes = ({ resource, verb }: Operation, name: string) =>
  verb === 'create' ? resource.fields[name]?.create !== 'never' : resource.fields[name]?.update;

holds('unknown and read-only fields: 422 that names them all', withBody, async (operation) => {
  const fields = [...Object.keys(storedFields), ...Object.keys(operation.resource.fields)];
  const readOnly = fields.filter((name) => !takes(operation, name));
  const body = JSON.stringify({
    ...Object.fromEntries(readOnly.map((name) => [name, null])),
    nonsense: 1,
  }).replace(/}$/, ',"__proto__":{}}');
  const answer = await expectRefused(operation, { body }, 422, 'validation_failed');
  expect(issuesOf(answer.body)).toMatchObject({
    nonsense: 'unknown',
    ...Object.fromEntries(readOnly.map((name) => [name, 'read_only'])),
  });
  const paths = answer.body.details.issues.map(({ path }: { path: string }) => path);
  expect(paths).toContain('__proto__');
});

holds(
  'an empty body of a create: 422 with every required field',
  withBody.filter(({ verb }) => verb === 'create'),
  async (operation) => {
    const { fields } = operation.resource;
    const required = Object.keys(fields).filter((name) => fields[name]?.create === 'required');
    const answer = await ask(operation, { body: {} });
    if (required.length > 0)
      expect(issuesOf(answer.body)).toEqual(
        Object.fromEntries(required.map((name) => [name, 'required'])),
      );
    expect(answer.body.code).toMatch(/validation_failed|parking_required/);
  },
);

holds('null where a field cannot be empty: 422', withBody, async (operation) => {
  const { fields } = operation.resource;
  const never = Object.keys(fields).filter(
    (name) => takes(operation, name) && !givenSchema(fields[name] as Field).safeParse(null).success,
  );
  if (never.length === 0) return;
  const body = Object.fromEntries(never.map((name) => [name, null]));
  const answer = await ask(operation, { body });
  expect(Object.keys(issuesOf(answer.body))).toEqual(expect.arrayContaining(never));
});

// The last one: it does what is asked, also a delete.
holds('an id in upper case is the same id', withPath, async (operation) => {
  const ids = await own.ids(operation);
  const asked = { ids: ids.map((id) => id.toUpperCase()) };
  expect((await ask(operation, asked)).status).not.toBe(404);
});
