/** A valid body and a stored record of any resource, read off the contract, so that a new resource is covered by being in it. */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { contract, type ResourceName } from '../../src/contract/contract.ts';
import type { Operation } from '../../src/contract/operations.ts';
import type { Resource } from '../../src/contract/resource.ts';
import { base64Of, png } from './facility.ts';
import type { TestService } from './service.ts';

// biome-ignore lint/suspicious/noExplicitAny: bodies and records of whatever resource it is
type Json = Record<string, any>;

/** What a rule asks for beyond the required fields. */
const extras: Partial<Record<ResourceName, (of: Samples) => Promise<Json>>> = {
  customers: async () => ({ firstName: 'Ada' }),
  carEvents: async () => ({ activityType: 'inspection' }),
  carPhotos: async () => ({ base64: base64Of(png(++made)) }),
  parkingAssignments: async (of) => ({ parkingSpotId: (await of.make(contract.parkingSpots)).id }),
};

/** Resources that nobody can create, but that come with another. */
const comesWith: Partial<Record<ResourceName, ResourceName>> = { eventSessions: 'carEvents' };

let made = 0;

export interface Samples {
  /** A body that creates a record, its references made. */
  body(resource: Resource): Promise<Json>;
  /** A stored record of this team; a new one where records can be made. */
  make(resource: Resource): Promise<Json>;
  /** The ids for an operation's path, outermost first. */
  ids(operation: Operation): Promise<string[]>;
}

/** Samples of the team that `key` belongs to. */
export function samplesOf(service: TestService, key: string): Samples {
  const ask = async (method: string, path: string, body?: Json) => {
    const answer = await service.call(method, path, body, key);
    if (answer.status >= 300)
      throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}; should test/helpers/samples.ts give more?`);
    return answer.body.data;
  };
  const parentOf = async (resource: Resource): Promise<string[]> =>
    resource.parent ? [(await of.make(named(resource.parent.resource))).id] : [];
  const known = new Map<string, string[]>();

  const of: Samples = {
    async body(resource) {
      const body: Json = {};
      for (const [name, field] of Object.entries(resource.fields)) {
        if (field.create !== 'required') continue;
        body[name] = field.references ? (await of.make(named(field.references))).id : example(field.schema, name);
      }
      return { ...body, ...(await extras[resource.name as ResourceName]?.(of)) };
    },
    async make(resource) {
      const parent = await parentOf(resource);
      const path = fill(resource.path, parent);
      if (resource.operations.create) {
        const record = await ask('POST', path, await of.body(resource));
        known.set(record.id, [...parent, record.id]);
        return record;
      }
      const source = comesWith[resource.name as ResourceName];
      if (source) await of.make(contract[source]);
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
