import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { column, createRecordTable, maybe } from '../columns.ts';

/** Social accounts and posts; what the calendar reads. After the campaigns, assets and social events that it names. */
export const social: Migration = {
  async up(db: Kysely<unknown>) {
    await createRecordTable(db, {
      name: 'socialAccounts',
      columns: {
        platform: column.text,
        externalId: column.text,
        displayName: column.text,
        handle: maybe(column.text),
        status: column.text,
        tokenExpiresAt: maybe(column.timestamp),
      },
    });
    await db.schema
      .createIndex('socialAccounts_externalId')
      .unique()
      .on('socialAccounts')
      .columns(['teamId', 'platform', 'externalId'])
      .execute();
    await createPosts(db);
    await createCalendarIndexes(db);
  },
};

async function createPosts(db: Kysely<unknown>): Promise<void> {
  await createRecordTable(db, {
    name: 'socialPosts',
    columns: {
      body: column.text,
      socialAccountIds: column.json,
      assetIds: column.json,
      scheduledAt: maybe(column.timestamp),
      campaignId: maybe(column.id),
      status: column.text,
      publishedAt: maybe(column.timestamp),
      results: column.json,
    },
    references: { campaignId: 'campaigns' },
  });
  for (const filter of ['status', 'campaignId', 'scheduledAt']) {
    await db.schema
      .createIndex(`socialPosts_${filter}`)
      .on('socialPosts')
      .columns(['teamId', filter, 'updatedAt desc', 'id desc'])
      .execute();
  }
  // The lists of ids in a post as rows: what keys hold together and filters can find.
  await createRecordTable(db, {
    name: 'socialPostAccounts',
    columns: { socialPostId: column.id, socialAccountId: column.id, wanted: column.boolean },
    references: { socialPostId: 'socialPosts', socialAccountId: 'socialAccounts' },
  });
  await createRecordTable(db, {
    name: 'socialPostAssets',
    columns: { socialPostId: column.id, assetId: column.id },
    references: { socialPostId: 'socialPosts', assetId: 'assets' },
  });
  const link = (table: string, columns: string[]) =>
    db.schema
      .createIndex(`${table}_${columns[0]}`)
      .unique()
      .on(table)
      .columns(['teamId', ...columns])
      .execute();
  await link('socialPostAccounts', ['socialPostId', 'socialAccountId']);
  await link('socialPostAccounts', ['socialAccountId', 'socialPostId']);
  await link('socialPostAssets', ['socialPostId', 'assetId']);
  await link('socialPostAssets', ['assetId', 'socialPostId']);
}

/** The times by which the calendar finds its entries; social events have theirs already. */
async function createCalendarIndexes(db: Kysely<unknown>): Promise<void> {
  await sql`create index "campaigns_calendar" on "campaigns" ("teamId", coalesce("startedAt", "scheduledAt"))`.execute(db);
  await sql`create index "socialPosts_calendar" on "socialPosts" ("teamId", coalesce("publishedAt", "scheduledAt"))`.execute(db);
}
