import type { RecordFor, StoredName } from '../../contract/contract.ts';
import type { AccountRole, Role } from '../../contract/dashboard/roles.ts';
import type { Scope } from '../../contract/scopes.ts';

export interface TeamRow {
  id: string;
  name: string;
  slug: string;
  timezone: string;
  apiEnabled: boolean;
  /** What its files may take, in bytes; null for the limit of the service. */
  quotaBytes: number | null;
  /** How often the files moved to another store: a service that still has an earlier one must not store there. */
  fileMoves: number;
  /** The latest stamp of a write of the team; the next one is later. */
  lastStamp: string;
  createdAt: string;
  updatedAt: string;
}

export interface ApiKeyRow {
  id: string;
  teamId: string;
  name: string;
  prefix: string;
  /** SHA-256 of the secret, hexadecimal. The secret itself isn't stored. */
  secretHash: string;
  scopes: Scope[];
  expiresAt: string | null;
  revokedAt: string | null;
  revokedBy: string | null;
  lastUsedAt: string | null;
  createdBy: string;
  /** The key whose place it takes. */
  replacesId: string | null;
  createdAt: string;
  updatedAt: string;
}

/** The first answer to a POST with an Idempotency-Key. */
export interface IdempotencyRow {
  teamId: string;
  apiKeyId: string;
  key: string;
  /** SHA-256 of path and body: a different request with the same key is refused. */
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

/** Something to send, until its outcome is known. */
export interface OutboxRow {
  teamId: string;
  kind: 'message' | 'send' | 'adminLink';
  recordId: string;
  /** The earliest time of the next attempt; while it is in flight, the end of its claim. */
  dueAt: string;
  /** Set when no transport was available for it. */
  awaitedChannel: 'email' | 'sms' | null;
  /** Identifies the attempt in flight; null while it waits. */
  claim: string | null;
  /** Withdrawn while in flight: not retried. */
  withdrawn: boolean;
  attempts: number;
  /** Why the last attempt failed. */
  error: string | null;
}

/** A post for one account: the unit that the outbox sends. */
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

/** The work left to do for a campaign. */
export interface CampaignRunRow {
  teamId: string;
  campaignId: string;
  phase: 'start' | 'gather' | 'review' | 'drop';
  dueAt: string;
  /** The last id that the phase has processed; null at its beginning. */
  cursor: string | null;
}

/** An allowed sender of a team's campaigns, in lower case; a whole domain starts with `@`. */
export interface AllowedSenderRow {
  id: string;
  teamId: string;
  address: string;
  createdBy: string;
  createdAt: string;
  updatedAt: string;
}

/** The one row that says where the files of the database are; see files/ownership.ts. */
export interface FileFolderRow {
  id: string;
  /** Whether a store has the id. */
  claimed: boolean;
  /** `s3://bucket/prefix`; null for a folder. */
  place: string | null;
  moves: number;
}

/** Bytes of a team's photos and assets; equal ones are stored once. */
export interface StoredBytesRow {
  teamId: string;
  /** Hexadecimal. */
  sha256: string;
  /** In the file store; never used twice. */
  key: string;
  sizeBytes: number;
}

/** Bytes that no record uses any more, until the store has deleted them. */
export interface DeletedBytesRow {
  teamId: string;
  key: string;
  at: string;
}

/** On PostgreSQL: what services count together; see http/shared-waits.ts. */
export interface SharedWaitRow {
  name: string;
  /** In milliseconds since 1970. */
  until: number;
  count: number;
}

/** The number of a team's rows in a table; triggers keep it. */
export interface RecordCountRow {
  teamId: string;
  table: string;
  count: number;
}

/** A team admin, who signs in to the dashboard. */
export interface AdminRow {
  id: string;
  teamId: string;
  /** In lower case. */
  email: string;
  name: string;
  role: AccountRole;
  /** In PHC form; null until the first link is used. */
  passwordHash: string | null;
  /** Wrong passwords since the last sign-in. */
  failures: number;
  /** No password is tried before. */
  waitUntil: string | null;
  createdAt: string;
  updatedAt: string;
}

/** A display on a wall, which shows the board and today. */
export interface ScreenRow {
  id: string;
  teamId: string;
  name: string;
  createdBy: string;
  openedAt: string | null;
  createdAt: string;
  updatedAt: string;
}

/** A browser that is signed in. */
export interface BrowserSessionRow {
  id: string;
  teamId: string;
  /** SHA-256 of the cookie's secret, hexadecimal. */
  secretHash: string;
  role: Role;
  adminId: string | null;
  screenId: string | null;
  /** For people: browser and system. */
  device: string;
  address: string;
  lastSeenAt: string;
  /** The end, whatever happens until then. */
  endsAt: string;
  createdAt: string;
  updatedAt: string;
}

/** A link that sets a password, or signs a screen or a phone in, once. */
export interface OneTimeLinkRow {
  id: string;
  teamId: string;
  /** SHA-256 of the token, hexadecimal. */
  tokenHash: string;
  purpose: 'welcome' | 'reset' | 'screen' | 'phone';
  /** Who made it, as in the audit log; `e-mail` for one that was mailed to the account itself. */
  createdBy: string;
  adminId: string | null;
  screenId: string | null;
  endsAt: string;
  usedAt: string | null;
  createdAt: string;
  updatedAt: string;
}

/** Answers to a key in one hour. */
export interface KeyUsageRow {
  teamId: string;
  apiKeyId: string;
  /** The start of the hour. */
  hour: string;
  requests: number;
  /** Answered with 4xx. */
  refused: number;
  /** Answered with 5xx. */
  failed: number;
  uploads: number;
}

export type Tables = { [N in StoredName]: RecordFor<N> } & {
  teams: TeamRow;
  apiKeys: ApiKeyRow;
  idempotencyRecords: IdempotencyRow;
  auditLog: AuditRow;
  outbox: OutboxRow;
  campaignRuns: CampaignRunRow;
  recordCounts: RecordCountRow;
  fileFolder: FileFolderRow;
  sharedWaits: SharedWaitRow;
  storedBytes: StoredBytesRow;
  deletedBytes: DeletedBytesRow;
  allowedSenders: AllowedSenderRow;
  admins: AdminRow;
  screens: ScreenRow;
  browserSessions: BrowserSessionRow;
  oneTimeLinks: OneTimeLinkRow;
  keyUsage: KeyUsageRow;
  socialPostAccounts: SocialPostAccountRow;
  socialPostAssets: SocialPostAssetRow;
};
