/**
 * What people call the records of each resource, and how to find a record by name.
 */
import { contract, type ResourceName } from '../../contract/contract.ts';
import type { Resource } from '../../contract/resource.ts';
import { carName } from '../../facility/car-names.ts';
import { customerName } from '../../facility/customer-name.ts';
import { searchesFor } from '../input/matching.ts';
import { localTime } from '../input/when.ts';
import type { Row } from '../output/view.ts';
import type { Candidate } from '../state/names.ts';
import { sanitize, stateWords } from '../terminal/text.ts';

export interface LabelRule {
  /** Singular noun. */
  readonly one: string;
  /** Shown to people in place of the id. */
  readonly label: (row: Row) => string;
  /** Every name of the record; empty values are ignored. */
  readonly names: (row: Row) => unknown[];
  /** The name of which a person may type a part. */
  readonly typedInPart?: (row: Row) => unknown;
  /**
   * Server-side filters for possible matches, tried in order until one matches (default: read the
   * whole list).
   */
  readonly searches?: (text: string) => Record<string, string>[];
  /** Tells records with the same label apart. */
  readonly detail?: (row: Row) => string;
  /**
   * Fields with what tells records with the same label apart on a screen, the nearest first: the
   * zone of a spot, then its location.
   */
  readonly within?: Readonly<Record<string, ResourceName>>;
  /** The record is over: it matches only when no other record does. */
  readonly past?: (row: Row) => boolean;
  /** The record goes by the name of another one, such as an appointment by the plate of its car. */
  readonly through?: {
    readonly resource: ResourceName;
    readonly filter: string;
    readonly query?: Readonly<Record<string, unknown>>;
  };
  /**
   * A person reads its lists by name, B2 before B10; the server's order is that of the last change.
   */
  readonly byName?: true;
  /** The command that lists the records. */
  readonly list: string;
}

export const personName = (row: Row): string =>
  [row.firstName, row.lastName].filter(Boolean).join(' ');
export const firstLine = (text: unknown): string => String(text ?? '').split(/\r?\n/, 1)[0] ?? '';

/** Undefined where the server doesn't show it. */
const shownName = (row: Row): string | undefined =>
  row.firstName === undefined && row.lastName === undefined ? undefined : personName(row);

const byWords = (text: string) => [{ q: text }];
const joined = (...parts: unknown[]): string => parts.filter(Boolean).join(' ');

/** Statuses of an appointment that is over. */
const finalStatuses: ReadonlySet<unknown> = new Set([
  'completed',
  'cancelled',
  'declined',
  'no_show',
]);

