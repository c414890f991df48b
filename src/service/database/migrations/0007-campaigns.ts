import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { column, createRecordTable, maybe } from '../columns.ts';

/** Campaigns with their audiences, content steps and sends, and what is left to do of each. */
export const campaigns: Migration = {
  async up(db: Kysely<unknown>) {
    await createRecordTable(db, {
      name: 'campaigns',
      columns: {
        name: column.text,
        channel: column.text,
        fromName: maybe(column.text),
        fromAddress: maybe(column.text),
        status: column.text,
        scheduledAt: maybe(column.timestamp),
        startedAt: maybe(column.timestamp),
        completedAt: maybe(column.timestamp),
        stats: column.json,
      },
    });
    await createRecordTable(db, {
      name: 'campaignAudiences',
      columns: { campaignId: column.id, name: column.text, filter: column.json, estimatedCount: column.integer },
      references: { campaignId: 'campaigns' },
    });
    await createRecordTable(db, {
      name: 'campaignSteps',
      columns: {
        campaignId: column.id,
        position: column.integer,
        delayMinutes: column.integer,
        templateId: maybe(column.id),
        subject: maybe(column.text),
        body: column.text,
      },
      references: { campaignId: 'campaigns', templateId: 'templates' },
      checks: { position_counts: sql`"position" >= 1` },
    });
    await createSends(db);
    await createRuns(db);
    await createIndexes(db);
  },
};

async function createSends(db: Kysely<unknown>): Promise<void> {
  await createRecordTable(db, {
    name: 'campaignSends',
    columns: {
      campaignId: column.id,
      contentStepId: maybe(column.id),
      customerId: column.id,
      contactId: maybe(column.id),
      recipient: column.text,
      status: column.text,
      skipReason: maybe(column.text),
      error: maybe(column.text),
      attempts: column.integer,
      sentAt: maybe(column.timestamp),
    },
    references: { campaignId: 'campaigns', contentStepId: 'campaignSteps', customerId: 'customers', contactId: 'contacts' },
  });
  // The last word on each person once per step, however often a start is interrupted.
  await db.schema
    .createIndex('campaignSends_once')
    .unique()
    .on('campaignSends')
    .columns(['teamId', 'contentStepId', 'customerId'])
    .execute();
}

async function createRuns(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('campaignRuns')
    .addColumn('teamId', 'text', (team) => team.notNull().references('teams.id'))
    .addColumn('campaignId', 'text', (campaign) => campaign.notNull())
    .addColumn('phase', 'text', (phase) => phase.notNull())
    .addColumn('dueAt', column.timestamp, (at) => at.notNull())
    .addColumn('cursor', 'text')
    .addPrimaryKeyConstraint('campaignRuns_key', ['teamId', 'campaignId'])
    .addForeignKeyConstraint('campaignRuns_campaignId', ['teamId', 'campaignId'], 'campaigns', ['teamId', 'id'])
    .execute();
  // Taken across teams, the longest due first.
  await db.schema.createIndex('campaignRuns_due').on('campaignRuns').column('dueAt').execute();
}

async function createIndexes(db: Kysely<unknown>): Promise<void> {
  const index = (name: string, table: string, columns: string[]) => db.schema.createIndex(name).on(table).columns(columns).execute();
  await index('campaigns_status', 'campaigns', ['teamId', 'status', 'updatedAt desc', 'id desc']);
  await index('campaignAudiences_campaign', 'campaignAudiences', ['teamId', 'campaignId', 'updatedAt desc', 'id desc']);
  await index('campaignSteps_campaign', 'campaignSteps', ['teamId', 'campaignId', 'position']);
  await index('campaignSteps_template', 'campaignSteps', ['teamId', 'templateId']);
  await index('campaignSends_campaign', 'campaignSends', ['teamId', 'campaignId', 'updatedAt desc', 'id desc']);
  await index('campaignSends_status', 'campaignSends', ['teamId', 'campaignId', 'status', 'id']);
  await index('campaignSends_customer', 'campaignSends', ['teamId', 'campaignId', 'customerId']);
}
