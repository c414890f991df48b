/** What the owner of the data and a team admin do with keys and the team's API switch. */
import type { Scope } from '../../contract/scopes.ts';
import { audit } from '../audit.ts';
import type { Context } from '../context.ts';
import type { ApiKeyRow, TeamRow } from '../database/tables.ts';
import { makeKey } from '../keys.ts';
import { ApiProblem, invalidValue } from '../problem.ts';
import { change, insert, listBy, type OfTeam } from '../records.ts';
import { readName } from './names.ts';

export interface NewKeyRequest {
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** ISO 8601; without it the key never expires. */
  readonly expiresAt?: string | null;
  /** The key whose place it takes. */
  readonly replacesId?: string | null;
}

export interface CreatedKey {
  /** The whole key. Only its hash is stored. */
  readonly key: string;
  readonly row: ApiKeyRow;
}

/** All keys of a team, oldest first. */
export const keysOf = (context: OfTeam): Promise<ApiKeyRow[]> =>
  listBy(context, 'apiKeys', {}, 'createdAt');

export async function addKey(
  context: Context,
  actor: string,
  given: NewKeyRequest,
): Promise<CreatedKey> {
  const { scopes, expiresAt = null, replacesId = null } = given;
  const name = readName(given.name);
  if (scopes.length === 0) throw invalidValue('scopes', 'required', 'needs at least one scope');
  const { key, prefix, secretHash } = makeKey();
  const row = await insert(context, 'apiKeys', {
    name,
    prefix,
    secretHash,
    scopes: [...new Set(scopes)],
    expiresAt,
    createdBy: actor,
    replacesId,
  });
  await audit(context, actor, {
    action: 'key.create',
    subject: row.id,
    details: { name, prefix, scopes: row.scopes, expiresAt },
  });
  return { key, row };
}

/** Throws `validation_failed` for an end that has passed: what is to end at once is revoked. */
export function requireLater(expiresAt: string | null | undefined, now: string): void {
  if (expiresAt && expiresAt <= now)
    throw invalidValue('expiresAt', 'too_small', 'must be later than now');
}

/** A new name or expiry. The scopes of a key never change. */
export async function changeKey(
  context: Context,
  actor: string,
  row: ApiKeyRow,
  { name: given, expiresAt = row.expiresAt }: Partial<Pick<ApiKeyRow, 'name' | 'expiresAt'>>,
): Promise<ApiKeyRow> {
  const name = given === undefined ? row.name : readName(given);
  if (name === row.name && expiresAt === row.expiresAt) return row;
  if (row.revokedAt)
    throw new ApiProblem(
      'key_revoked',
      'The key is revoked, so its name and expiry stay as they are',
    );
  if (expiresAt !== row.expiresAt) {
    if (row.expiresAt && row.expiresAt <= context.now)
      throw new ApiProblem(
        'key_expired',
        'The key has expired and stays so; make a new key that takes its place',
      );
    requireLater(expiresAt, context.now);
  }
  const changes = {
    ...(name !== row.name && { name: { from: row.name, to: name } }),
    ...(expiresAt !== row.expiresAt && { expiresAt: { from: row.expiresAt, to: expiresAt } }),
  };
  await audit(context, actor, {
    action: 'key.update',
    subject: row.id,
    details: { name: row.name, prefix: row.prefix, changes },
  });
  return change(context, 'apiKeys', row, { name, expiresAt });
}

/** Revokes a key for ever, from its next request on. Idempotent. */
export async function endKey(context: Context, actor: string, row: ApiKeyRow): Promise<ApiKeyRow> {
  if (row.revokedAt) return row;
  await audit(context, actor, {
    action: 'key.revoke',
    subject: row.id,
    details: { name: row.name, prefix: row.prefix },
  });
  return change(context, 'apiKeys', row, { revokedAt: context.now, revokedBy: actor });
}

/** While the switch is off, all keys of the team are refused but kept (specification). */
export async function switchIntegration(
  context: Context,
  actor: string,
  on: boolean,
): Promise<TeamRow> {
  const { db, team, stamp } = context;
  const changed = await db
    .updateTable('teams')
    .set({ apiEnabled: on, updatedAt: stamp })
    .where('id', '=', team.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await audit(context, actor, {
    action: on ? 'integration.on' : 'integration.off',
    subject: team.id,
  });
  return changed;
}
