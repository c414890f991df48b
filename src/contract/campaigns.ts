import { z } from 'zod';
import { customers } from './customers.ts';
import { defaulted, equals, immutable, optional, readOnly, required, search } from './declare.ts';
import * as fields from './fields.ts';
import { decision, resource, spec } from './resource.ts';

const read = { all: ['read:campaigns'] } as const;
const write = { all: ['write:campaigns'] } as const;
const channel = z.enum(['email', 'sms']);
const statuses = z.enum(['draft', 'scheduled', 'sending', 'paused', 'sent', 'cancelled']);
const campaignId = readOnly(decision, fields.id, 'The campaign.', { references: 'campaigns' });

export const campaigns = resource({
  name: 'campaigns',
  singular: 'campaign',
  plural: 'campaigns',
  path: '/marketing/campaigns',
  param: 'id',
  about:
    'Messages to many customers: audiences define the recipients, content steps the messages, and sends record each delivery.',
  get fields() {
    return {
      name: required(decision, fields.name, 'Name.'),
      channel: immutable(
        decision,
        channel,
        "Channel. Can't be changed, since audiences and steps depend on it. An sms campaign is recorded, not delivered, so it can't start.",
      ),
      fromName: optional(decision, fields.name, 'Sender name of e-mails, shown with fromAddress.'),
      fromAddress: optional(
        decision,
        fields.line(254),
        'Sender address. The operator must have allowed one of e-mail for the team.',
        {
          initialText: "the service's own address",
        },
      ),
      status: defaulted(
        decision,
        statuses,
        'draft',
        'Status. The service sets it to sent when no sends are queued any more.',
      ),
      scheduledAt: optional(
        decision,
        fields.timestamp,
        'When a scheduled campaign starts automatically.',
      ),
      startedAt: readOnly(decision, fields.timestamp.nullable(), 'When it started.'),
      completedAt: readOnly(
        decision,
        fields.timestamp.nullable(),
        'When the last send was finished.',
      ),
      stats: readOnly(
        decision,
        z.object({
          recipients: fields.count,
          queued: fields.count,
          sent: fields.count,
          delivered: fields.count,
          failed: fields.count,
          skipped: fields.count,
        }),
        'Number of recipients, and of sends in each status.',
        { initial: { recipients: 0, queued: 0, sent: 0, delivered: 0, failed: 0, skipped: 0 } },
      ),
    };
  },
  get filters() {
    return {
      status: equals(decision, statuses, 'status', 'Campaigns with this status.'),
      channel: equals(decision, channel, 'channel', 'Campaigns over this channel.'),
      q: search(decision, ['name'], ['name'], { fields: 'the name', keys: 'the name' }),
    };
  },
  transitions: {
    field: 'status',
    source: decision,
    first: ['draft'],
    to: {
      draft: ['scheduled', 'sending'],
      scheduled: ['draft', 'cancelled'],
      sending: ['paused', 'cancelled'],
      paused: ['sending', 'cancelled'],
      sent: [],
      cancelled: [],
    },
  },
  operations: {
    list: { source: decision, scope: read, about: 'List campaigns.' },
    get: { source: decision, scope: read, about: 'Read a campaign.' },
    create: {
      source: decision,
      scope: write,
      about: 'Create a campaign as a draft.',
      problems: ['invalid_transition'],
    },
    update: {
      source: decision,
      scope: write,
      about:
        'Change, schedule, start, pause or cancel a campaign. Starting needs an audience and a content step.',
      problems: ['invalid_transition', 'campaign_locked'],
    },
  },
});

/** The members of an audience: every given part must match; one entry of a list is enough. */
const audienceFilter = z.strictObject({
  customerStatus: z.array(customers.fields.status.schema).max(3).default([]),
  tags: z.array(fields.line(100)).max(50).default([]),
  locationId: fields.id.nullable().default(null),
  customerIds: z.array(fields.id).max(1_000).default([]),
});

export const campaignAudiences = resource({
  name: 'campaignAudiences',
  singular: 'audience',
  plural: 'audiences',
  path: '/marketing/campaigns/{id}/audiences',
  parent: { resource: 'campaigns', field: 'campaignId' },
  param: 'audienceId',
  about:
    'Customers who receive a campaign. A customer in several audiences receives it once, and so does an address that several customers share.',
  get fields() {
    return {
      campaignId,
      name: required(decision, fields.name, 'Name.'),
      filter: defaulted(
        decision,
        audienceFilter,
        { customerStatus: [], tags: [], locationId: null, customerIds: [] },
        'Customers must match every given part: status, any of the tags (ignoring case), a car at the location, any of these customers. An empty filter matches all customers.',
        { innerReferences: { locationId: 'locations', customerIds: 'customers' } },
      ),
      estimatedCount: readOnly(
        decision,
        fields.count,
        'Number of addresses that it reaches, without customers who opted out of the channel or have no address for it. Updated when the audience is changed and when the campaign is scheduled or started.',
      ),
    };
  },
  operations: {
    list: { source: decision, scope: read, about: 'List the audiences of a campaign.' },
    get: { source: decision, scope: read, about: 'Read an audience.' },
    create: {
      source: decision,
      scope: write,
      about: 'Add an audience to a campaign.',
      problems: ['campaign_locked'],
    },
    update: {
      source: decision,
      scope: write,
      about: 'Change an audience.',
      problems: ['campaign_locked'],
    },
    delete: {
      source: decision,
      scope: write,
      about: "Delete an audience. The last audience of a scheduled campaign can't be deleted.",
      problems: ['campaign_locked'],
    },
  },
});

