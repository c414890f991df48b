/**
 * What holds of every operation, read off the contract: a new resource is covered by being in it.
 * Scopes, fixed fields, references and transitions are proven against a table of their own: interface-table.test.ts.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import { contract } from '../../src/contract/contract.ts';
import { type Operation, walk } from '../../src/contract/operations.ts';
import type { Field } from '../../src/contract/resource.ts';
import { givenSchema, storedFields } from '../../src/contract/schemas.ts';
import { expectProblem, expectWellFormed } from '../helpers/answers.ts';
import { fill, queryOf, samplesOf } from '../helpers/samples.ts';
import { type Answer, startTestService } from '../helpers/service.ts';
import { issuesOf } from '../helpers/table.ts';

const service = await startTestService();
afterAll(() => service.close());

const own = samplesOf(service, service.key);
const foreign = samplesOf(service, service.otherKey);

interface Ask {
  ids?: readonly string[];
  key?: string | null;
  body?: unknown;
  query?: string;
}

for (const operation of walk(contract)) {
  const { method, body, params } = operation;
  const needed = queryOf(operation);
  const ask = async ({ ids, key, body: given, query = needed }: Ask = {}): Promise<Answer> => {
    const path = fill(operation.path, ids ?? (await own.ids(operation))) + query;
    const answer = await service.call(method, path, given ?? (body ? {} : undefined), key);
    expectWellFormed(method, path, answer);
    return answer;
  };
  const expectRefused = (answer: Answer, status: number, code: string) => {
    expect({ status: answer.status, code: answer.body.code }).toEqual({ status, code });
    expectProblem(answer, operation);
  };

  describe(`${operation.id}: ${method} ${operation.path}`, () => {
    test('no key and a wrong key: 401', async () => {
      expectRefused(await ask({ key: null, ids: [] }), 401, 'missing_api_key');
      expectRefused(await ask({ key: 'csk_aaaaaaaaaaaa.AAAA', ids: [] }), 401, 'invalid_api_key');
    });

    test('unknown query parameter: 422 that names it', async () => {
      const answer = await ask({ query: `${needed || '?'}&nonsense=1&Limit=2` });
      expectRefused(answer, 422, 'validation_failed');
      expect(issuesOf(answer.body)).toEqual({ nonsense: 'unknown', Limit: 'unknown' });
    });

    if (needed) {
      test('without its required parameters: 422 with all of them', async () => {
        const answer = await ask({ query: '' });
        expectRefused(answer, 422, 'validation_failed');
        const names = [...new URLSearchParams(needed).keys()];
        expect(issuesOf(answer.body)).toEqual(
          Object.fromEntries(names.map((name) => [name, 'required'])),
        );
      });
    }

    if (params.length > 0) testPath(operation, ask, expectRefused);
    if (body) testBody(operation, ask, expectRefused);
  });
}

type Asking = (ask?: Ask) => Promise<Answer>;
type Refused = (answer: Answer, status: number, code: string) => void;

function testPath(operation: Operation, ask: Asking, expectRefused: Refused): void {
  const { params, body } = operation;

  test.each(params.map((name, at) => [name, at] as const))(
    'unknown, foreign or malformed {%s}: the same 404',
    async (_name, at) => {
      const [ids, others] = [await own.ids(operation), await foreign.ids(operation)];
      const answers = [];
      for (const id of [
        randomUUID(),
        others[at] as string,
        'not-a-uuid',
        `${ids[at]}0`,
        "'",
        '%00',
        '%F0%9F%9A%97',
        '..%2f..%2fme',
      ]) {
        // Even a body that is no body: the record is missed first.
        const answer = await ask({ ids: ids.with(at, id), body: body && 'no object' });
        expectRefused(answer, 404, 'not_found');
        answers.push(Buffer.from(answer.bytes).toString());
      }
      expect(new Set(answers).size).toBe(1);
    },
  );

  test('an id in upper case is the same id', async () => {
    const ids = await own.ids(operation);
    expect((await ask({ ids: ids.map((id) => id.toUpperCase()) })).status).not.toBe(404);
  });

  if (params.length > 1) {
    test('a record of another parent: 404', async () => {
      const [, inner] = await own.ids(operation);
      const [outer] = await own.ids(operation);
      expectRefused(await ask({ ids: [outer as string, inner as string] }), 404, 'not_found');
    });
  }
}

function testBody(operation: Operation, ask: Asking, expectRefused: Refused): void {
  const { resource, verb } = operation;
  const takes = (name: string) =>
    verb === 'create' ? resource.fields[name]?.create !== 'never' : resource.fields[name]?.update;

  test('bad bodies: 422', async () => {
    for (const given of ['', '{', '{"a":1}}', 'nothing', new Uint8Array([0x22, 0xff, 0x22])]) {
      expectRefused(await ask({ body: given }), 422, 'invalid_json');
    }
    for (const given of ['null', '[]', '1', '"text"'])
      expectRefused(await ask({ body: given }), 422, 'validation_failed');
  });

  test('unknown and read-only fields: 422 that names them all', async () => {
    const readOnly = [...Object.keys(storedFields), ...Object.keys(resource.fields)].filter(
      (name) => !takes(name),
    );
    const given = JSON.stringify({
      ...Object.fromEntries(readOnly.map((name) => [name, null])),
      nonsense: 1,
    }).replace(/}$/, ',"__proto__":{}}');
    const answer = await ask({ body: given });
    expectRefused(answer, 422, 'validation_failed');
    expect(issuesOf(answer.body)).toMatchObject({
      nonsense: 'unknown',
      ...Object.fromEntries(readOnly.map((name) => [name, 'read_only'])),
    });
    expect(answer.body.details.issues.map(({ path }: { path: string }) => path)).toContain(
      '__proto__',
    );
  });

  if (verb === 'create') {
    test('an empty body: 422 with every required field', async () => {
      const required = Object.keys(resource.fields).filter(
        (name) => resource.fields[name]?.create === 'required',
      );
      const answer = await ask({ body: {} });
      if (required.length > 0)
        expect(issuesOf(answer.body)).toEqual(
          Object.fromEntries(required.map((name) => [name, 'required'])),
        );
      expect(answer.body.code).toMatch(/validation_failed|parking_required/);
    });
  }

  const never = Object.keys(resource.fields).filter(
    (name) => takes(name) && !givenSchema(resource.fields[name] as Field).safeParse(null).success,
  );
  if (never.length > 0) {
    test('null where a field cannot be empty: 422', async () => {
      const answer = await ask({ body: Object.fromEntries(never.map((name) => [name, null])) });
      expect(Object.keys(issuesOf(answer.body))).toEqual(expect.arrayContaining(never));
    });
  }
}
