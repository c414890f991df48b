import type { RecordFor, StoredName } from '../../contract/contract.ts';
import type { Scope } from '../../contract/scopes.ts';

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

/** What is to go out, until it is known what became of it. */
export interface OutboxRow {
  teamId: string;
  kind: 'message' | 'send' | 'post';
  recordId: string;
  /** When it may be taken: first its own time, then that of the next attempt; while it is in flight, when its claim ends. */
  dueAt: string;
  /** Known once it was looked at and nothing could carry it; null before. */
  channel: 'email' | 'sms' | 'social' | null;
  /** Who has it in flight; null while it waits. */
  claim: string | null;
  /** Taken back while in flight: not tried again. */
  withdrawn: boolean;
  attempts: number;
  /** Why the last attempt did not succeed. */
  error: string | null;
}

/** A post for one account: what the outbox carries. */
export interface SocialPostAccountRow {
  id: string;
  teamId: string;
  socialPostId: string;
  socialAccountId: string;
  /** Whether the post still names the account. */
  wanted: boolean;
  createdAt: string;
  updatedAt: string;
}

export interface SocialPostAssetRow {
  id: string;
  teamId: string;
  socialPostId: string;
  assetId: string;
  createdAt: string;
  updatedAt: string;
}

/** What is left to do of a campaign. */
export interface CampaignRunRow {
  teamId: string;
  campaignId: string;
  phase: 'start' | 'gather' | 'review' | 'drop';
  dueAt: string;
  /** How far the phase has come: the last id that it dealt with; null at its beginning. */
  cursor: string | null;
}

/** An address that campaigns of a team may come from, in lower case; a whole domain starts with `@`. */
export interface AllowedSenderRow {
  id: string;
  teamId: string;
  address: string;
  createdBy: string;
  createdAt: string;
  updatedAt: string;
}

/** How many rows of a table a team has; kept by triggers. */
export interface RecordCountRow {
  teamId: string;
  table: string;
  count: number;
}

export type Tables = { [N in StoredName]: RecordFor<N> } & {
  teams: TeamRow;
  apiKeys: ApiKeyRow;
  receipts: ReceiptRow;
  auditLog: AuditRow;
  outbox: OutboxRow;
  campaignRuns: CampaignRunRow;
  recordCounts: RecordCountRow;
  allowedSenders: AllowedSenderRow;
  socialPostAccounts: SocialPostAccountRow;
  socialPostAssets: SocialPostAssetRow;
};
