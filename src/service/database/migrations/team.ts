import { maybe, recordTable, type TableSpec } from '../create-tables.ts';

/** Teams with their keys and senders, the audit log, the outbox and the answers kept for repeated requests. */
export const teamTables: readonly TableSpec[] = [
  {
    name: 'teams',
    columns: {
      id: 'id',
      name: 'text',
      slug: 'text',
      timezone: 'text',
      apiEnabled: 'boolean',
      lastStamp: 'timestamp',
      createdAt: 'timestamp',
      updatedAt: 'timestamp',
    },
    primaryKey: ['id'],
    indexes: { slug: { columns: ['slug'], unique: true, acrossTeams: true } },
  },
  {
    name: 'recordCounts',
    columns: { teamId: 'id', table: 'text', count: 'integer' },
    primaryKey: ['teamId', 'table'],
  },
  recordTable({
    name: 'apiKeys',
    columns: {
      name: 'text',
      prefix: 'text',
      secretHash: 'text',
      scopes: 'json',
      expiresAt: maybe('timestamp'),
      revokedAt: maybe('timestamp'),
      revokedBy: maybe('text'),
      lastUsedAt: maybe('timestamp'),
      createdBy: 'text',
      // Keys stay when they end, so this one is always there.
      replacesId: maybe('id'),
    },
    indexes: { prefix: { columns: ['prefix'], unique: true, acrossTeams: true } },
  }),
  recordTable({
    name: 'allowedSenders',
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
  },
  {
    name: 'idempotencyRecords',
    columns: {
      teamId: 'id',
      apiKeyId: 'id',
      key: 'text',
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
    name: 'outbox',
    columns: {
      teamId: 'id',
      kind: 'text',
      recordId: 'id',
      dueAt: 'timestamp',
      awaitedChannel: maybe('text'),
      claim: maybe('id'),
      withdrawn: 'boolean',
      attempts: 'integer',
      error: maybe('text'),
    },
    primaryKey: ['teamId', 'kind', 'recordId'],
    // The worker asks each channel for what is due first.
    indexes: { due: { columns: ['awaitedChannel', 'dueAt'], acrossTeams: true } },
  },
];
