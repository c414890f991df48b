/** What the page reads and writes about the team itself, below `api/v1/team`. */
import type {
  DashboardCreate,
  DashboardRecord,
  DashboardUpdate,
} from '../contract/dashboard/dashboard.ts';
import { call } from './call.ts';
import { type Query, readAllAt, searchOf } from './read.ts';

export type ApiKey = DashboardRecord<'keys'>;
/** With the whole key, in the first answer alone. */
export type NewKey = DashboardRecord<'keys'>;
export type Integration = DashboardRecord<'integration'>;
export type Admin = DashboardRecord<'admins'>;
export type Screen = DashboardRecord<'screens'>;
type PhoneLink = DashboardRecord<'phoneLinks'>;
export type BrowserSession = DashboardRecord<'sessions'>;
export type AuditEntry = DashboardRecord<'audit'>;
export type Usage = DashboardRecord<'usage'>;
export type UsageRow = Usage['rows'][number];
export type Occupancy = DashboardRecord<'occupancy'>;
export type OccupancyRow = Occupancy['rows'][number];
type Cover = DashboardRecord<'covers'>;

/** In the answer that makes it. */
export interface Link {
  readonly link: string;
  readonly linkEndsAt: string;
}

export interface Range {
  readonly from: string;
  readonly to?: string;
  readonly step: 'hour' | 'day' | 'week';
}

/** Who did something, without the kind of account: `admin:boss@garage.example` as the address. */
export const actorText = (actor: string): string => actor.replace(/^(admin|screen):/, '');

export interface TeamLists {
  readonly keys: ApiKey;
  readonly admins: Admin;
  readonly screens: Screen;
  readonly sessions: BrowserSession;
  readonly audit: AuditEntry;
  readonly covers: Cover;
  readonly 'phone-links': PhoneLink;
}

const at = (path: string) => `api/v1/team/${path}`;
const dataOf = async <T>(answer: Promise<{ data: T }>) => (await answer).data;

export const team = {
  all: <N extends keyof TeamLists>(name: N, query: Query = {}, signal?: AbortSignal) =>
    readAllAt<TeamLists[N]>(`team/${name}`, query, signal),
  usage: (range: Range & { readonly keyId?: string }, signal?: AbortSignal) =>
    dataOf(call<{ data: Usage }>('GET', at(`usage${searchOf({ ...range })}`), { signal })),
  occupancy: (range: Range & { readonly locationId?: string | undefined }, signal?: AbortSignal) =>
    dataOf(call<{ data: Occupancy }>('GET', at(`occupancy${searchOf({ ...range })}`), { signal })),
  createKey: (body: DashboardCreate<'keys'>, idempotencyKey: string) =>
    dataOf(call<{ data: NewKey }>('POST', at('keys'), { body, idempotencyKey })),
  updateKey: (id: string, body: DashboardUpdate<'keys'>) =>
    dataOf(call<{ data: ApiKey }>('PATCH', at(`keys/${id}`), { body })),
  integration: (signal?: AbortSignal) =>
    dataOf(call<{ data: Integration }>('GET', at('integration'), { signal })),
  updateIntegration: (body: DashboardUpdate<'integration'>) =>
    dataOf(call<{ data: Integration }>('PATCH', at('integration'), { body })),
  add: <N extends keyof TeamLists>(list: N, body: object, idempotencyKey: string) =>
    dataOf(call<{ data: TeamLists[N] & Link }>('POST', at(list), { body, idempotencyKey })),
  keepPhone: (id: string) => call<unknown>('GET', at(`phone-links/${id}`)),
  newLink: (list: string, id: string) =>
    dataOf(call<{ data: Link }>('POST', at(`${list}/${id}/links`))),
  remove: (list: keyof TeamLists, id: string) => call<unknown>('DELETE', at(`${list}/${id}`)),
};
