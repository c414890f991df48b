/** What makes a server equal to a file. Records are found by their names, since ids differ between servers. */
import { isDeepStrictEqual } from 'node:util';
import type { Client } from '../../../client/client.ts';
import { IdMap } from '../../../client/ids.ts';
import { check } from '../../../contract/check.ts';
import { contract } from '../../../contract/contract.ts';
import type { Field, Resource } from '../../../contract/resource.ts';
import { CliError } from '../../errors/exit.ts';
import { missingFieldError } from '../../errors/missing-path.ts';
import { fold } from '../../input/matching.ts';
import type { Row } from '../../output/view.ts';
import { gather, methodsOf } from '../../resources/methods.ts';

/** The sections of a file, with what they hold: first what others belong to. */
export const sections = {
  locations: ['locations', 'parkingZones', 'parkingSpots'],
  templates: ['templates'],
  forms: ['forms'],
} as const;
export type Section = keyof typeof sections;
export const sectionNames = Object.keys(sections) as Section[];
export const kinds = Object.values(sections).flat();
export type Kind = (typeof kinds)[number];

export interface Item {
  readonly resource: Kind;
  /** Equal for the same record in a file and on a server. */
  readonly key: string;
  /** `Harbour / A1` */
  readonly title: string;
  readonly fields: Row;
  readonly location?: Item | undefined;
  readonly zone?: Item | undefined;
  /** On a server. */
  readonly record?: Row;
}

/** A record's own fields: its place in the file says where it belongs, and that it is active. */
export const ownFields = (resource: Kind): [name: string, Field][] =>
  Object.entries((contract[resource] as Resource).fields).filter(
    ([name, { create, read, references }]) =>
      create !== 'never' && read && !references && name !== 'isActive',
  );

export function itemOf(
  resource: Kind,
  given: Row,
  { location, zone }: Pick<Item, 'location' | 'zone'>,
): Item {
  const fields = Object.fromEntries(
    ownFields(resource).flatMap(([name, { schema }]) => {
      if (given[name] === undefined) return [];
      // As our service would store it.
      const checked = check(schema, given[name]);
      return [[name, 'value' in checked ? checked.value : given[name]]];
    }),
  );
  const { name, channel } = fields;
  const own = resource === 'locations' ? fold(String(name)) : [name, channel];
  const named = channel === undefined ? `${name}` : `${name} (${channel})`;
  const title = location ? `${location.title} / ${name}` : named;
  const key = JSON.stringify([resource, location?.key, own]);
  return { resource, key, title, fields, location, zone };
}

export async function readItems(client: Client, wanted: ReadonlySet<Section>): Promise<Item[]> {
  const byId = new IdMap<Item>();
  for (const resource of sectionNames.flatMap((name) => (wanted.has(name) ? sections[name] : [])))
    for (const record of await gather(methodsOf(client, resource).all())) {
      const zone = byId.get(record.zoneId);
      const location = byId.get(record.locationId) ?? zone?.location;
      const isPlaced = location || !resource.startsWith('parking');
      if (typeof record.name !== 'string' || !isPlaced)
        throw incomparable(resource, 'name and place');
      byId.set(record.id, { ...itemOf(resource, record, { location, zone }), record });
    }
  return [...byId.values()];
}

const incomparable = (resource: Kind, what: string) =>
  missingFieldError(
    `${what} of all ${contract[resource].plural}`,
    "they can't be compared with a file",
    'leave the field or the section out; `cs doctor` shows what this server lacks',
  );

/** Exit 14 for records that a file can't tell apart. */
export function byKey(items: readonly Item[]): Map<string, Item> {
  const found = new Map(items.map((item) => [item.key, item]));
  const first = items.find((item) => found.get(item.key) !== item);
  if (!first) return found;
  const { title, resource } = first;
  const both = [first, found.get(first.key)].map((item) => item?.record?.id).join(' and ');
  throw new CliError({
    code: 'ambiguous_name',
    message: `Two ${contract[resource].plural} are called ${title}: ${both}. A file finds them by name.`,
    hint: 'rename one of them, or leave the section out',
  });
}

const inactive = { isActive: false };
/** What a removed record is; others are deleted. */
const removed: Partial<Record<Kind, Row>> = {
  locations: inactive,
  parkingZones: inactive,
  parkingSpots: inactive,
  forms: { status: 'closed' },
};
export const isRemoved = ({ resource, record }: Item): boolean => {
  const [[field, value] = []] = Object.entries(removed[resource] ?? {});
  return field !== undefined && record?.[field] === value;
};

/** As `cs schema` describes it. */
export interface Change {
  readonly change: 'create' | 'update' | 'remove';
  readonly resource: Kind;
  readonly name: string;
  readonly id: string | null;
  readonly fields: Readonly<Record<string, { readonly from: unknown; readonly to: unknown }>>;
}
export interface Step extends Change {
  readonly item: Item;
}

/** In an order that works. `extra`: the removals of what the file lacks, a spot before its zone. */
export function compare(wanted: readonly Item[], stored: readonly Item[]) {
  const [known, named] = [byKey(stored), byKey(wanted)];
  const stepOf = (change: Change['change'], item: Item, fields: Change['fields']): Step => ({
    change,
    resource: item.resource,
    name: item.title,
    id: known.get(item.key)?.record?.id ?? null,
    fields,
    item,
  });
  const steps = wanted.flatMap((item) => {
    const before = known.get(item.key);
    const fields = changesOf(item, before);
    if (before && Object.keys(fields).length === 0) return [];
    return [stepOf(before ? 'update' : 'create', item, fields)];
  });
  const extra = stored.filter(
    (item) =>
      !named.has(item.key) && !isRemoved(item) && (!item.location || named.has(item.location.key)),
  );
  return { steps, extra: extra.toReversed().map((item) => stepOf('remove', item, {})) };
}

function changesOf({ resource, fields, zone }: Item, before?: Item): Change['fields'] {
  const changes: Record<string, Change['fields'][string]> = {};
  for (const [name, { initial = null }] of ownFields(resource)) {
    const [from, to] = [before ? before.fields[name] : null, fields[name]];
    if (to === undefined || isDeepStrictEqual(from, to)) continue;
    if (from === undefined && !isDeepStrictEqual(to, initial)) throw incomparable(resource, name);
    if (from !== undefined) changes[name] = { from, to };
  }
  if (before?.record?.isActive === false) changes.isActive = { from: false, to: true };
  if (before?.zone?.key !== zone?.key)
    if (resource === 'parkingSpots')
      changes.zone = { from: before?.zone?.fields.name ?? null, to: zone?.fields.name ?? null };
  return changes;
}

/** `ids`: of the records by their keys, to which it adds. */
export async function store(
  client: Client,
  { change, item, id, fields }: Step,
  ids: Map<string, string>,
): Promise<string> {
  const methods = methodsOf(client, item.resource);
  const idOf = (one: Item): string => {
    const known = ids.get(one.key);
    if (known !== undefined) return known;
    throw new CliError({ code: 'not_tried', message: `${one.title} wasn't stored.` });
  };
  const body: Row = Object.fromEntries(Object.entries(fields).map(([name, { to }]) => [name, to]));
  if ('zone' in body) body.zoneId = item.zone ? idOf(item.zone) : null;
  delete body.zone;
  if (id === null) {
    if (item.location) body.locationId = idOf(item.location);
    const record = await methods.create(body);
    ids.set(item.key, record.id);
    return record.id;
  }
  if (change === 'update') await methods.update(id, body);
  else if (removed[item.resource]) await methods.update(id, removed[item.resource]);
  else await methods.delete(id);
  return id;
}
