import type { AuditAction } from '../contract/dashboard/audit-actions.ts';
import type { Context } from './context.ts';
import { newId } from './records.ts';

export interface AuditEntry {
  /** For example `key.create`. */
  readonly action: AuditAction;
  /** The id of what was changed. */
  readonly subject: string | null;
  readonly details?: unknown;
}

/** Notes who did what, in the transaction that does it. Never with a secret. */
export async function audit(
  { db, team, now }: Context,
  actor: string,
  { action, subject, details = null }: AuditEntry,
): Promise<void> {
  await db
    .insertInto('auditLog')
    .values({ id: newId(), teamId: team.id, at: now, actor, action, subject, details })
    .execute();
}
