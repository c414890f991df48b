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
  about: 'What is sent to many: to whom (audiences), what and when (content steps), and what became of it (sends).',
  get fields() {
    return {
      name: required(decision, fields.name, 'What people call it.'),
      channel: immutable(decision, channel, 'How it reaches people; never changes, since audiences and steps are made for it.'),
      fromName: optional(decision, fields.name, 'The name that it comes from, beside fromAddress; for e-mail.'),
      fromAddress: optional(
        decision,
        fields.line(254),
        "The address that it comes from; one that the operator allowed for the team. The service's own when left out.",
      ),
      status: defaulted(decision, statuses, 'draft', 'Where it stands; the service sets it to sent once nothing is queued any more.'),
      scheduledAt: optional(decision, fields.timestamp, 'When it starts by itself, once it is scheduled.'),
      startedAt: readOnly(decision, fields.timestamp.nullable(), 'When it started.'),
      completedAt: readOnly(decision, fields.timestamp.nullable(), 'When the last send was settled.'),
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
        'How many people it reaches, and how many of its sends stand where.',
        { initial: { recipients: 0, queued: 0, sent: 0, delivered: 0, failed: 0, skipped: 0 } },
      ),
    };
  },
  get filters() {
    return {
      status: equals(decision, statuses, 'status', 'Campaigns in this state.'),
      channel: equals(decision, channel, 'channel', 'Campaigns that go out this way.'),
      q: search(decision, ['name'], ['name'], 'Words found in the name.'),
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
    create: { source: decision, scope: write, about: 'Create a campaign, as a draft.', problems: ['invalid_transition'] },
    update: {
      source: decision,
      scope: write,
      about: 'Change, schedule, start, pause or cancel a campaign. It starts only with an audience and a content step.',
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
  about: 'Customers that a campaign goes to. Someone in several audiences of it gets it once, and so does an address that several have.',
  get fields() {
    return {
      campaignId,
      name: required(decision, fields.name, 'What people call it.'),
      filter: defaulted(
        decision,
        audienceFilter,
        { customerStatus: [], tags: [], locationId: null, customerIds: [] },
        'Who belongs to it: state, any of the tags whatever their case, a car at the location, these customers. Every part that is given must hold; without any it is everybody.',
        { innerReferences: { locationId: 'locations', customerIds: 'customers' } },
      ),
      estimatedCount: readOnly(
        decision,
        fields.count,
        'How many addresses it reaches: without those who opted out of the channel or have no address for it. Counted when the audience is written and when the campaign is scheduled or started.',
      ),
    };
  },
  operations: {
    list: { source: decision, scope: read, about: 'List the audiences of a campaign.' },
    get: { source: decision, scope: read, about: 'Read an audience.' },
    create: { source: decision, scope: write, about: 'Add an audience to a campaign.', problems: ['campaign_locked'] },
    update: { source: decision, scope: write, about: 'Change an audience.', problems: ['campaign_locked'] },
    delete: {
      source: decision,
      scope: write,
      about: 'Remove an audience. A scheduled campaign keeps its last one.',
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
  about: 'One thing that a campaign sends to each of its people.',
  get fields() {
    return {
      campaignId,
      position: {
        ...defaulted(
          decision,
          z.int().min(1),
          1,
          'Place among the steps, counted from 1; the last when left out or beyond it. The others make room.',
        ),
        initial: undefined,
      },
      delayMinutes: defaulted(
        decision,
        z.int().min(0).max(527_040),
        0,
        'How long after the step before it, or for the first after the start, it goes out; at most 366 days.',
      ),
      templateId: optional(
        decision,
        fields.id,
        'The template that gives the subject and text that are not given here; copied when it is named.',
        {
          references: 'templates',
        },
      ),
      subject: optional(decision, fields.line(255), 'Subject line; e-mail needs one.'),
      body: {
        ...optional(decision, fields.notes.min(1), 'The text; needed unless a template gives it.'),
        schema: fields.notes.min(1),
      },
    };
  },
  order: { field: 'position', direction: 'asc' },
  operations: {
    list: { source: decision, scope: read, about: 'List the content steps of a campaign, in their order.' },
    get: { source: decision, scope: read, about: 'Read a content step.' },
    create: { source: decision, scope: write, about: 'Add a content step to a campaign.', problems: ['campaign_locked'] },
    update: { source: decision, scope: write, about: 'Change or move a content step.', problems: ['campaign_locked'] },
    delete: {
      source: spec,
      scope: write,
      about:
        'Delete a content step; the later ones close up, and what it still had queued is skipped. A scheduled campaign keeps its last one.',
      problems: ['campaign_locked'],
    },
  },
});

export const skipReasons = ['opted_out', 'no_address', 'not_in_audience', 'step_deleted', 'campaign_cancelled'] as const;
const sendStatuses = z.enum(['queued', 'sent', 'delivered', 'failed', 'skipped']);

export const campaignSends = resource({
  name: 'campaignSends',
  singular: 'send',
  plural: 'sends',
  path: '/marketing/campaigns/{id}/sends',
  parent: { resource: 'campaigns', field: 'campaignId' },
  param: 'sendId',
  about: 'One content step to one person. Made when the campaign starts.',
  get fields() {
    return {
      campaignId,
      contentStepId: readOnly(decision, fields.id.nullable(), 'The content step; null once that was deleted.', {
        references: 'campaignSteps',
      }),
      customerId: readOnly(decision, fields.id, 'The customer.', { references: 'customers' }),
      contactId: readOnly(decision, fields.id.nullable(), 'Always null: campaigns go to customers themselves.', { references: 'contacts' }),
      recipient: readOnly(decision, fields.line(254), 'The address or number that the customer had when the send was made.'),
      status: readOnly(decision, sendStatuses, 'queued until it was handed over; skipped when it no longer should be.'),
      skipReason: readOnly(decision, z.enum(skipReasons).nullable(), 'Why it was skipped.'),
      error: readOnly(decision, z.string().nullable(), 'Why it failed.'),
      attempts: readOnly(decision, fields.count, 'How often it was handed over.', { initial: 0 }),
      sentAt: readOnly(decision, fields.timestamp.nullable(), 'When it was handed over.'),
    };
  },
  get filters() {
    return {
      status: equals(decision, sendStatuses, 'status', 'Sends that stand there.'),
      customerId: equals(decision, fields.id, 'customerId', 'Sends to this customer.'),
      contentStepId: equals(decision, fields.id, 'contentStepId', 'Sends of this content step.'),
    };
  },
  operations: {
    list: { source: decision, scope: read, about: 'List the sends of a campaign.' },
    get: { source: decision, scope: read, about: 'Read a send.' },
  },
});
