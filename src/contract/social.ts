import { z } from 'zod';
import { byRule, defaulted, equals, fixed, from, optional, required, shown, to } from './declare.ts';
import * as fields from './fields.ts';
import { D, resource } from './resource.ts';

const read = { all: ['read:campaigns'] } as const;
const write = { all: ['write:campaigns'] } as const;

const connections = ['connected', 'expired', 'disconnected'] as const;

export const socialAccounts = resource({
  name: 'socialAccounts',
  singular: 'social account',
  plural: 'social accounts',
  path: '/marketing/social-accounts',
  param: 'id',
  about: 'An account of the team on a social platform. Its tokens are kept by what publishes there and are never part of the interface.',
  get fields() {
    return {
      platform: fixed(D, fields.slug, 'Machine name of the platform, such as instagram; never changes.'),
      externalId: fixed(D, fields.name, 'The id on the platform, unique there; never changes.'),
      displayName: required(D, fields.name, 'What people call the account.'),
      handle: optional(D, fields.name, 'The name on the platform, such as @carstorage.'),
      status: defaulted(D, z.enum(connections), 'connected', 'Whether posts can be published to it.'),
      tokenExpiresAt: optional(D, fields.timestamp, 'When the permission to publish ends.'),
    };
  },
  get filters() {
    return {
      platform: equals(D, fields.slug, 'platform', 'Accounts on this platform.'),
      status: equals(D, z.enum(connections), 'status', 'Accounts in this state.'),
    };
  },
  unique: [{ field: 'externalId', within: 'platform' }],
  operations: {
    list: { source: D, scope: read, about: 'List social accounts.' },
    get: { source: D, scope: read, about: 'Read a social account.' },
    create: { source: D, scope: write, about: 'Connect a social account.', problems: ['duplicate'] },
    update: { source: D, scope: write, about: 'Change a social account.' },
  },
});

const statuses = ['draft', 'scheduled', 'publishing', 'published', 'failed', 'cancelled'] as const;
/** How many accounts, and how many assets, a post can name (decision). */
const namedLimit = 20;

export const socialPosts = resource({
  name: 'socialPosts',
  singular: 'social post',
  plural: 'social posts',
  path: '/marketing/social-posts',
  param: 'id',
  about: 'A text, with pictures perhaps, that is published on social accounts at its time.',
  get fields() {
    return {
      body: required(D, fields.notes.min(1), 'The text.'),
      socialAccountIds: defaulted(D, z.array(fields.id).max(namedLimit), [], 'The accounts that it is for; needed to schedule it.', {
        references: 'socialAccounts',
      }),
      assetIds: defaulted(D, z.array(fields.id).max(namedLimit), [], 'Pictures and films that go with it, in this order.', {
        references: 'assets',
      }),
      scheduledAt: optional(D, fields.timestamp, 'When it is to go out; needed to schedule it.'),
      campaignId: optional(D, fields.id, 'The campaign that it belongs to.', { references: 'campaigns' }),
      status: defaulted(
        D,
        z.enum(statuses),
        'draft',
        'scheduled until it is handed over, publishing while some accounts have it and others wait, failed when an account did not take it.',
      ),
      publishedAt: shown(D, fields.timestamp.nullable(), 'When the first account took it.'),
      results: shown(
        D,
        z.array(
          z.object({
            socialAccountId: fields.id,
            status: z.enum(['published', 'failed']),
            externalId: z.string().nullable(),
            error: z.string().nullable(),
            at: fields.timestamp,
          }),
        ),
        'What became of it on each account to which it was handed over; externalId is the id there.',
        { initial: [] },
      ),
    };
  },
  get filters() {
    return {
      status: equals(D, z.enum(statuses), 'status', 'Posts in this state.'),
      socialAccountId: byRule(D, fields.id, 'Posts for this account.'),
      campaignId: equals(D, fields.id, 'campaignId', 'Posts of this campaign.'),
      from: from(D, 'scheduledAt', 'Posts scheduled at or after this time.'),
      to: to(D, 'scheduledAt', 'Posts scheduled at or before this time.'),
    };
  },
  // publishing, published and failed say what happened, so only the service sets them.
  transitions: {
    field: 'status',
    source: D,
    first: ['draft', 'scheduled'],
    to: {
      draft: ['scheduled', 'cancelled'],
      scheduled: ['draft', 'cancelled'],
      publishing: [],
      published: [],
      failed: ['scheduled'],
      cancelled: [],
    },
  },
  operations: {
    list: { source: D, scope: read, about: 'List social posts.' },
    get: { source: D, scope: read, about: 'Read a social post.' },
    create: { source: D, scope: write, about: 'Write a social post, and schedule it perhaps.', problems: ['invalid_transition'] },
    update: { source: D, scope: write, about: 'Change, schedule, withdraw or cancel a social post.', problems: ['invalid_transition'] },
  },
});
