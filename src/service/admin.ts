/**
 * What the owner of the data does outside the API: teams, keys, the team's API switch, event types. Everything goes to the audit
 * log.
 */
import type { RecordFor } from '../contract/contract.ts';
import { email, slug as slugSchema } from '../contract/fields.ts';
import { audit } from './audit.ts';
import { normalizeSender, sendersOf, stopUnallowed } from './campaigns/senders.ts';
import type { Context } from './context.ts';
import type { AllowedSenderRow, ApiKeyRow, TeamRow } from './database/tables.ts';
import { ApiProblem, invalidValue } from './problem.ts';
import { change, findBy, insert, listBy, newId, remove } from './records.ts';
import { eventTypeByValue } from './rules/event-types.ts';
import { isTimezone } from './rules/locations.ts';
import type { Stores } from './stores.ts';
import {
  addKey,
  type CreatedKey,
  endKey,
  keysOf,
  type NewKeyRequest,
  switchIntegration,
} from './team/keys.ts';
import { readName } from './team/names.ts';
import { inTransaction } from './transaction.ts';
import { slugOf } from './values.ts';

export interface Admin extends Stores {
  /** Written to the audit log as the author. */
  readonly actor: string;
}

/** Several match the given name. */
export class AmbiguousName<Row> extends Error {
  readonly candidates: readonly Row[];
  constructor(message: string, candidates: readonly Row[]) {
    super(message);
    this.name = 'AmbiguousName';
    this.candidates = candidates;
  }
}

export type EventType = RecordFor<'eventTypes'>;
export interface NewEventType {
  value: string;
  scope: EventType['scope'];
  name: string;
  description?: string;
  durationMinutes?: number;
  requiresParkingSpot?: boolean;
  releasesParkingSpot?: boolean;
  /** Variants; each gets an id, which an appointment refers to by `optionId`. */
  options?: readonly { name: string; durationMinutes?: number | null }[];
}

/** Event types of a new team (decision). */
const standardEventTypes: readonly NewEventType[] = [
  {
    value: 'drop_off',
    scope: 'vehicle',
    name: 'Drop-off',
    durationMinutes: 30,
    requiresParkingSpot: true,
  },
  {
    value: 'pick_up',
    scope: 'vehicle',
    name: 'Pick-up',
    durationMinutes: 30,
    releasesParkingSpot: true,
  },
  { value: 'interior_cleaning', scope: 'vehicle', name: 'Interior cleaning', durationMinutes: 90 },
  { value: 'inspection', scope: 'vehicle', name: 'Inspection', durationMinutes: 45 },
  { value: 'customer_visit', scope: 'customer', name: 'Customer visit', durationMinutes: 60 },
  { value: 'facility_task', scope: 'facility', name: 'Facility task', durationMinutes: 60 },
];

/** Creates a team with the standard event types. Throws `duplicate` if the slug made from its name is taken. */
export async function createTeam(
  admin: Admin,
  { name: given, timezone = 'UTC' }: { name: string; timezone?: string },
): Promise<TeamRow> {
  const name = readName(given, 'NAME');
  const slug = slugOf(name);
  if (!slug) throw invalidValue('NAME', 'required', 'needs at least one letter or digit');
  if (!isTimezone(timezone))
    throw invalidValue('timezone', 'timezone', `isn't a known time zone: ${timezone}`);
  return admin.database.write.transaction().execute(async (db) => {
    const taken = await db
      .selectFrom('teams')
      .select('name')
      .where('slug', '=', slug)
      .executeTakeFirst();
    if (taken)
      throw new ApiProblem('duplicate', `Team ${taken.name} (${slug}) already exists`, {
        field: 'name',
      });
    const now = new Date().toISOString();
    const { moves } = await db.selectFrom('fileFolder').select('moves').executeTakeFirstOrThrow();
    const team: TeamRow = {
      id: newId(),
      name,
      slug,
      timezone,
      apiEnabled: true,
      quotaBytes: null,
      fileMoves: moves,
      lastStamp: now,
      createdAt: now,
      updatedAt: now,
    };
    await db.insertInto('teams').values(team).execute();
    const context: Context = {
      db,
      team,
      now,
      stamp: now,
      keyName: null,
      columnsOf: admin.database.columnsOf,
      afterCommit: () => undefined,
    };
    for (const type of standardEventTypes) await storeEventType(context, type);
    await audit(context, admin.actor, {
      action: 'team.create',
      subject: team.id,
      details: { name: team.name },
    });
    return team;
  });
}