export const campaignSteps = resource({
  name: 'campaignSteps',
  singular: 'content step',
  plural: 'content steps',
  path: '/marketing/campaigns/{id}/content',
  parent: { resource: 'campaigns', field: 'campaignId' },
  param: 'stepId',
  about: 'One message of a campaign, sent to each recipient.',
  get fields() {
    return {
      campaignId,
      position: {
        ...defaulted(
          decision,
          z.int().min(1),
          1,
          'Position among the steps, starting at 1. A higher number than the last means last. The other steps move.',
          { initialText: 'last', adjusts: 'always' },
        ),
        initial: undefined,
      },
      delayMinutes: defaulted(
        decision,
        z.int().min(0).max(527_040),
        0,
        'Delay in minutes after the previous step, or after the start for the first step; at most 366 days.',
      ),
      templateId: optional(
        decision,
        fields.id,
        'Template to copy. Its subject and text are used where none are given.',
        {
          references: 'templates',
        },
      ),
      subject: optional(decision, fields.line(255), 'Subject line. Required for e-mail.'),
      body: {
        ...optional(decision, fields.notes.min(1), 'The text. Required without a template.'),
        schema: fields.notes.min(1),
      },
    };
  },
  order: { field: 'position', direction: 'asc' },
  operations: {
    list: {
      source: decision,
      scope: read,
      about: 'List the content steps of a campaign in order.',
    },
    get: { source: decision, scope: read, about: 'Read a content step.' },
    create: {
      source: decision,
      scope: write,
      about: 'Add a content step to a campaign.',
      problems: ['campaign_locked'],
    },
    update: {
      source: decision,
      scope: write,
      about: 'Change or move a content step.',
      problems: ['campaign_locked'],
    },
    delete: {
      source: spec,
      scope: write,
      about:
        "Delete a content step. Later steps move up, and its queued sends are skipped. The last step of a scheduled campaign can't be deleted.",
      problems: ['campaign_locked'],
    },
  },
});

export const skipReasons = [
  'opted_out',
  'no_address',
  'not_in_audience',
  'step_deleted',
  'campaign_cancelled',
] as const;
const sendStatuses = z.enum(['queued', 'sent', 'delivered', 'failed', 'skipped']);

export const campaignSends = resource({
  name: 'campaignSends',
  singular: 'send',
  plural: 'sends',
  path: '/marketing/campaigns/{id}/sends',
  parent: { resource: 'campaigns', field: 'campaignId' },
  param: 'sendId',
  about: 'One content step for one recipient. Created when the campaign starts.',
  get fields() {
    return {
      campaignId,
      contentStepId: readOnly(
        decision,
        fields.id.nullable(),
        'The content step; null after it was deleted.',
        {
          references: 'campaignSteps',
        },
      ),
      customerId: readOnly(decision, fields.id, 'The customer.', { references: 'customers' }),
      contactId: readOnly(
        decision,
        fields.id.nullable(),
        'Always null: campaigns are sent to customers only.',
        { references: 'contacts' },
      ),
      recipient: readOnly(
        decision,
        fields.line(254),
        "The customer's address or number when the send was created.",
      ),
      status: readOnly(
        decision,
        sendStatuses,
        "queued: not sent yet. skipped: won't be sent, for the reason in skipReason.",
      ),
      skipReason: readOnly(decision, z.enum(skipReasons).nullable(), 'Why it was skipped.'),
      error: readOnly(decision, z.string().nullable(), 'Why it failed.'),
      attempts: readOnly(decision, fields.count, 'Number of attempts to send it.', { initial: 0 }),
      sentAt: readOnly(decision, fields.timestamp.nullable(), 'When it was sent.'),
    };
  },
  get filters() {
    return {
      status: equals(decision, sendStatuses, 'status', 'Sends with this status.'),
      customerId: equals(decision, fields.id, 'customerId', 'Sends to this customer.'),
      contentStepId: equals(decision, fields.id, 'contentStepId', 'Sends of this content step.'),
    };
  },
  operations: {
    list: { source: decision, scope: read, about: 'List the sends of a campaign.' },
    get: { source: decision, scope: read, about: 'Read a send.' },
  },
});