/** Where the default doesn't fit: the field `name`, the search `q`, and the words of the path. */
const ownRules: Partial<Record<ResourceName, Partial<LabelRule>>> = {
  cars: {
    label: (row) => row.licensePlate ?? row.nickname ?? row.vin ?? carName(row),
    names: (row) => [row.licensePlate, row.vin, row.nickname],
    typedInPart: (row) => row.licensePlate,
    searches: (text) => searchesFor(text).map((q) => ({ q })),
    detail: carName,
    past: (row) => row.status === 'archived',
  },
  carEvents: {
    label: (row) => joined(localTime(row.occurredAt), stateWords(row.activityType)),
    names: (row) => [
      row.activityType,
      stateWords(row.activityType),
      row.occurredAt,
      localTime(row.occurredAt),
    ],
    detail: (row) => firstLine(row.notes),
  },
  carPhotos: {
    label: (row) => row.filename,
    names: (row) => [row.filename],
  },
  customers: {
    label: customerName,
    names: (row) => [shownName(row), row.companyName, row.email, row.externalId],
    detail: (row) =>
      [row.companyName, row.email, row.phone]
        .filter((part) => part && part !== customerName(row))
        .join(' · '),
  },
  contacts: {
    label: (row) => personName(row) || row.email,
    names: (row) => [shownName(row), row.email],
    detail: (row) => joined(stateWords(row.role), row.email),
  },
  parkingZones: {
    one: 'zone',
    within: { locationId: 'locations' },
    byName: true,
  },
  parkingSpots: {
    one: 'spot',
    within: { zoneId: 'parkingZones', locationId: 'locations' },
    byName: true,
  },
  parkingAssignments: {
    label: (row) => localTime(row.startedAt),
    names: () => [],
    through: { resource: 'cars', filter: 'carId', query: { active: true } },
    detail: (row) => (row.endedAt ? `until ${localTime(row.endedAt)}` : ''),
    list: 'cs parking assignments list --active',
  },
  eventTypes: {
    label: (row) => row.name ?? row.value,
    names: (row) => [row.value, row.name],
  },
  eventSessions: {
    one: 'session',
    label: (row) => localTime(row.startedAt ?? row.createdAt),
    names: () => [],
    through: { resource: 'cars', filter: 'carId' },
    detail: (row) => stateWords(row.status),
    past: (row) => row.status !== 'open',
    list: 'cs sessions list',
  },
  appointments: {
    label: (row) => joined(localTime(row.startAt), row.title),
    names: (row) => [row.title],
    through: { resource: 'cars', filter: 'carId' },
    detail: (row) => stateWords(row.status),
    past: (row) => finalStatuses.has(row.status),
  },
  threads: {
    label: (row) => row.subject ?? `${row.channel} of ${localTime(row.createdAt)}`,
    names: (row) => [row.subject],
    detail: (row) => joined(row.channel, row.status),
    past: (row) => row.status === 'resolved',
  },
  messages: {
    label: (row) => firstLine(row.body),
    names: (row) => [row.externalId],
  },
  campaigns: {
    detail: (row) => joined(row.channel, row.status),
    past: (row) => row.status === 'cancelled',
  },
  campaignSteps: {
    label: (row) => row.subject ?? firstLine(row.body),
    names: (row) => [String(row.position), row.subject],
  },
  campaignSends: {
    label: (row) => row.recipient,
    names: (row) => [row.recipient],
  },
  templates: {
    detail: (row) => joined(row.channel, row.subject),
  },
  socialEvents: {
    label: (row) => row.title,
    names: (row) => [row.title],
    detail: (row) => joined(localTime(row.startAt), row.status),
    past: (row) => row.status === 'cancelled',
  },
  rsvpOptions: {
    label: (row) => row.label,
    names: (row) => [row.label, row.kind],
    list: 'cs social-events options list',
  },
  invites: {
    label: (row) => row.email ?? row.phone ?? row.id,
    names: (row) => [row.email, row.phone],
    detail: (row) => row.status,
    past: (row) => row.status === 'cancelled',
  },
  rsvps: {
    label: (row) => row.guestName ?? row.email ?? row.id,
    names: (row) => [row.guestName, row.email],
  },
  forms: {
    names: (row) => [row.name, row.slug],
    // It doesn't look into the slug.
    searches: undefined,
    detail: (row) => joined(row.slug, row.status),
  },
  formSubmissions: {
    label: (row) => localTime(row.submittedAt),
    names: (row) => [row.externalId],
  },
  assets: {
    label: (row) => row.filename,
    names: (row) => [row.filename],
    detail: (row) => row.contentType,
  },
  socialAccounts: {
    label: (row) => row.displayName,
    names: (row) => [row.displayName, row.handle, row.externalId],
    detail: (row) => joined(row.platform, row.handle),
  },
  socialPosts: {
    label: (row) => firstLine(row.body),
    names: () => [],
  },
};

/** How people call the records of a resource; undefined where those have no names. */
export function labelRuleOf(name: string): LabelRule | undefined {
  const resource = (contract as Readonly<Record<string, Resource>>)[name];
  const own = ownRules[name as ResourceName];
  if (!resource || (!own && !resource.fields.name)) return undefined;
  const { singular, path, filters } = resource;
  const words = path.split('/').filter((part) => !/^(|\{.*|marketing|communications)$/.test(part));
  return {
    one: singular,
    label: (row) => row.name,
    names: (row) => [row.name],
    searches: filters?.q && byWords,
    list: `cs ${words.join(' ')} list`,
    ...own,
  };
}

/**
 * The names of a record, as completion and work without the server suggest them: the first one.
 * Undefined for a record without a name. `where`: of a spot or a zone.
 */
export function candidateOf(rule: LabelRule, row: Row, where = ''): Candidate | undefined {
  const [value, ...also] = rule
    .names(row)
    .filter((name): name is string => typeof name === 'string' && name !== '');
  return value === undefined
    ? undefined
    : { value, about: where || describe(rule, row, value), also, id: row.id };
}

function describe({ detail, label }: LabelRule, row: Row, value: string): string {
  const about = detail?.(row) || label(row);
  return typeof about === 'string' && about !== value ? sanitize(about) : '';
}