export async function listTeams({ database }: Admin): Promise<TeamRow[]> {
  return database.read.selectFrom('teams').selectAll().orderBy('slug').execute();
}

/** Limits what the files of a team may take, in bytes; null for the limit of the service. What is stored stays. */
export const setQuota = (admin: Admin, team: string, quotaBytes: number | null): Promise<TeamRow> =>
  inTeam(admin, team, async (context) => {
    const changed = await context.db
      .updateTable('teams')
      .set({ quotaBytes, updatedAt: context.stamp })
      .where('id', '=', context.team.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await audit(context, admin.actor, {
      action: 'team.quota',
      subject: changed.id,
      details: { quotaBytes },
    });
    return changed;
  });

/** Finds a team by slug, id or name. */
export async function findTeam({ database }: Admin, team: string): Promise<TeamRow> {
  const teams = await database.read.selectFrom('teams').selectAll().execute();
  const found =
    teams.find((row) => row.slug === team || row.id === team) ??
    teams.find((row) => row.name.toLowerCase() === team.toLowerCase());
  if (found) return found;
  // Sorted in JavaScript: databases order texts differently.
  const known =
    teams.length > 0
      ? `; existing teams: ${teams
          .map((row) => row.slug)
          .sort()
          .join(', ')}`
      : '; no teams exist yet';
  throw new ApiProblem('not_found', `No team ${team}${known}`, { field: 'team' });
}

/** Creates a key. The whole key is only in this result. */
export async function createKey(
  admin: Admin,
  { team, ...request }: NewKeyRequest & { team: string },
): Promise<CreatedKey> {
  return inTeam(admin, team, (context) => addKey(context, admin.actor, request));
}

export const listKeys = async (admin: Admin, team: string): Promise<ApiKeyRow[]> =>
  keysOf({ db: admin.database.read, team: await findTeam(admin, team) });

/** Revokes a key, by prefix (with or without `csk_`), id or name; a name means a key that isn't revoked yet. Idempotent. */
export async function revokeKey(admin: Admin, key: string, team?: string): Promise<ApiKeyRow> {
  const row = await findKey(admin, key, team);
  return inTeam(admin, row.teamId, (context) => endKey(context, admin.actor, row));
}

async function findKey(admin: Admin, key: string, team: string | undefined): Promise<ApiKeyRow> {
  const prefix = key.replace(/^csk_/, '').split('.', 1)[0] ?? '';
  const rows = team
    ? await listKeys(admin, team)
    : await admin.database.read
        .selectFrom('apiKeys')
        .selectAll()
        .orderBy('createdAt')
        .orderBy('id')
        .execute();
  const exact = rows.filter((row) => row.prefix === prefix || row.id === key);
  const found = exact.length > 0 ? exact : rows.filter((row) => row.name === key);
  const valid = found.filter(({ revokedAt }) => revokedAt === null);
  if (valid.length > 1)
    throw new AmbiguousName(
      `${valid.length} keys are named ${key}: ${valid.map((row) => `csk_${row.prefix}`).join(', ')}`,
      valid,
    );
  const [only] = valid.length > 0 ? valid : found;
  if (!only) throw new ApiProblem('not_found', `No key ${prefix || key}`, { field: 'key' });
  return only;
}

/** Allows campaigns of a team to be sent from an address, or from every address of a domain. Idempotent. */
export async function addSender(
  admin: Admin,
  team: string,
  given: string,
): Promise<AllowedSenderRow> {
  const address = normalizeSender(given);
  if (!isSender(address)) {
    const message = `must be an e-mail address, or a domain such as @garage.example: ${given}`;
    throw invalidValue('address', 'invalid_format', message);
  }
  return inTeam(admin, team, async (context) => {
    const known = (await sendersOf(context)).find((row) => row.address === address);
    if (known) return known;
    const row = await insert(context, 'allowedSenders', { address, createdBy: admin.actor });
    await audit(context, admin.actor, {
      action: 'sender.add',
      subject: row.id,
      details: { address },
    });
    return row;
  });
}

const isSender = (address: string): boolean =>
  email.safeParse(address.startsWith('@') ? `office${address}` : address).success;

export async function listSenders(admin: Admin, team: string): Promise<AllowedSenderRow[]> {
  return sendersOf({ db: admin.database.read, team: await findTeam(admin, team) });
}

/** Also stops campaigns that are being sent from the address. */
export async function removeSender(
  admin: Admin,
  team: string,
  given: string,
): Promise<RemovedSender> {
  const address = normalizeSender(given);
  return inTeam(admin, team, async (context) => {
    const sender = (await sendersOf(context)).find((row) => row.address === address);
    if (!sender)
      throw new ApiProblem(
        'not_found',
        `Team ${context.team.slug} has no allowed sender ${address}`,
        { field: 'address' },
      );
    await remove(context, 'allowedSenders', sender.id);
    await audit(context, admin.actor, {
      action: 'sender.remove',
      subject: sender.id,
      details: { address },
    });
    const stopped = await stopUnallowed(context);
    return { sender, stopped: stopped.map(({ id, name, status }) => ({ id, name, status })) };
  });
}

export interface RemovedSender {
  readonly sender: AllowedSenderRow;
  /** Campaigns that were sent from it, with their new status. */
  readonly stopped: readonly Pick<RecordFor<'campaigns'>, 'id' | 'name' | 'status'>[];
}

/** The team's API switch: while it is off, all keys of the team are refused but kept (specification). */
export const setIntegration = (admin: Admin, team: string, on: boolean): Promise<TeamRow> =>
  inTeam(admin, team, (context) => switchIntegration(context, admin.actor, on));

export async function createEventType(
  admin: Admin,
  team: string,
  given: NewEventType,
): Promise<EventType> {
  const options = given.options?.map((option) => ({
    ...option,
    name: readName(option.name, 'option'),
  }));
  const type = { ...given, name: readName(given.name), ...(options && { options }) };
  if (!slugSchema.safeParse(type.value).success) {
    throw invalidValue(
      'value',
      'invalid_format',
      'must be lower-case letters, digits and _, starting with a letter',
    );
  }
  if (type.scope !== 'vehicle' && (type.requiresParkingSpot || type.releasesParkingSpot)) {
    throw new ApiProblem(
      'conflicting_fields',
      'Only an event on a vehicle can need or free parking',
      { fields: ['scope', 'config'] },
    );
  }
  if (type.requiresParkingSpot && type.releasesParkingSpot) {
    throw new ApiProblem('conflicting_fields', "An event can't both need and free parking", {
      fields: ['config'],
    });
  }
  return inTeam(admin, team, async (context) => {
    const taken = await findBy(context, 'eventTypes', { value: type.value });
    if (taken)
      throw new ApiProblem('duplicate', `Event type ${type.value} already exists`, {
        field: 'value',
        id: taken.id,
      });
    const stored = await storeEventType(context, type);
    await audit(context, admin.actor, {
      action: 'event-type.create',
      subject: stored.id,
      details: { value: stored.value },
    });
    return stored;
  });
}

/** Replaces the names of the photos that an event of the type should have. */
export const setEventTypePhotos = (
  admin: Admin,
  team: string,
  { value, photos }: Pick<EventType, 'value' | 'photos'>,
): Promise<EventType> =>
  inTeam(admin, team, async (context) => {
    const type = await eventTypeByValue(context, value, 'type');
    await audit(context, admin.actor, {
      action: 'event-type.photos',
      subject: type.id,
      details: { value, photos },
    });
    return change(context, 'eventTypes', type, { photos });
  });

export const listEventTypes = async (admin: Admin, team: string): Promise<EventType[]> =>
  listBy(
    { db: admin.database.read, team: await findTeam(admin, team) },
    'eventTypes',
    {},
    'createdAt',
  );

function storeEventType(context: Context, type: NewEventType): Promise<EventType> {
  const { value, scope, name, description = null, durationMinutes = null, options = [] } = type;
  const { requiresParkingSpot = false, releasesParkingSpot = false } = type;
  return insert(context, 'eventTypes', {
    value,
    scope,
    name,
    description,
    durationMinutes,
    config: { requiresParkingSpot, releasesParkingSpot },
    photos: [],
    isActive: true,
    options: options.map((option) => ({
      id: newId(),
      name: option.name,
      durationMinutes: option.durationMinutes ?? null,
    })),
  });
}

export async function inTeam<T>(
  admin: Admin,
  team: string,
  task: (context: Context) => Promise<T>,
): Promise<T> {
  const { id } = await findTeam(admin, team);
  return inTransaction(admin, { id }, task);
}
