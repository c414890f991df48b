/** The running service does what the table written by hand states: scopes, fixed fields, references, defaults, unique values, searches and transitions. */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { StoredName } from '../../src/contract/contract.ts';
import type { Field } from '../../src/contract/resource.ts';
import { type Scope, scopes } from '../../src/contract/scopes.ts';
import { expectWellFormed } from '../helpers/answers.ts';
import { bodyScopes, interfaceTable, type StatedResource } from '../helpers/interface-table.ts';
import { fill, named, naming, samplesOf } from '../helpers/samples.ts';
import { type Answer, testService } from '../helpers/service.ts';

const service = await testService();
const own = samplesOf(service, service.key);
const foreign = samplesOf(service, service.otherKey);

const keys = new Map<string, Promise<string>>();
/** A key with exactly these scopes. */
function keyWith(given: readonly Scope[]): Promise<string> {
  const name = given.join();
  const known = keys.get(name) ?? service.keyWith(given);
  keys.set(name, known);
  return known;
}
const keyWithout = (left: readonly Scope[]) =>
  keyWith(scopes.filter((scope) => !left.includes(scope)));

const requiredQuery: Readonly<Record<string, string>> = {
  'GET /marketing/calendar': '?from=2026-01-01T00:00:00Z&to=2026-02-01T00:00:00Z',
};

let values = 0;

/** What the sample of a resource can't have; the cases of the resource have it. */
const needsMore: Readonly<Record<string, string>> = {
  'appointments.optionId': 'an option is of a type',
  'campaigns.fromAddress': 'the team must allow the sender first',
  'campaignAudiences.filter': 'it names records',
  'campaignSteps.subject': 'e-mail has a subject',
  'carEvents.appointmentId': 'an appointment is for a car',
  'carPhotos.sessionId': 'a session is of a car',
  'customers.phone': 'a customer keeps one name or address',
  'invites.customerId': 'it stands in place of the e-mail address',
  'invites.contactId': 'it stands in place of the e-mail address',
  'invites.phone': 'it stands in place of the e-mail address',
  'contacts.isPrimary': 'it is primary for a customer',
  'locations.timezone': 'there are few',
  'parkingAssignments.endedAt': 'what has ended stays so',
  'parkingAssignments.parkingZoneId': 'it stands in place of the spot',
  'parkingSpots.zoneId': 'a zone is at a location',
  'rsvps.inviteId': 'an invite is to a social event',
  'rsvps.contactId': 'it stands in place of the customer',
  'rsvps.rsvpOptionId': 'an option is of a social event',
  'socialEvents.endAt': 'it comes after the beginning',
  'socialEvents.timezone': 'there are few',
  'socialEvents.rsvpDeadline': 'it comes before the beginning',
};

interface StatedOperation {
  readonly method: string;
  readonly path: string;
  readonly params: readonly string[];
  /** Scopes of which all of one entry are needed; none: any key will do. */
  readonly alternatives: readonly (readonly Scope[])[];
  readonly success: number;
  /** The status when the record exists already. */
  readonly existing?: number;
  readonly query: string;
}

function operationOf(line: string): StatedOperation {
  const [method = '', path = '', scopeText = '', statuses = ''] = line.split(' ');
  const [success = 0, existing] = statuses.split('|').map(Number);
  return {
    method,
    path,
    params: Array.from(path.matchAll(/\{(\w+)\}/g), (match) => match[1] as string),
    alternatives:
      scopeText === '-' ? [] : scopeText.split('|').map((text) => text.split('+') as Scope[]),
    success,
    existing,
    query: requiredQuery[`${method} ${path}`] ?? '',
  };
}

async function ask(
  { method, path, query }: StatedOperation,
  ids: readonly string[],
  body?: unknown,
  key?: string,
): Promise<Answer> {
  const answer = await service.call(method, fill(path, ids) + query, body, key);
  expectWellFormed(method, fill(path, ids), answer);
  return answer;
}

/** What one of a kind looks like; `*` takes any number of digits and letters. */
const kinds: Readonly<Record<string, string | true>> = {
  uuid: '01890000-0000-7000-8000-00000000*',
  boolean: true,
  email: '*@example.com',
  uri: 'https://example.com/*',
  '\\S': '*',
  '^[A-Z0-9-]{1,25}$': 'A*',
  '^[a-z][a-z0-9_]{0,63}$': 'a*',
  '^[a-z0-9]+(-[a-z0-9]+)*$': 'a-*',
  '^[A-Za-z][A-Za-z0-9_+/-]{0,63}$': 'Europe/Berlin',
};

