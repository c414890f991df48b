import { maybe, recordTable, type TableSpec } from '../create-tables.ts';

/** The accounts of the team dashboard, their browser sessions and links, and how much each key is used. */
export const dashboardTables: readonly TableSpec[] = [
  recordTable({
    name: 'admins',
    columns: {
      email: 'text',
      name: 'text',
      passwordHash: maybe('text'),
      failures: 'integer',
      waitUntil: maybe('timestamp'),
    },
    indexes: {
      email: { columns: ['email'], unique: true },
      // A sign-in names no team.
      anyEmail: { columns: ['email'], acrossTeams: true },
    },
  }),
  recordTable({
    name: 'screens',
    columns: { name: 'text', createdBy: 'text', openedAt: maybe('timestamp') },
  }),
  recordTable({
    name: 'browserSessions',
    columns: {
      secretHash: 'text',
      role: 'choice',
      adminId: maybe('id'),
      screenId: maybe('id'),
      device: 'text',
      address: 'text',
      lastSeenAt: 'timestamp',
      endsAt: 'timestamp',
    },
    references: { adminId: 'admins', screenId: 'screens' },
    checks: { holder: `("adminId" is null) <> ("screenId" is null)` },
    indexes: {
      secretHash: { columns: ['secretHash'], unique: true, acrossTeams: true },
      adminId: { columns: ['adminId'] },
      screenId: { columns: ['screenId'] },
    },
  }),
  recordTable({
    name: 'oneTimeLinks',
    columns: {
      tokenHash: 'text',
      purpose: 'choice',
      createdBy: 'text',
      adminId: maybe('id'),
      screenId: maybe('id'),
      endsAt: 'timestamp',
      usedAt: maybe('timestamp'),
    },
    references: { adminId: 'admins', screenId: 'screens' },
    checks: { holder: `("adminId" is null) <> ("screenId" is null)` },
    indexes: {
      tokenHash: { columns: ['tokenHash'], unique: true, acrossTeams: true },
      adminId: { columns: ['adminId'] },
      screenId: { columns: ['screenId'] },
    },
  }),
  {
    name: 'keyUsage',
    columns: {
      teamId: 'id',
      apiKeyId: 'id',
      hour: 'timestamp',
      requests: 'integer',
      refused: 'integer',
      failed: 'integer',
      uploads: 'integer',
    },
    primaryKey: ['teamId', 'apiKeyId', 'hour'],
    // The plots read a range of hours of all keys.
    indexes: { hour: { columns: ['hour'] } },
  },
];
