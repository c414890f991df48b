/**
 * What people call the records of each resource, and how to find a record by name. By hand, where
 * the default doesn't fit.
 */
import { contract, type ResourceName } from '../../contract/contract.ts';
import type { Resource } from '../../contract/resource.ts';
import { carName } from '../../facility/car-names.ts';
import { customerName } from '../../facility/customer-name.ts';
import { searchesFor } from '../input/matching.ts';
import { localTime } from '../input/when.ts';
import type { Row } from '../output/view.ts';
import { kebab, stateWords } from '../terminal/text.ts';

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
  /** Fields that work without the server remembers beside the names. */
  readonly kept?: readonly string[];
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
const over: ReadonlySet<unknown> = new Set(['completed', 'cancelled', 'declined', 'no_show']);

const ownRules: Partial<Record<ResourceName, LabelRule>> = {
  cars: {
    one: 'car',
    label: (row) => row.licensePlate ?? row.nickname ?? row.vin ?? carName(row),
    names: (row) => [row.licensePlate, row.vin, row.nickname],
    typedInPart: (row) => row.licensePlate,
    searches: (text) => searchesFor(text).map((q) => ({ q })),
    detail: carName,
    past: (row) => row.status === 'archived',
    kept: ['parkingSpotId', 'parkingZoneId'],
    list: 'cs cars list',
  },
  carEvents: {
    one: 'car event',
    label: (row) => joined(localTime(row.occurredAt), stateWords(row.activityType)),
    names: (row) => [
      row.activityType,
      stateWords(row.activityType),
      row.occurredAt,
      localTime(row.occurredAt),
    ],
    detail: (row) => firstLine(row.notes),
    list: 'cs cars events list',
  },
  carPhotos: {
    one: 'photo',
    label: (row) => row.filename,
    names: (row) => [row.filename],
    list: 'cs cars photos list',
  },
  customers: {
    one: 'customer',
    label: customerName,
    names: (row) => [shownName(row), row.companyName, row.email, row.externalId],
    searches: byWords,
    detail: (row) =>
      [row.companyName, row.email, row.phone]
        .filter((part) => part && part !== customerName(row))
        .join(' · '),
    list: 'cs customers list',
  },
  contacts: {
    one: 'contact',
    label: (row) => personName(row) || row.email,
    names: (row) => [shownName(row), row.email],
    searches: byWords,
    detail: (row) => joined(stateWords(row.role), row.email),
    list: 'cs contacts list',
  },
  parkingZones: {
    one: 'zone',
    label: (row) => row.name,
    names: (row) => [row.name],
    within: { locationId: 'locations' },
    byName: true,
    list: 'cs parking zones list',
  },
  parkingSpots: {
    one: 'spot',
    label: (row) => row.name,
    names: (row) => [row.name],
    within: { zoneId: 'parkingZones', locationId: 'locations' },
    byName: true,
    list: 'cs parking spots list',
  },
  parkingAssignments: {
    one: 'parking assignment',
    label: (row) => localTime(row.startedAt),
    names: () => [],
    through: { resource: 'cars', filter: 'carId', query: { active: true } },
    detail: (row) => (row.endedAt ? `until ${localTime(row.endedAt)}` : ''),
    list: 'cs parking assignments list --active',
  },
  eventTypes: {
    one: 'event type',
    label: (row) => row.name ?? row.value,
    names: (row) => [row.value, row.name],
    list: 'cs event-types list',
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
    one: 'appointment',
    label: (row) => joined(localTime(row.startAt), row.title),
    names: (row) => [row.title],
    through: { resource: 'cars', filter: 'carId' },
    detail: (row) => stateWords(row.status),
    past: (row) => over.has(row.status),
    list: 'cs appointments list',
  },
  threads: {
    one: 'thread',
    label: (row) => row.subject ?? `${row.channel} of ${localTime(row.createdAt)}`,
    names: (row) => [row.subject],
    detail: (row) => joined(row.channel, row.status),
    past: (row) => row.status === 'resolved',
    list: 'cs threads list',
  },
  messages: {
    one: 'message',
    label: (row) => firstLine(row.body),
    names: (row) => [row.externalId],
    list: 'cs threads messages list',
  },
  campaigns: {
    one: 'campaign',
    label: (row) => row.name,
    names: (row) => [row.name],
    searches: byWords,
    detail: (row) => joined(row.channel, row.status),
    past: (row) => row.status === 'cancelled',
    list: 'cs campaigns list',
  },
  campaignAudiences: {
    one: 'audience',
    label: (row) => row.name,
    names: (row) => [row.name],
    list: 'cs campaigns audiences list',
  },
  campaignSteps: {
    one: 'content step',
    label: (row) => row.subject ?? firstLine(row.body),
    names: (row) => [String(row.position), row.subject],
    list: 'cs campaigns content list',
  },
  campaignSends: {
    one: 'send',
    label: (row) => row.recipient,
    names: (row) => [row.recipient],
    list: 'cs campaigns sends list',
  },
  templates: {
    one: 'template',
    label: (row) => row.name,
    names: (row) => [row.name],
    searches: byWords,
    detail: (row) => joined(row.channel, row.subject),
    list: 'cs templates list',
  },
  socialEvents: {
    one: 'social event',
    label: (row) => row.title,
    names: (row) => [row.title],
    searches: byWords,
    detail: (row) => joined(localTime(row.startAt), row.status),
    past: (row) => row.status === 'cancelled',
    list: 'cs social-events list',
  },
  rsvpOptions: {
    one: 'RSVP option',
    label: (row) => row.label,
    names: (row) => [row.label, row.kind],
    list: 'cs social-events options list',
  },
  invites: {
    one: 'invite',
    label: (row) => row.email ?? row.phone ?? row.id,
    names: (row) => [row.email, row.phone],
    detail: (row) => row.status,
    past: (row) => row.status === 'cancelled',
    list: 'cs social-events invites list',
  },
  rsvps: {
    one: 'RSVP',
    label: (row) => row.guestName ?? row.email ?? row.id,
    names: (row) => [row.guestName, row.email],
    searches: byWords,
    list: 'cs social-events rsvps list',
  },
  forms: {
    one: 'form',
    label: (row) => row.name,
    names: (row) => [row.name, row.slug],
    detail: (row) => joined(row.slug, row.status),
    list: 'cs forms list',
  },
  formSubmissions: {
    one: 'submission',
    label: (row) => localTime(row.submittedAt),
    names: (row) => [row.externalId],
    list: 'cs forms submissions list',
  },
  assets: {
    one: 'asset',
    label: (row) => row.filename,
    names: (row) => [row.filename],
    searches: byWords,
    detail: (row) => row.contentType,
    list: 'cs assets list',
  },
  socialAccounts: {
    one: 'social account',
    label: (row) => row.displayName,
    names: (row) => [row.displayName, row.handle, row.externalId],
    detail: (row) => joined(row.platform, row.handle),
    list: 'cs social-accounts list',
  },
  socialPosts: {
    one: 'social post',
    label: (row) => firstLine(row.body),
    names: () => [],
    list: 'cs social-posts list',
  },
};

/**
 * For a resource with a name: the label is the name, and the list is where derived commands are.
 */
function defaultRule({ name, singular, fields, filters }: Resource): LabelRule | undefined {
  if (!fields.name) return undefined;
  return {
    one: singular,
    label: (row) => row.name,
    names: (row) => [row.name],
    searches: filters?.q && byWords,
    list: `cs ${kebab(name)} list`,
  };
}

/** How people call the records of a resource; undefined where those have no names. */
export function labelRuleOf(name: string): LabelRule | undefined {
  const resource = (contract as Readonly<Record<string, Resource>>)[name];
  return ownRules[name as ResourceName] ?? (resource && defaultRule(resource));
}
