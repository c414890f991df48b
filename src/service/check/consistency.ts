/**
 * Values that records copy from others, for lists and filters, and that must agree with them. Each query finds wrong records, in
 * SQL that all databases understand.
 */
import { contract } from '../../contract/contract.ts';
import type { Resource } from '../../contract/resource.ts';
import type { SearchedTable } from '../database/search-index.ts';
import {
  column,
  keyLines,
  keysOf,
  quoted,
  searchedTables,
  textOf,
} from '../database/search-index.ts';
import { entriesOf } from '../database/sqlite/search.ts';

export interface Question {
  /** One wrong record, and several, in words. */
  readonly one: string;
  readonly many: string;
  readonly table: string;
  /** Selects the `id` of wrong records; or of all records, with `shown`, an object, and a column for each of its counts. */
  readonly sql: string;
}

/** The open assignment of car `c`. */
const openOfCar = `from "parkingAssignments" a where a."teamId" = c."teamId" and a."carId" = c.id and a."endedAt" is null`;
const count = (table: string, alias: string, field: string, more = '') =>
  `(select count(*) from "${table}" x where x."teamId" = ${alias}."teamId" and x."${field}" = ${alias}.id${more})`;
const named = (name: string, what: string) => `${what} as "${name}"`;

/** Tables of the stored resources. */
const tables = Object.values<Resource>(contract).flatMap(({ name, singleton, computed }) =>
  singleton || computed ? [] : [name],
);

export const questions: readonly Question[] = [
  {
    one: 'team with a wrong record count',
    many: 'teams with wrong record counts',
    table: 'recordCounts',
    sql: `select t.id from teams t where ${tables
      .map(
        (name) => `(select count(*) from "${name}" x where x."teamId" = t.id)
        <> coalesce((select r."count" from "recordCounts" r where r."teamId" = t.id and r."table" = '${name}'), 0)`,
      )
      .join(' or ')}`,
  },
  {
    one: 'car that shows a place other than its assignment',
    many: 'cars that show places other than their assignments',
    table: 'cars',
    sql: `select c.id from cars c where c."parkingSpotId" is distinct from (select a."parkingSpotId" ${openOfCar})
      or c."parkingZoneId" is distinct from (select a."parkingZoneId" ${openOfCar})
      or (c.status = 'stored') <> exists (select 1 ${openOfCar})`,
  },
  {
    one: 'spot that shows a car other than its assignment',
    many: 'spots that show cars other than their assignments',
    table: 'parkingSpots',
    sql: `select s.id from "parkingSpots" s where s."occupiedByCarId" is distinct from
      (select a."carId" from "parkingAssignments" a where a."teamId" = s."teamId" and a."parkingSpotId" = s.id and a."endedAt" is null)`,
  },
  {
    one: 'zone with a wrong car count',
    many: 'zones with wrong car counts',
    table: 'parkingZones',
    sql: `select z.id from "parkingZones" z where z.occupied <> ${count('parkingAssignments', 'z', 'parkingZoneId', ` and x."endedAt" is null`)}`,
  },
  {
    one: 'session with a wrong photo count',
    many: 'sessions with wrong photo counts',
    table: 'eventSessions',
    sql: `select s.id from "eventSessions" s where s."photoCount" <> ${count('carPhotos', 's', 'sessionId')}`,
  },
  {
    one: 'thread with a wrong message count or time of the last message',
    many: 'threads with wrong message counts or times of the last message',
    table: 'threads',
    sql: `select t.id from threads t where t."messageCount" <> ${count('messages', 't', 'threadId')}
      or (t."messageCount" = 0) <> (t."lastMessageAt" is null)
      or t."lastMessageAt" is not null and not exists
      (select 1 from messages m where m."teamId" = t."teamId" and m."threadId" = t.id and m."createdAt" = t."lastMessageAt")`,
  },
  {
    one: 'form with a wrong submission count',
    many: 'forms with wrong submission counts',
    table: 'forms',
    sql: `select f.id from forms f where f."submissionCount" <> ${count('formSubmissions', 'f', 'formId')}`,
  },
  {
    one: 'social event with wrong guest counts',
    many: 'social events with wrong guest counts',
    table: 'socialEvents',
    sql: `select e.id, e.counts as shown,
      ${named('invited', count('invites', 'e', 'socialEventId', ` and x.status <> 'cancelled'`))},
      ${['going', 'maybe', 'declined'].map((kind) => named(kind, replies('count(*)', kind))).join(', ')},
      ${named('guests', `coalesce(${replies('sum(r."partySize")', 'going')}, 0)`)}
      from "socialEvents" e`,
  },
  {
    one: "campaign with a sender that its team isn't allowed to use",
    many: "campaigns with senders that their teams aren't allowed to use",
    table: 'allowedSenders',
    sql: `select c.id from campaigns c where c.status in ('scheduled', 'sending') and c."fromAddress" is not null and not exists
      (select 1 from "allowedSenders" s where s."teamId" = c."teamId" and (s.address = lower(c."fromAddress")
        or s.address like '@%' and lower(c."fromAddress") like '_%' || s.address))`,
  },
  {
    one: 'campaign with wrong send counts',
    many: 'campaigns with wrong send counts',
    table: 'campaigns',
    sql: `select c.id, c.stats as shown, ${['queued', 'sent', 'delivered', 'failed', 'skipped']
      .map((status) =>
        named(status, count('campaignSends', 'c', 'campaignId', ` and x.status = '${status}'`)),
      )
      .join(', ')} from campaigns c`,
  },
];

