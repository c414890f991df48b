import type { Scope } from '../../../contract/scopes.ts';
import { maybe, of, recordTable, type TableSpec } from '../create-tables.ts';

/** Teams with their keys and senders, the audit log, the outbox and the answers kept for repeated requests. */
export const teamTables = [
  {
    name: 'teams',
    columns: {
      id: 'id',
      name: 'text',
      slug: 'text',
      timezone: 'text',
      apiEnabled: 'boolean',
      // What its files may take, in bytes; null for the limit of the service.
      quotaBytes: maybe('integer'),
      // How often the files moved to another store: a service that still has an earlier one must not store there.
      fileMoves: 'integer',
      // The latest stamp of a write of the team; the next one is later.
      lastStamp: 'timestamp',
      createdAt: 'timestamp',
      updatedAt: 'timestamp',
    },
    primaryKey: ['id'],
    indexes: { slug: { columns: ['slug'], unique: true, acrossTeams: true } },
  },
  {
    // Triggers keep them.
    name: 'recordCounts',
    columns: { teamId: 'id', table: 'text', count: 'integer' },
    primaryKey: ['teamId', 'table'],
  },
  recordTable({
    name: 'apiKeys',
    columns: {
      name: 'text',
      prefix: 'text',
      // SHA-256 of the secret, hexadecimal. The secret itself isn't stored.
      secretHash: 'text',
      scopes: of<Scope[]>('json'),
      expiresAt: maybe('timestamp'),
      revokedAt: maybe('timestamp'),
      revokedBy: maybe('text'),
      lastUsedAt: maybe('timestamp'),
      createdBy: 'text',
      // The key whose place it takes. Keys stay when they end, so it is always there.
      replacesId: maybe('id'),
    },
    indexes: { prefix: { columns: ['prefix'], unique: true, acrossTeams: true } },
  }),
  recordTable({
    name: 'allowedSenders',
    // In lower case; a whole domain starts with `@`.
    columns: { address: 'text', createdBy: 'text' },
    indexes: { address: { columns: ['address'], unique: true } },
  }),
  {
    name: 'auditLog',
    columns: {
      id: 'id',
      teamId: 'id',
      at: 'timestamp',
      actor: 'text',
      action: 'text',
      subject: maybe('text'),
      details: maybe('json'),
    },
    primaryKey: ['id'],
    indexes: { at: { columns: ['at', 'id'] } },
  },
  {
    // The first answers to POSTs with an Idempotency-Key.
    name: 'idempotencyRecords',
    columns: {
      teamId: 'id',
      apiKeyId: 'id',
      key: 'text',
      // SHA-256 of path and body: a different request with the same key is refused.
      fingerprint: 'text',
      status: 'integer',
      body: 'text',
      createdAt: 'timestamp',
    },
    primaryKey: ['teamId', 'apiKeyId', 'key'],
    // Each new one deletes those of its team that have ended.
    indexes: { age: { columns: ['createdAt'] } },
  },
  {
    // E-mails to send, until their outcome is known.
    name: 'outbox',
    columns: {
      teamId: 'id',
      kind: of<'message' | 'send' | 'adminLink'>('text'),
      recordId: 'id',
      // The earliest time of the next attempt; while it is in flight, the end of its claim.
      dueAt: 'timestamp',
      // Identifies the attempt in flight; null while it waits.
      claim: maybe('id'),
      // Withdrawn while in flight: not retried.
      withdrawn: 'boolean',
      attempts: 'integer',
      // Why the last attempt failed.
      error: maybe('text'),
    },
    primaryKey: ['teamId', 'kind', 'recordId'],
    // The worker asks for what is due first.
    indexes: { due: { columns: ['dueAt'], acrossTeams: true } },
  },
] as const satisfies readonly TableSpec[];
