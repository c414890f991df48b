import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Caller, ReadContext } from './context.ts';
import type { KeyHolder } from './database/holders.ts';
import { valuesOf } from './http/request.ts';
import { ApiProblem } from './problem.ts';
import { hashSecret, makeSecret } from './team/secrets.ts';

const base32 = 'abcdefghijklmnopqrstuvwxyz234567';
const form = /^csk_([a-z2-7]{12})\.([A-Za-z0-9_-]{43})$/;

interface NewKey {
  /** The whole key, shown once. */
  key: string;
  prefix: string;
  secretHash: string;
}

/** `csk_`, 12 characters that identify the key, a dot, and a secret of 256 bits (decision). */
export function makeKey(): NewKey {
  const prefix = Array.from(randomBytes(12), (byte) => base32[byte & 31]).join('');
  const secret = makeSecret();
  return { key: `csk_${prefix}.${secret}`, prefix, secretHash: hashSecret(secret) };
}

/** A key that exists, whether it may be used or not. */
export interface KnownKey {
  readonly teamId: string;
  readonly keyId: string;
}

/**
 * Authenticates a request. `find` reads the key from the database each time, so that expiry, revocation and the team's switch apply at
 * once. Only a caller with the secret is told that a key expired or was revoked. `onKnown` hears of such a caller before it is refused.
 */
export async function authenticate(
  find: (prefix: string) => Promise<KeyHolder | undefined>,
  request: Pick<IncomingMessage, 'rawHeaders'>,
  now: Date,
  onKnown?: (key: KnownKey) => void,
): Promise<Caller> {
  const given = readKey(request);
  if (!given) throw new ApiProblem('missing_api_key', 'API key missing');
  const [, prefix = '', secret = ''] = form.exec(given) ?? [];
  const row = await find(prefix);
  const matches = sameHash(hashSecret(secret), row?.secretHash ?? hashSecret(''));
  if (!row || !matches) throw new ApiProblem('invalid_api_key', 'API key invalid');
  onKnown?.({ teamId: row.teamId, keyId: row.id });
  requireUsable(row, now);
  return {
    team: { id: row.teamId, name: row.teamName, slug: row.slug, timezone: row.timezone },
    keyId: row.id,
    keyName: row.name,
    scopes: new Set(row.scopes),
    expiresAt: row.expiresAt,
  };
}

/**
 * Reads the key of a request again, refuses it like `authenticate`, and returns its current scopes. A body can take minutes to
 * arrive, so a write checks again, finally inside its transaction, where no admin can revoke the key any more.
 */
export async function reauthenticate(
  { db, team }: ReadContext,
  { keyId }: Caller,
  now: Date,
): Promise<Pick<Caller, 'scopes'>> {
  const known = db.isTransaction ? readKeys.get(db) : undefined;
  const row = known?.get(keyId) ?? (await readAgain({ db, team }, keyId));
  if (!row) throw new ApiProblem('invalid_api_key', 'API key invalid');
  requireUsable(row, now);
  return { scopes: new Set(row.scopes) };
}

/** Writes that share a transaction, and with it the team's lock, read a key once. */
const readKeys = new WeakMap<object, Map<string, UsableKey>>();

type UsableKey = Pick<KeyHolder, 'scopes' | 'expiresAt' | 'revokedAt' | 'apiEnabled'>;

async function readAgain({ db, team }: ReadContext, keyId: string): Promise<UsableKey | undefined> {
  const row = await db
    .selectFrom('apiKeys')
    .innerJoin('teams', 'teams.id', 'apiKeys.teamId')
    .select(['scopes', 'expiresAt', 'revokedAt', 'apiEnabled'])
    .where('apiKeys.teamId', '=', team.id)
    .where('apiKeys.id', '=', keyId)
    .executeTakeFirst();
  if (row && db.isTransaction)
    readKeys.set(db, (readKeys.get(db) ?? new Map<string, UsableKey>()).set(keyId, row));
  return row;
}

function requireUsable(
  key: Pick<KeyHolder, 'revokedAt' | 'expiresAt' | 'apiEnabled'>,
  now: Date,
): void {
  if (key.revokedAt) throw new ApiProblem('api_key_revoked', 'API key revoked');
  if (key.expiresAt && Date.parse(key.expiresAt) <= now.getTime())
    throw new ApiProblem('api_key_expired', 'API key expired');
  if (!key.apiEnabled) throw new ApiProblem('api_disabled', 'API is disabled for this team');
}

/** Either header is accepted (specification). Headers with different keys are refused (decision). */
function readKey(request: Pick<IncomingMessage, 'rawHeaders'>): string | undefined {
  const plain = new Set(valuesOf(request, 'x-api-key').map((value) => value.trim()));
  plain.delete('');
  const authorizations = new Set(valuesOf(request, 'authorization').map((value) => value.trim()));
  const keys = new Set([
    ...plain,
    ...[...authorizations].flatMap((value) => /^Bearer\s+(\S+)$/i.exec(value)?.[1] ?? []),
  ]);
  if (keys.size > 1 || authorizations.size > 1)
    throw new ApiProblem('invalid_api_key', 'The headers contain different API keys');
  return [...keys][0];
}

function sameHash(a: string, b: string): boolean {
  return timingSafeEqual(Buffer.from(a, 'hex'), Buffer.from(b, 'hex'));
}
