import { maybe, recordTable, type TableSpec } from '../create-tables.ts';

/** Social accounts and posts. */
export const socialTables = [
  recordTable({
    name: 'socialAccounts',
    columns: {
      platform: 'text',
      externalId: 'text',
      displayName: 'text',
      handle: maybe('text'),
      status: 'text',
      tokenExpiresAt: maybe('timestamp'),
    },
    orderAndFilters: ['updatedAt'],
    indexes: { externalId: { columns: ['platform', 'externalId'], unique: true } },
  }),
  recordTable({
    name: 'socialPosts',
    columns: {
      body: 'text',
      socialAccountIds: 'json',
      assetIds: 'json',
      scheduledAt: maybe('timestamp'),
      campaignId: maybe('id'),
      status: 'choice',
      publishedAt: maybe('timestamp'),
      results: 'json',
    },
    references: { campaignId: 'campaigns' },
    orderAndFilters: ['updatedAt', 'status', 'campaignId'],
    indexes: {
      scheduledAt: { columns: ['scheduledAt'], where: `"scheduledAt" is not null` },
      calendar: { columns: ['coalesce("publishedAt", "scheduledAt")'] },
    },
  }),
  // The lists of ids in a post as rows, for keys and filters.
  recordTable({
    name: 'socialPostAccounts',
    columns: { socialPostId: 'id', socialAccountId: 'id' },
    references: { socialPostId: 'socialPosts', socialAccountId: 'socialAccounts' },
    indexes: {
      post_account: { columns: ['socialPostId', 'socialAccountId'], unique: true },
      socialAccountId: { columns: ['socialAccountId', 'socialPostId'] },
    },
  }),
  recordTable({
    name: 'socialPostAssets',
    columns: { socialPostId: 'id', assetId: 'id' },
    references: { socialPostId: 'socialPosts', assetId: 'assets' },
    indexes: {
      post_asset: { columns: ['socialPostId', 'assetId'], unique: true },
      assetId: { columns: ['assetId', 'socialPostId'] },
    },
  }),
] as const satisfies readonly TableSpec[];
