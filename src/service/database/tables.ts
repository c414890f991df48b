import type { RecordFor, ResourceName } from '../../contract/contract.ts';
import type { Scope } from '../../contract/scopes.ts';

/** The resources that are kept in a table of the same name, a column a field. */
export type StoredName = Exclude<ResourceName, 'me'>;

export interface TeamRow {
  id: string;
  name: string;
  slug: string;
  timezone: string;
  apiEnabled: boolean;
  /** The latest stamp given to a write of the team; the next one is later. */
  lastStamp: string;
  createdAt: string;
  updatedAt: string;
}

export interface ApiKeyRow {
  id: string;
  teamId: string;
  name: string;
  prefix: string;
  /** SHA-256 of the secret, hexadecimal. The secret itself is kept nowhere. */
  secretHash: string;
  scopes: Scope[];
  expiresAt: string | null;
  revokedAt: string | null;
  lastUsedAt: string | null;
  createdBy: string;
  createdAt: string;
  updatedAt: string;
}

/** The first answer to a POST that carried an Idempotency-Key. */
export interface ReceiptRow {
  teamId: string;
  apiKeyId: string;
  key: string;
  /** SHA-256 of path and body: another request under the same key is refused. */
  fingerprint: string;
  status: number;
  body: string;
  createdAt: string;
}

export interface AuditRow {
  id: string;
  teamId: string;
  at: string;
  actor: string;
  action: string;
  subject: string | null;
  details: unknown;
}

export type Tables = { [N in StoredName]: RecordFor<N> } & {
  teams: TeamRow;
  apiKeys: ApiKeyRow;
  receipts: ReceiptRow;
  auditLog: AuditRow;
};