/** Values at the limits of what the table states, values beyond them, and any number of different ones. */
interface Edges {
  readonly within: readonly unknown[];
  readonly beyond: readonly unknown[];
  readonly nth: (n: number) => unknown;
}

function edgesOf(stated: string): Edges {
  const properties = stated.split(/, (?=\w+ )/).map((one) => {
    const [name = '', ...rest] = one.split(' ');
    return [name, rest.join(' ')] as const;
  });
  if (properties.length > 1 && !/^\d*\.\./.test(stated)) {
    const edges = properties.map(([name, values]) => [name, edgesOf(values)] as const);
    const nth = (n: number) => Object.fromEntries(edges.map(([name, of]) => [name, of.nth(n)]));
    const beyond = edges.flatMap(([name, of]) =>
      of.beyond.map((one) => ({ ...nth(0), [name]: one })),
    );
    return { within: [nth(0)], beyond, nth };
  }
  const [, form = '', least = '', most = '', unit, inner = ''] =
    /^(.*?) ?(\d*)\.\.(\d*)(?: (chars)| of (.+))?$/.exec(stated) ?? [];
  if (least || most) {
    const item = inner ? edgesOf(inner) : undefined;
    const of = (size: number): unknown => {
      if (item) return Array.from({ length: size }, (_, n) => item.nth(n));
      const text = unit ? '*' : kinds[form];
      return typeof text === 'string'
        ? text.replace('*', 'a'.repeat(size - text.length + 1))
        : size;
    };
    const isSize = item || unit || form;
    return {
      within: [least, most].flatMap((size) => (size ? [of(Number(size))] : [])),
      beyond: [
        ...(isSize && Number(least) === 0 ? [] : [of(Number(least) - 1)]),
        ...(most ? [of(Number(most) + 1)] : []),
        ...(item?.beyond ?? []).map((one) => [one]),
      ],
      nth: (n) => (item ? [] : isSize ? `A${n}` : Number(least) + n),
    };
  }
  const kind = kinds[stated];
  const words = stated.split('|');
  return {
    within: kind ? [] : [words[0], words.at(-1)],
    beyond: ['no such'],
    nth: (n) =>
      typeof kind === 'string' ? kind.replace('*', String(1000 + n)) : (kind ?? words[0]),
  };
}

