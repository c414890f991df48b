/** A valid body and a stored record of any resource, read off the contract, so that a new resource is covered by being in it. */
import { randomUUID } from 'node:crypto';
import { vi } from 'vitest';
import { z } from 'zod';
import { contract, type ResourceName } from '../../src/contract/contract.ts';
import type { Operation } from '../../src/contract/operations.ts';
import type { Resource } from '../../src/contract/resource.ts';
import { givenSchema } from '../../src/contract/schemas.ts';
import { base64Of, png } from './facility.ts';
import type { TestService } from './service.ts';

// biome-ignore lint/suspicious/noExplicitAny: bodies and records of whatever resource it is
type Json = Record<string, any>;

/** What a rule asks for beyond the required fields. */
const extras: Partial<Record<ResourceName, (of: Samples, parentId: string | undefined) => Promise<Json>>> = {
  appointments: async () => ({ startAt: '2026-01-02T03:04:05Z', endAt: '2026-01-02T04:04:05Z' }),
  customers: async () => ({ firstName: 'Ada' }),
  forms: async () => ({ status: 'published', fields: [{ key: 'note', label: 'Note', type: 'text' }] }),
  carEvents: async () => ({ activityType: 'inspection' }),
  carPhotos: async () => ({ base64: base64Of(png(++made)) }),
  assets: async () => ({ base64: base64Of(png(++made)) }),
  socialEvents: async () => ({ status: 'published' }),
  invites: async () => ({ email: `guest${++made}@example.com` }),
  rsvps: async (of, eventId) => ({
    guestName: 'Ada',
    ...(eventId ? { rsvpOptionId: (await of.read(`/marketing/social-events/${eventId}/rsvp-options`))[0].id } : {}),
  }),
  campaignSteps: async () => ({ subject: 'Spring', body: 'Spring is here.' }),
  parkingAssignments: async (of) => ({ parkingSpotId: (await of.make(contract.parkingSpots)).id }),
};

/** Resources that nobody can create, but that come with another. */
const comesWith: Partial<Record<ResourceName, ResourceName>> = { eventSessions: 'carEvents' };

// biome-ignore lint/suspicious/noExplicitAny: a record of whatever the path names, or several
type Ask = (method: string, path: string, body?: Json) => Promise<any>;

/** Resources that the service makes below a parent: what has it do so. */
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
  /** A body that creates a record, its references made; below this parent where it must fit to it. */
  body(resource: Resource, parentId?: string): Promise<Json>;
  /** What the interface answers at a path. */
  read(path: string): Promise<Json>;
  /** A stored record of this team; a new one where records can be made. */
  make(resource: Resource): Promise<Json>;
  /** The ids for an operation's path, outermost first. */
  ids(operation: Pick<Operation, 'resource' | 'params'>): Promise<string[]>;
}

/** Samples of the team that `key` belongs to. */
export function samplesOf(service: TestService, key: string): Samples {
  const ask: Ask = async (method, path, body) => {
    const answer = await service.call(method, path, body, key);
    if (answer.status >= 300)
      throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}; should test/helpers/samples.ts give more?`);
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
        body[name] = field.references ? (await of.make(named(field.references))).id : example(givenSchema(field), name);
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
      if (!first) throw new Error(`There are no ${resource.plural}; say in test/helpers/samples.ts what they come with`);
      known.set(first.id, [...parent, first.id]);
      return first;
    },
    async ids({ resource, params }) {
      if (params.length === 0) return [];
      if (params.at(-1) !== resource.param || (resource.parent && params.length === 1)) return parentOf(resource);
      return known.get((await of.make(resource)).id) as string[];
    },
  };
  return of;
}

export const named = (name: string): Resource => contract[name as ResourceName];

/** A body that names a record in a field (as `referencesOf` calls it, perhaps in a list), and the path by which an answer calls that place. */
export function naming(resource: Resource, body: Json, field: string, id: string): { body: Json; path: string } {
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

/** The query that an operation cannot do without, with `?` or empty. */
export function queryOf({ verb, resource }: Operation): string {
  const needed = Object.entries((verb === 'list' && resource.filters) || {}).filter(([, filter]) => filter.required);
  const given = needed.map(([name, { schema }]): [string, string] => [name, String(example(schema, name))]);
  return given.length > 0 ? `?${new URLSearchParams(given)}` : '';
}

/** Puts ids in the place of a path's parameters. */
export function fill(path: string, ids: readonly string[]): string {
  const rest = [...ids];
  return path.replace(/\{\w+\}/g, () => rest.shift() ?? randomUUID());
}

/** A value that a schema accepts; another one each time where it is a text. */
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
