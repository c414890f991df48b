/** A valid body and a stored record of any resource, derived from the contract, so that tests include new resources. */
import { randomUUID } from 'node:crypto';
import { vi } from 'vitest';
import { z } from 'zod';
import { contract, type ResourceName } from '../../src/contract/contract.ts';
import type { Operation } from '../../src/contract/operations.ts';
import type { Resource } from '../../src/contract/resource.ts';
import { givenSchema } from '../../src/contract/schemas.ts';
import { base64Of, png } from './facility.ts';
import type { TestService } from './service.ts';

// biome-ignore lint/suspicious/noExplicitAny: bodies and records of any resource
type Json = Record<string, any>;

/** Fields that the rules need in addition to the required ones. */
const extras: Partial<
  Record<ResourceName, (of: Samples, parentId: string | undefined) => Promise<Json>>
> = {
  appointments: async () => ({ startAt: '2026-01-02T03:04:05Z', endAt: '2026-01-02T04:04:05Z' }),
  customers: async () => ({ firstName: 'Ada', phone: '1' }),
  forms: async () => ({
    status: 'published',
    fields: [{ key: 'note', label: 'Note', type: 'text' }],
  }),
  carEvents: async () => ({ activityType: 'inspection' }),
  carPhotos: async () => ({ base64: base64Of(png(++made)) }),
  assets: async () => ({ base64: base64Of(png(++made)) }),
  socialEvents: async () => ({ status: 'published' }),
  invites: async () => ({ email: `guest${++made}@example.com` }),
  rsvps: async (of, eventId) => ({
    guestName: 'Ada',
    ...(eventId
      ? { rsvpOptionId: (await of.read(`/marketing/social-events/${eventId}/rsvp-options`))[0].id }
      : {}),
  }),
  campaignSteps: async () => ({ subject: 'Spring', body: 'Spring is here.' }),
  parkingAssignments: async (of) => ({ parkingSpotId: (await of.make(contract.parkingSpots)).id }),
};

/** Resources without a create operation that other resources create. */
const comesWith: Partial<Record<ResourceName, ResourceName>> = { eventSessions: 'carEvents' };

// biome-ignore lint/suspicious/noExplicitAny: the record or records at the path
type Ask = (method: string, path: string, body?: Json) => Promise<any>;

/** Resources that the service itself creates below a parent, and the action that causes it. */
const broughtBy: Partial<Record<ResourceName, (ask: Ask, parentId: string) => Promise<void>>> = {
  campaignSends: async (ask, id) => {
    const path = `/marketing/campaigns/${id}`;
    const customer = await ask('POST', '/customers', { email: 'ada@example.com' });
    await ask('POST', `${path}/audiences`, { name: 'Ada', filter: { customerIds: [customer.id] } });
    await ask('POST', `${path}/content`, { subject: 'Spring', body: 'Spring is here.' });
    await ask('PATCH', path, { status: 'sending' });
    await vi.waitFor(
      async () => {
        if ((await ask('GET', `${path}/sends`)).length === 0) throw new Error('no sends yet');
      },
      { timeout: 30_000 },
    );
  },
};

let made = 0;

export interface Samples {
  /** A body that creates a record, with existing references; matching this parent, if any. */
  body(resource: Resource, parentId?: string): Promise<Json>;
  /** The answer at a path. */
  read(path: string): Promise<Json>;
  /** A stored record of this team; a new one if the resource has a create operation. */
  make(resource: Resource): Promise<Json>;
  /** The ids in an operation's path, outermost first. */
  ids(operation: Pick<Operation, 'resource' | 'params'>): Promise<string[]>;
}

/** Samples for the team of `key`. */
export function samplesOf(service: TestService, key: string): Samples {
  const ask: Ask = async (method, path, body) => {
    const answer = await service.call(method, path, body, key);
    if (answer.status >= 300)
      throw new Error(
        `${method} ${path}: ${JSON.stringify(answer.body)}; should test/helpers/samples.ts give more?`,
      );
    return answer.body.data;
  };
  const parentOf = async (resource: Resource): Promise<string[]> =>
    resource.parent ? [(await of.make(named(resource.parent.resource))).id] : [];
  const known = new Map<string, string[]>();

  const of: Samples = {
    read: (path) => ask('GET', path),
    async body(resource, parentId) {
      const body: Json = {};
      for (const [name, field] of Object.entries(resource.fields)) {
        if (field.create !== 'required') continue;
        body[name] = field.references
          ? (await of.make(named(field.references))).id
          : example(givenSchema(field), name);
      }
      return { ...body, ...(await extras[resource.name as ResourceName]?.(of, parentId)) };
    },
    async make(resource) {
      const parent = await parentOf(resource);
      const path = fill(resource.path, parent);
      if (resource.operations.create) {
        const record = await ask('POST', path, await of.body(resource, parent[0]));
        known.set(record.id, [...parent, record.id]);
        return record;
      }
      const source = comesWith[resource.name as ResourceName];
      if (source) await of.make(contract[source]);
      if (parent[0]) await broughtBy[resource.name as ResourceName]?.(ask, parent[0]);
      const [first] = await ask('GET', `${path}?limit=1`);
      if (!first)
        throw new Error(
          `There are no ${resource.plural}; say in test/helpers/samples.ts what they come with`,
        );
      known.set(first.id, [...parent, first.id]);
      return first;
    },
    async ids({ resource, params }) {
      if (params.length === 0) return [];
      if (params.at(-1) !== resource.param || (resource.parent && params.length === 1))
        return parentOf(resource);
      return known.get((await of.make(resource)).id) as string[];
    },
  };
  return of;
}

export const named = (name: string): Resource => contract[name as ResourceName];

/** A body with a reference to a record in a field (named as by `referencesOf`, possibly in a list), and the path of that field in an answer. */
export function naming(
  resource: Resource,
  body: Json,
  field: string,
  id: string,
): { body: Json; path: string } {
  const [outer = field, inner] = field.split('.');
  const schema = resource.fields[outer]?.schema;
  for (const [value, path] of [
    [id, field],
    [[id], `${field}.0`],
  ] as const) {
    const given = inner ? { [inner]: value } : value;
    if (schema?.safeParse(given).success) return { body: { ...body, [outer]: given }, path };
  }
  throw new Error(`${field} of a ${resource.singular} takes neither an id nor a list of ids`);
}

/** The required query of an operation, with `?`, or empty. */
export function queryOf({ verb, resource }: Operation): string {
  const needed = Object.entries((verb === 'list' && resource.filters) || {}).filter(
    ([, filter]) => filter.required,
  );
  const given = needed.map(([name, { schema }]): [string, string] => [
    name,
    String(example(schema, name)),
  ]);
  return given.length > 0 ? `?${new URLSearchParams(given)}` : '';
}

/** Replaces the parameters of a path with ids. */
export function fill(path: string, ids: readonly string[]): string {
  const rest = [...ids];
  return path.replace(/\{\w+\}/g, () => rest.shift() ?? randomUUID());
}

/** A valid value for a schema; each text is different. */
export function example(schema: z.ZodType, name: string): unknown {
  const candidates = [
    `${name} ${++made}`,
    `${name.toLowerCase()}_${made}`,
    2000,
    1,
    true,
    '2026-01-02T03:04:05Z',
    `someone${made}@example.com`,
    [],
    {},
  ];
  const accepted = candidates.find((candidate) => schema.safeParse(candidate).success);
  if (accepted !== undefined) return accepted;
  if (schema instanceof z.ZodEnum) return schema.options[0];
  throw new Error(`No example for the field ${name}; add one to test/helpers/samples.ts`);
}