describe.each(Object.entries(interfaceTable))('%s', (name, stated) => {
  const resource = named(name);
  const {
    readOnly = [],
    createOnly = [],
    updateOnly = [],
    references = {},
    initial = {},
    status,
  } = stated;
  const operations = stated.operations.map((line) => [line, operationOf(line)] as const);
  const of = (wanted: string) => operations.find(([, { method }]) => method === wanted)?.[1];
  const [post, patch, remove] = [of('POST'), of('PATCH'), of('DELETE')];
  const ids = ({ params }: StatedOperation) => own.ids({ resource, params });

  test.each(operations)('%s: exactly these scopes are enough', async (_line, operation) => {
    const { method, alternatives, success, existing } = operation;
    // Where none is needed, any key will do.
    for (const given of alternatives.length > 0 ? alternatives : [['read:forms' as const]]) {
      const path = await ids(operation);
      const body =
        method === 'POST' ? await own.body(resource, path[0]) : method === 'PATCH' ? {} : undefined;
      const answer = await ask(operation, path, body, await keyWith(given));
      expect(answer.status, JSON.stringify(answer.body)).toBe(success);
      expect(answer.bytes.length).toBeGreaterThan(0);
      if (existing) {
        const known = 'externalId' in answer.body.data ? { externalId: randomUUID() } : {};
        const again = [];
        for (let turn = 0; turn < 2; turn += 1)
          again.push((await ask(operation, path, { ...body, ...known })).status);
        expect(again.at(-1)).toBe(existing);
      }
    }
  });

  test.each(operations.filter(([, { alternatives }]) => alternatives.length > 0))(
    '%s: all other scopes are refused, before anything else is checked',
    async (_line, operation) => {
      const { method, alternatives } = operation;
      // Of alternatives, all must be lacking; of scopes that belong together, each one alone.
      const lacking =
        alternatives.length > 1
          ? [alternatives.flat()]
          : (alternatives[0] ?? []).map((one) => [one]);
      for (const left of lacking) {
        const body = method === 'POST' || method === 'PATCH' ? 'no object' : undefined;
        const answer = await ask(
          { ...operation, query: '?nonsense=1' },
          [],
          body,
          await keyWithout(left),
        );
        expect({ status: answer.status, body: answer.body }).toEqual({
          status: 403,
          body: {
            error: `Missing scope: ${left[0]}`,
            code: 'missing_scope',
            details: { scope: left[0] },
          },
        });
      }
    },
  );

  const edges = Object.entries(stated.values ?? {}).flatMap(([values, fields]) =>
    fields.split(' ').map((field) => ({ field, ...edgesOf(values) })),
  );
  const taking = [
    [post, [...readOnly, ...updateOnly]],
    [patch, [...readOnly, ...createOnly]],
  ] as const;
  const limited = taking.flatMap(([operation, fixed]) => {
    const given = edges.filter(({ field }) => !fixed.includes(field));
    return operation && given.length > 0 ? [{ operation, method: operation.method, given }] : [];
  });
  test.each(limited)(
    '$method: values at every limit are accepted, those beyond are refused',
    async ({ operation, given }) => {
      const path = await ids(operation);
      const valid = operation === post ? await own.body(resource, path[0]) : {};
      const send = async (values: readonly { field: string; value: unknown }[]) => {
        const changed = Object.fromEntries(values.map(({ field, value }) => [field, value]));
        const { status, body } = await ask(operation, path, { ...valid, ...changed });
        expect(status, JSON.stringify(body)).toBeLessThan(500);
        const issues: { path: string }[] = body.details?.issues ?? [];
        return [...new Set(issues.map(({ path: place }) => place.split('.')[0]))].sort();
      };
      for (
        let turn = 0;
        given.some(({ within, beyond }) => Math.max(within.length, beyond.length) > turn);
        turn += 1
      ) {
        const at = (side: 'within' | 'beyond') =>
          given.flatMap(({ field, [side]: values }) =>
            turn < values.length ? [{ field, value: values[turn] }] : [],
          );
        const accepted = at('within').filter(({ field }) => !(`${name}.${field}` in needsMore));
        expect(await send(accepted)).toEqual([]);
        const refused = at('beyond');
        expect(await send(refused)).toEqual(refused.map(({ field }) => field).sort());
      }
    },
  );

  if (post) {
    // A rule may build its record field by field, and forget one.
    test('a POST stores the text of every field that takes any', async () => {
      const path = await ids(post);
      const taking = Object.entries(resource.fields).filter(([, { create, read, schema }]) => {
        return create !== 'never' && read && schema.safeParse('A TEXT').success;
      });
      for (const [field] of taking) {
        if (`${name}.${field}` in needsMore) continue;
        // In capitals, as plates are stored.
        const { status, body } = await ask(post, path, {
          ...(await own.body(resource, path[0])),
          [field]: 'A TEXT',
        });
        expect({ status, [field]: body.data?.[field] }, JSON.stringify(body)).toEqual({
          status: post.success,
          [field]: 'A TEXT',
        });
      }
    });
  }

  const sampleOf = async (of: typeof own, given: object, key = service.key) => {
    const path = await of.ids({ resource, params: post?.params ?? [] });
    const body = { ...(await of.body(resource, path[0])), ...given };
    const answer = await ask(post as StatedOperation, path, body, key);
    return { ...answer, path: `${fill(post?.path ?? '', path)}`, sent: body };
  };
  const sample = (given: object = {}) => sampleOf(own, given);
  /** The id of a record of another team. */
  const foreignId = async (given: object) => {
    const { status, body } = await sampleOf(foreign, given, service.otherKey);
    expect(status, JSON.stringify(body)).toBe(post?.success);
    return body.data.id as string;
  };
  /** Another value than that of a record, which its schema takes. */
  const another = async (field: string, value: unknown): Promise<unknown> => {
    const { schema, references: target } = resource.fields[field] as Field;
    const made = target && (await own.make(named(target))).id;
    const { options = [] } = (schema instanceof z.ZodNullable ? schema.unwrap() : schema) as {
      options?: unknown[];
    };
    const text = `A${++values}`;
    const candidates = [
      made,
      [made],
      ...options,
      text,
      text.toLowerCase(),
      `${text}@example.com`,
      randomUUID(),
      '2080-01-02T03:04:05.000Z',
      values,
      true,
      false,
      ...edges.flatMap((one) => (one.field === field ? one.within.toReversed() : [])),
    ];
    return candidates.find((one) => one !== value && schema.safeParse(one).success);
  };

  if (post) {
    test('a POST of what is required: the rest is null, or as stated', async () => {
      const { body, sent } = await sample();
      const left = Object.entries(resource.fields).filter(
        ([field, { create, read, initialText }]) =>
          read &&
          !(field in sent) &&
          (field in initial || (create !== 'never' && initialText === undefined)),
      );
      const of = (pick: (field: string) => unknown) =>
        Object.fromEntries(left.map(([field]) => [field, pick(field)]));
      expect(of((field) => body.data[field])).toEqual(of((field) => initial[field] ?? null));
      const nulls = left.filter(
        ([, { create, schema }]) => create !== 'never' && schema.safeParse(null).success,
      );
      const asNull = await sample(Object.fromEntries(nulls.map(([field]) => [field, null])));
      expect(
        of((field) => asNull.body.data?.[field]),
        JSON.stringify(asNull.body),
      ).toEqual(of((field) => body.data[field]));
    });

    // Of guests of social events, only one of several fields is given; a known external id is answered with its record.
    const unique = name === 'invites' || name === 'rsvps' || post.existing ? [] : stated.unique;
    test.each(unique ?? [])('unique: %s', async (line) => {
      const [, field = '', within] = /^(\w+)(?: in (?!any)(\w+))?/.exec(line) ?? [];
      const first = await sample({ [field]: 'own-value' });
      const shared = {
        [field]: first.body.data[field],
        ...(within && { [within]: first.body.data[within] }),
      };
      const duplicate = { code: 'duplicate', details: { field, id: first.body.data.id } };
      expect((await sample(shared)).body).toMatchObject(duplicate);
      const { body } = await sample(within ? { [within]: first.body.data[within] } : {});
      if (patch && !createOnly.includes(field))
        expect((await ask(patch, [body.data.id], { [field]: shared[field] })).body).toMatchObject(
          duplicate,
        );
      // The same elsewhere is another one, and in another team too.
      const elsewhere = within && { ...shared, [within]: await another(within, shared[within]) };
      if (elsewhere) expect((await sample(elsewhere)).status).toBe(201);
      const theirs = { ...(await foreign.body(resource)), [field]: shared[field] };
      expect((await ask(post, [], theirs, service.otherKey)).status).toBe(201);
    });
  }

  if (post && patch) {
    test('a PATCH to what it is changes nothing, not even updatedAt', async () => {
      const { body, path } = await sample();
      const same = Object.fromEntries(
        Object.entries(resource.fields)
          .filter(([, { update, read }]) => update && read)
          .map(([field]) => [field, body.data[field]]),
      );
      const answer = await service.call('PATCH', `${path}/${body.data.id}`, same);
      expect(answer.body).toEqual(body);
    });

    test('a PATCH stores and clears', async () => {
      const { body, path } = await sample();
      const at = `${path}/${body.data.id}`;
      for (const [field, { update, read, schema, given, adjusts }] of Object.entries(
        resource.fields,
      )) {
        if (
          !update ||
          !read ||
          given ||
          adjusts ||
          field === resource.transitions?.field ||
          `${name}.${field}` in needsMore
        )
          continue;
        const clears = schema.safeParse(null).success ? [null] : [];
        for (const value of [await another(field, body.data[field]), ...clears]) {
          expect(value, `another value of ${field}`).toBeDefined();
          const answer = await service.call('PATCH', at, { [field]: value });
          expect
            .soft({ field, value: answer.body.data?.[field] }, JSON.stringify(answer.body))
            .toEqual({ field, value });
        }
      }
    });
  }

  if (post && remove) {
    test('what a DELETE removed is gone', async () => {
      const { body, path } = await sample();
      const at = `${path}/${body.data.id}${name === 'locations' ? '?hard=true' : ''}`;
      expect((await service.call('DELETE', at)).body).toEqual({
        data: { id: body.data.id, deleted: true },
      });
      expect((await service.call('DELETE', at)).status).toBe(404);
      expect((await service.call('GET', at.replace('?hard=true', ''))).status).toBe(404);
    });
  }

  const idsAt = async (path: string, query: string) =>
    (await service.call('GET', `${path}?limit=200&${query}`)).body.data.map(
      ({ id }: { id: string }) => id,
    );
  const filters = (stated.filters ?? []).map((line) => {
    const [, filter = '', by = 'equals', compared] =
      /^(\w+)(?:: (from|to|rule)(?: of)?(?: (\w+))?)?/.exec(line) ?? [];
    return { filter, by, field: compared ?? (by === 'rule' ? '' : filter) };
  });
  if (post && filters.length > 0)
    test('filters find the records of the team with the value, and no others', async () => {
      const given: Record<string, unknown> = {};
      for (const { field } of filters) {
        const { create, schema } = { ...resource.fields[field] };
        const isEmpty = [null, []].some((empty) => schema?.safeParse(empty).success);
        if (create === 'optional' && isEmpty && !(`${name}.${field}` in needsMore))
          given[field] = await another(field, null);
      }
      const { body, path } = await sample(given);
      const theirs = await foreignId(
        Object.fromEntries(
          Object.entries(given).filter(([field]) => !resource.fields[field]?.references),
        ),
      );
      // biome-ignore lint/suspicious/noExplicitAny: a value of any field
      const value = (of: any) => [of].flat()[0];
      const find = async (filter: string, of: unknown) => {
        const found = await idsAt(path, `${filter}=${encodeURIComponent(String(of))}`);
        expect(found, filter).not.toContain(theirs);
        return found.includes(body.data.id);
      };
      for (const { filter, by, field } of filters) {
        if (field === '') {
          const found = [await find(filter, true), await find(filter, false)];
          expect(found.sort(), filter).toEqual([false, true]);
          continue;
        }
        const own = value(body.data[field]);
        if (own === null) {
          expect(needsMore).toHaveProperty([`${name}.${field}`]);
          continue;
        }
        // The rules about a text ignore case.
        expect(await find(filter, by === 'rule' ? own.toLowerCase() : own), filter).toBe(true);
        const beside = (by: number) => new Date(Date.parse(own) + by).toISOString();
        const other =
          by === 'from'
            ? beside(1)
            : by === 'to'
              ? beside(-1)
              : value(await another(field, body.data[field]));
        expect(await find(filter, other), filter).toBe(false);
      }
    });

  if (post && stated.search) {
    const searched = stated.search.filter((field) => !(`${name}.${field}` in needsMore));
    test.each(searched)('q searches %s', async (field) => {
      const text = resource.fields[field]?.schema.safeParse('zebra').success
        ? 'zebra'
        : 'zebra@example.com';
      const { body, path } = await sample({ [field]: text });
      const theirs = await foreignId({ [field]: text });
      const found = await idsAt(path, 'q=ZEBRA');
      expect(found).toContain(body.data.id);
      expect(found).not.toContain(theirs);
    });
  }

  const naming404 = taking.flatMap(([operation, fixed]) =>
    Object.entries(references).flatMap(([field, target]) =>
      operation && !fixed.includes(field)
        ? [{ operation, method: operation.method, field, target }]
        : [],
    ),
  );
  test.each(naming404)(
    '$method: $field must name a record of $target of the same team',
    async ({ operation, field, target }) => {
      const path = await ids(operation);
      const valid = operation === post ? await own.body(resource, path[0]) : {};
      const answers: unknown[] = [];
      for (const id of [randomUUID(), (await foreign.make(named(target))).id]) {
        const { body, path: place } = naming(resource, valid, field, id);
        const answer = await ask(operation, path, body);
        expect({ status: answer.status, ...answer.body }).toMatchObject({
          status: 404,
          code: 'not_found',
          details: { field: place },
        });
        answers.push(answer.body);
      }
      // A missing record and another team's can't be told apart.
      expect(answers[1]).toEqual(answers[0]);
    },
  );

  if (status && post && patch) testStatus(name, status, post, patch);
});

