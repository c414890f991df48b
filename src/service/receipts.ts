/** The receipts of POSTs that carried an Idempotency-Key: a repeat is answered with what the first was answered with. */
import { createHash } from 'node:crypto';
import type { Caller, ReadContext } from './context.ts';
import { invalid, Refusal } from './refusal.ts';

export interface Receipt {
  readonly key: string;
  readonly fingerprint: string;
}

export interface Replay {
  readonly status: number;
  readonly body: string;
}

/** How long a receipt is kept: 24 hours (decision). */
export const receiptLifetimeMs = 24 * 60 * 60_000;

/** What tells this request from another under the same key. */
export function receiptFor(header: string | string[] | undefined, path: string, body: Uint8Array): Receipt | undefined {
  if (header === undefined) return undefined;
  if (typeof header !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(header)) {
    throw invalid([{ path: 'Idempotency-Key', rule: 'invalid_format', message: 'must be 1 to 255 visible ASCII characters' }]);
  }
  return { key: header, fingerprint: createHash('sha256').update(path).update('\0').update(body).digest('hex') };
}

export async function findReplay({ db }: ReadContext, caller: Caller, receipt: Receipt, now: number): Promise<Replay | undefined> {
  const row = await db
    .selectFrom('receipts')
    .select(['fingerprint', 'status', 'body', 'createdAt'])
    .where('teamId', '=', caller.team.id)
    .where('apiKeyId', '=', caller.keyId)
    .where('key', '=', receipt.key)
    .executeTakeFirst();
  if (!row || Date.parse(row.createdAt) < now - receiptLifetimeMs) return undefined;
  if (row.fingerprint !== receipt.fingerprint)
    throw new Refusal('idempotency_key_reused', 'This Idempotency-Key was used with another request', { key: receipt.key });
  return { status: row.status, body: row.body };
}

/** Written in the transaction of the write it vouches for. */
export async function keepReceipt({ db, team }: ReadContext, caller: Caller, receipt: Receipt, answer: Replay, now: string): Promise<void> {
  const expired = new Date(Date.parse(now) - receiptLifetimeMs).toISOString();
  await db.deleteFrom('receipts').where('teamId', '=', team.id).where('createdAt', '<', expired).execute();
  await db
    .insertInto('receipts')
    .values({
      teamId: team.id,
      apiKeyId: caller.keyId,
      key: receipt.key,
      fingerprint: receipt.fingerprint,
      ...answer,
      createdAt: now,
    })
    .execute();
}
