import { maybe, of, recordTable, type TableSpec } from '../create-tables.ts';

/** Campaigns with their audiences, steps and sends, and the work left to do for each. */
export const campaignTables = [
  recordTable({
    name: 'campaigns',
    columns: {
      name: 'text',
      channel: 'text',
      fromName: maybe('text'),
      fromAddress: maybe('text'),
      status: 'choice',
      scheduledAt: maybe('timestamp'),
      startedAt: maybe('timestamp'),
      completedAt: maybe('timestamp'),
      stats: 'json',
    },
    orderAndFilters: ['updatedAt', 'status'],
    indexes: { calendar: { columns: ['coalesce("startedAt", "scheduledAt")'] } },
  }),
  recordTable({
    name: 'campaignAudiences',
    columns: { campaignId: 'id', name: 'text', filter: 'json', estimatedCount: 'integer' },
    references: { campaignId: 'campaigns' },
    orderAndFilters: ['campaignId'],
  }),
  recordTable({
    name: 'campaignSteps',
    columns: {
      campaignId: 'id',
      position: 'integer',
      delayMinutes: 'integer',
      templateId: maybe('id'),
      subject: maybe('text'),
      body: 'text',
    },
    references: { campaignId: 'campaigns', templateId: 'templates' },
    checks: { position_counts: `"position" >= 1` },
    indexes: {
      campaignId: { columns: ['campaignId', 'position'] },
      templateId: { columns: ['templateId'], where: `"templateId" is not null` },
    },
  }),
  recordTable({
    name: 'campaignSends',
    columns: {
      campaignId: 'id',
      contentStepId: maybe('id'),
      customerId: 'id',
      contactId: maybe('id'),
      recipient: 'text',
      status: 'text',
      skipReason: maybe('text'),
      error: maybe('text'),
      attempts: 'integer',
      sentAt: maybe('timestamp'),
    },
    references: {
      campaignId: 'campaigns',
      contentStepId: 'campaignSteps',
      customerId: 'customers',
      contactId: 'contacts',
    },
    indexes: {
      // A campaign has very many, so the index holds the order of its list.
      campaignId: { columns: ['campaignId', 'updatedAt', 'id'] },
      // A customer gets each step once, however often a start is interrupted.
      step_customer: { columns: ['contentStepId', 'customerId'], unique: true },
      status: { columns: ['campaignId', 'status', 'id'] },
      customerId: { columns: ['campaignId', 'customerId'] },
      // Read before sends are made.
      recipient: { columns: ['campaignId', 'lower("recipient")'] },
      // Read when a contact is deleted.
      contactId: { columns: ['contactId'], where: '"contactId" is not null' },
    },
  }),
  {
    name: 'campaignRuns',
    columns: {
      teamId: 'id',
      campaignId: 'id',
      phase: of<'start' | 'gather' | 'review' | 'drop'>('text'),
      dueAt: 'timestamp',
      // The last id that the phase has processed; null at its beginning.
      cursor: maybe('id'),
    },
    primaryKey: ['teamId', 'campaignId'],
    references: { campaignId: 'campaigns' },
    indexes: { due: { columns: ['dueAt'], acrossTeams: true } },
  },
] as const satisfies readonly TableSpec[];