function replies(what: string, kind: string): string {
  return `(select ${what} from rsvps r join "rsvpOptions" o on o."teamId" = r."teamId" and o.id = r."rsvpOptionId"
    where r."teamId" = e."teamId" and r."socialEventId" = e.id and o.kind = '${kind}')`;
}

export const searchQuestions = (database: 'sqlite' | 'postgres'): Question[] =>
  searchedTables.flatMap((table) => {
    const { name, singular, plural } = table;
    return (database === 'sqlite' ? inSqlite(table) : inPostgres(table)).map((sql) => ({
      one: `${singular} with a wrong search entry`,
      many: `${plural} with wrong search entries`,
      table: name,
      sql,
    }));
  });

const differs = (table: SearchedTable) =>
  `e."text" is distinct from ${textOf(table, 'r')} or e."keys" is distinct from ${keyLines(table, 'r')}`;

function inSqlite(table: SearchedTable): string[] {
  const { name } = table;
  const scope = `s."teamId" = r."teamId" and s."table" = ${quoted(name)}`;
  const lost = keysOf(table, 'r').map(
    (key) =>
      `${key} is not null and not exists (select 1 from "searchKeys" k where k."scope" = s."scope" and k."key" = ${key} and k."entry" = e."entry")`,
  );
  return [
    `select r."id" from "${name}" r left join "searchScopes" s on ${scope}
      left join "searchEntries" e on e."id" = r."id" and ${entriesOf('+e."entry"', 's."scope"')} where ${[differs(table), ...lost].join(' or ')}`,
    `select e."id" from "searchScopes" s cross join "searchEntries" e on ${entriesOf('e."entry"', 's."scope"')}
      where s."table" = ${quoted(name)} and not exists (select 1 from "${name}" r where r."teamId" = s."teamId" and r."id" = e."id")`,
  ];
}

function inPostgres(table: SearchedTable): string[] {
  const { name } = table;
  const own = (row: string) =>
    `${column(row, 'teamId')} = r."teamId" and ${column(row, 'table')} = ${quoted(name)} and ${column(row, 'id')} = r."id"`;
  const lost = keysOf(table, 'r').map(
    (key) =>
      `${key} is not null and not exists (select 1 from "searchKeys" k where ${own('k')} and k."key" = ${key})`,
  );
  return [
    `select r."id" from "${name}" r left join "searchEntries" e on ${own('e')} where ${[differs(table), ...lost].join(' or ')}`,
    `select e."id" from "searchEntries" e where e."table" = ${quoted(name)}
      and not exists (select 1 from "${name}" r where r."teamId" = e."teamId" and r."id" = e."id")`,
  ];
}
