/** Answers to repeated creates: the same Idempotency-Key gets the first answer again, and stores nothing twice. */
import { createHash } from 'node:crypto';
import type { Caller, ReadContext } from './context.ts';
import { ApiProblem, invalidValue } from './problem.ts';

/** Who sent the request: a key, or a browser session. */
type Sender = Pick<Caller, 'team' | 'keyId'>;

export interface IdempotencyKey {
  readonly key: string;
  readonly fingerprint: string;
}

export interface Replay {
  readonly status: number;
  readonly body: string;
}

/** How long responses are kept for replay: 24 hours (decision). */
const idempotencyWindowMs = 24 * 60 * 60_000;

/** Identifies the request: the same key with another path or body is an error. */
export function idempotencyKeyOf(
  header: string | string[] | undefined,
  path: string,
  body: Uint8Array,
): IdempotencyKey | undefined {
  if (header === undefined) return undefined;
  if (typeof header !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(header)) {
    throw invalidValue(
      'Idempotency-Key',
      'invalid_format',
      'must be 1 to 255 visible ASCII characters',
    );
  }
  return {
    key: header,
    fingerprint: createHash('sha256').update(path).update('\0').update(body).digest('hex'),
  };
}

export async function findReplay(
  { db }: ReadContext,
  caller: Sender,
  key: IdempotencyKey,
  now: number,
): Promise<Replay | undefined> {
  const row = await db
    .selectFrom('idempotencyRecords')
    .select(['fingerprint', 'status', 'body', 'createdAt'])
    .where('teamId', '=', caller.team.id)
    .where('apiKeyId', '=', caller.keyId)
    .where('key', '=', key.key)
    .executeTakeFirst();
  if (!row || Date.parse(row.createdAt) < now - idempotencyWindowMs) return undefined;
  if (row.fingerprint !== key.fingerprint)
    throw new ApiProblem(
      'idempotency_key_reused',
      'This Idempotency-Key was used with another request',
      { key: key.key },
    );
  return { status: row.status, body: row.body };
}

/** Written in the same transaction as the record. */
export async function saveIdempotencyRecord(
  { db, team }: ReadContext,
  caller: Sender,
  key: IdempotencyKey,
  replay: Replay,
  now: string,
): Promise<void> {
  const expired = new Date(Date.parse(now) - idempotencyWindowMs).toISOString();
  await db
    .deleteFrom('idempotencyRecords')
    .where('teamId', '=', team.id)
    .where('createdAt', '<', expired)
    .execute();
  await db
    .insertInto('idempotencyRecords')
    .values({
      teamId: team.id,
      apiKeyId: caller.keyId,
      key: key.key,
      fingerprint: key.fingerprint,
      ...replay,
      createdAt: now,
    })
    .execute();
}
