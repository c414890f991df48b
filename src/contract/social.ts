import { z } from 'zod';
import { byRule, defaulted, equals, from, immutable, optional, readOnly, required, to } from './declare.ts';
import * as fields from './fields.ts';
import { decision, resource } from './resource.ts';

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
      platform: immutable(decision, fields.slug, 'Machine name of the platform, such as instagram; never changes.'),
      externalId: immutable(decision, fields.name, 'The id on the platform, unique there; never changes.'),
      displayName: required(decision, fields.name, 'What people call the account.'),
      handle: optional(decision, fields.name, 'The name on the platform, such as @carstorage.'),
      status: defaulted(decision, z.enum(connections), 'connected', 'Whether posts can be published to it.'),
      tokenExpiresAt: optional(decision, fields.timestamp, 'When the permission to publish ends.'),
    };
  },
  get filters() {
    return {
      platform: equals(decision, fields.slug, 'platform', 'Accounts on this platform.'),
      status: equals(decision, z.enum(connections), 'status', 'Accounts in this state.'),
    };
  },
  unique: [{ field: 'externalId', within: 'platform' }],
  operations: {
    list: { source: decision, scope: read, about: 'List social accounts.' },
    get: { source: decision, scope: read, about: 'Read a social account.' },
    create: { source: decision, scope: write, about: 'Connect a social account.', problems: ['duplicate'] },
    update: { source: decision, scope: write, about: 'Change a social account.' },
  },
});

const statuses = ['draft', 'scheduled', 'publishing', 'published', 'failed', 'cancelled'] as const;
/** The largest number of accounts, and of assets, in a post (decision). */
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
      body: required(decision, fields.notes.min(1), 'The text.'),
      socialAccountIds: defaulted(decision, z.array(fields.id).max(namedLimit), [], 'The accounts that it is for; needed to schedule it.', {
        references: 'socialAccounts',
      }),
      assetIds: defaulted(decision, z.array(fields.id).max(namedLimit), [], 'Pictures and films that go with it, in this order.', {
        references: 'assets',
      }),
      scheduledAt: optional(decision, fields.timestamp, 'When it is to go out; needed to schedule it.'),
      campaignId: optional(decision, fields.id, 'The campaign that it belongs to.', { references: 'campaigns' }),
      status: defaulted(
        decision,
        z.enum(statuses),
        'draft',
        'scheduled until it is handed over, publishing while some accounts have it and others wait, failed when an account did not take it.',
      ),
      publishedAt: readOnly(decision, fields.timestamp.nullable(), 'When the first account took it.'),
      results: readOnly(
        decision,
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
      status: equals(decision, z.enum(statuses), 'status', 'Posts in this state.'),
      socialAccountId: byRule(decision, fields.id, 'Posts for this account.', ({ socialAccountIds: ids }, id) =>
        Array.isArray(ids) ? ids.includes(id) : undefined,
      ),
      campaignId: equals(decision, fields.id, 'campaignId', 'Posts of this campaign.'),
      from: from(decision, 'scheduledAt', 'Posts scheduled at or after this time.'),
      to: to(decision, 'scheduledAt', 'Posts scheduled at or before this time.'),
    };
  },
  // Only the service sets publishing, published and failed.
  transitions: {
    field: 'status',
    source: decision,
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
    list: { source: decision, scope: read, about: 'List social posts.' },
    get: { source: decision, scope: read, about: 'Read a social post.' },
    create: { source: decision, scope: write, about: 'Write a social post, and schedule it perhaps.', problems: ['invalid_transition'] },
    update: {
      source: decision,
      scope: write,
      about: 'Change, schedule, withdraw or cancel a social post.',
      problems: ['invalid_transition'],
    },
  },
});