function testStatus(
  name: string,
  { first, to, codes = {} }: NonNullable<StatedResource['status']>,
  post: StatedOperation,
  patch: StatedOperation,
): void {
  const resource = named(name);
  const states = Object.keys(to);
  const prepared = preparedFor[name];
  const outcome = ({ status, body }: Answer) =>
    status < 300 ? body.data.status : { code: body.code, details: body.details };

  test('the states that a POST may set', async () => {
    const allowed = first ?? states;
    const answered: Record<string, unknown> = {};
    for (const state of states) {
      const path = await own.ids({ resource, params: post.params });
      const body = {
        ...(await own.body(resource, path[0])),
        ...(await prepared?.body?.()),
        status: state,
      };
      answered[state] = outcome(await ask(post, path, body));
    }
    const expected = (state: string) =>
      allowed.includes(state)
        ? state
        : { code: 'invalid_transition', details: { from: null, to: state, allowed } };
    expect(answered).toEqual(Object.fromEntries(states.map((state) => [state, expected(state)])));
  });

  test.each(Object.entries(to))('from %s', async (from, allowed) => {
    const answered: Record<string, unknown> = {};
    for (const state of states) {
      const path = await own.ids({ resource, params: patch.params });
      await ask(patch, path, (await prepared?.body?.()) ?? {});
      await prepared?.children?.(path);
      await putInto(name, path.at(-1) as string, from);
      answered[state] = outcome(await ask(patch, path, { status: state }));
    }
    const expected = (state: string) => {
      if (state === from || allowed.includes(state)) return state;
      const code = codes[`${from} to ${state}`];
      return code
        ? { code, details: expect.any(Object) }
        : { code: 'invalid_transition', details: { from, to: state, allowed } };
    };
    expect(answered).toEqual(Object.fromEntries(states.map((state) => [state, expected(state)])));
  });
}

