import type { AccountRole, Role } from '../../../contract/dashboard/roles.ts';
import { maybe, of, recordTable, type TableSpec } from '../create-tables.ts';

/** The accounts of the team dashboard, their browser sessions and links, and how much each key is used. */
export const dashboardTables = [
  recordTable({
    name: 'admins',
    columns: {
      // In lower case.
      email: 'text',
      name: 'text',
      role: of<AccountRole>('choice'),
      // In PHC form; null until the first link is used.
      passwordHash: maybe('text'),
      // Wrong passwords since the last sign-in, and no password is tried before.
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
      // SHA-256 of the cookie's secret, hexadecimal.
      secretHash: 'text',
      role: of<Role>('choice'),
      adminId: maybe('id'),
      screenId: maybe('id'),
      // For people: browser and system.
      device: 'text',
      address: 'text',
      lastSeenAt: 'timestamp',
      // The end, whatever happens until then.
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
      // SHA-256 of the token, hexadecimal.
      tokenHash: 'text',
      purpose: of<'welcome' | 'reset' | 'screen' | 'phone'>('choice'),
      // Who made it, as in the audit log; `e-mail` for one that was mailed to the account itself.
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
      // Answered with 4xx, and with 5xx.
      refused: 'integer',
      failed: 'integer',
      uploads: 'integer',
    },
    primaryKey: ['teamId', 'apiKeyId', 'hour'],
    // The plots read a range of hours of all keys.
    indexes: { hour: { columns: ['hour'] } },
  },
] as const satisfies readonly TableSpec[];
