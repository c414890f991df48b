import { z } from 'zod';
import {
  byRule,
  defaulted,
  equals,
  from,
  immutable,
  optional,
  readOnly,
  required,
  to,
} from './declare.ts';
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
  about:
    'An account of the team on a social platform. The publishing system keeps its tokens; the interface never contains them.',
  get fields() {
    return {
      platform: immutable(
        decision,
        fields.slug,
        "Machine name of the platform, such as instagram. Can't be changed.",
      ),
      externalId: immutable(
        decision,
        fields.name,
        "Id on the platform, unique there. Can't be changed.",
      ),
      displayName: required(decision, fields.name, 'Display name.'),
      handle: optional(decision, fields.name, 'Name on the platform, such as @carstorage.'),
      status: defaulted(
        decision,
        z.enum(connections),
        'connected',
        'Whether posts can be published to the account.',
      ),
      tokenExpiresAt: optional(
        decision,
        fields.timestamp,
        'When the permission to publish expires.',
      ),
    };
  },
  get filters() {
    return {
      platform: equals(decision, fields.slug, 'platform', 'Accounts on this platform.'),
      status: equals(decision, z.enum(connections), 'status', 'Accounts with this status.'),
    };
  },
  unique: [{ field: 'externalId', within: 'platform' }],
  operations: {
    list: { source: decision, scope: read, about: 'List social accounts.' },
    get: { source: decision, scope: read, about: 'Read a social account.' },
    create: {
      source: decision,
      scope: write,
      about: 'Connect a social account.',
      problems: ['duplicate'],
    },
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
  about:
    'A text, optionally with pictures, for social accounts at a scheduled time. Posts are recorded, not delivered.',
  get fields() {
    return {
      body: required(decision, fields.notes.min(1), 'The text.'),
      socialAccountIds: defaulted(
        decision,
        z.array(fields.id).max(namedLimit),
        [],
        'Accounts to publish to. Required for scheduling.',
        {
          references: 'socialAccounts',
        },
      ),
      assetIds: defaulted(
        decision,
        z.array(fields.id).max(namedLimit),
        [],
        'Pictures and videos of the post, in this order.',
        {
          references: 'assets',
        },
      ),
      scheduledAt: optional(
        decision,
        fields.timestamp,
        'When to publish the post. Required for scheduling.',
      ),
      campaignId: optional(decision, fields.id, 'The campaign.', { references: 'campaigns' }),
      status: defaulted(
        decision,
        z.enum(statuses),
        'draft',
        'Status. publishing: some accounts are still waiting. failed: an account refused the post.',
      ),
      publishedAt: readOnly(
        decision,
        fields.timestamp.nullable(),
        'When the first account published it.',
      ),
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
        'Result for each account; externalId is the id on the platform.',
        { initial: [] },
      ),
    };
  },
  get filters() {
    return {
      status: equals(decision, z.enum(statuses), 'status', 'Posts with this status.'),
      socialAccountId: byRule(
        decision,
        fields.id,
        'Posts for this account.',
        ({ socialAccountIds: ids }, id) =>
          Array.isArray(ids) ? ids.includes(id) : ids === null ? false : undefined,
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
    create: {
      source: decision,
      scope: write,
      about: 'Create a social post, optionally scheduled.',
      problems: ['invalid_transition'],
    },
    update: {
      source: decision,
      scope: write,
      about: 'Change, schedule, withdraw or cancel a social post.',
      problems: ['invalid_transition'],
    },
  },
});