/** Behind the back of the service, since some states come from it alone. */
async function putInto(name: string, id: string, status: string): Promise<void> {
  const { write } = service.admin.database;
  await write
    .updateTable(name as 'cars')
    .set({ status: status as 'stored' })
    .where('id', '=', id)
    .execute();
}

/** What a record needs before it may go into some of its states. */
const preparedFor: Readonly<
  Record<
    string,
    { body?: () => Promise<object>; children?: (ids: readonly string[]) => Promise<void> }
  >
> = {
  campaigns: {
    body: async () => ({ scheduledAt: '2090-01-01T00:00:00Z' }),
    async children([id]) {
      for (const [path, body] of [
        ['audiences', { name: 'Everybody' }],
        ['content', { subject: 'Spring', body: 'Spring is here.' }],
      ] as const)
        expect(
          (await service.call('POST', `/marketing/campaigns/${id}/${path}`, body)).status,
        ).toBe(201);
    },
  },
  socialPosts: {
    body: async () => ({
      scheduledAt: '2090-01-01T00:00:00Z',
      socialAccountIds: [(await own.make(named('socialAccounts'))).id],
    }),
  },
};

describe.each(bodyScopes)(
  '$operation with $fields',
  ({ operation, scopes: given, fields, needs }) => {
    const [method = '', path = ''] = operation.split(' ');
    const [name = ''] =
      Object.entries(interfaceTable).find(([, { operations }]) =>
        operations.some((line) => line.startsWith(operation)),
      ) ?? [];
    const resource = named(name);
    const send = async (body: object, key: string) =>
      service.call(method, fill(path, await own.ids({ resource, params: ['id'] })), body, key);

    test.each(fields)(`%s needs ${needs}`, async (field) => {
      const body = { ...(await own.body(resource)), activityType: 'drop_off' };
      const place = (await own.make(named(interfaceTable[name]?.references?.[field] as StoredName)))
        .id;
      const without = await keyWithout([needs]);
      const refused = {
        error: `Missing scope: ${needs}`,
        code: 'missing_scope',
        details: { scope: needs },
      };
      // Refused before the place is looked up, and after the body is checked.
      for (const id of [place, randomUUID()])
        expect((await send({ ...body, [field]: id }, without)).body).toEqual(refused);
      expect((await send({ ...body, [field]: 'no uuid' }, without)).status).toBe(422);
      expect(
        (await send({ ...body, activityType: 'inspection', [field]: null }, without)).status,
      ).toBe(201);
      expect(
        (await send({ ...body, [field]: place }, await keyWith([...given, needs]))).status,
      ).toBe(201);
    });
  },
);
