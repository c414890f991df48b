import { z } from 'zod';
import { defaulted, equals, immutable, optional, readOnly } from './declare.ts';
import * as fields from './fields.ts';
import { decision, resource } from './resource.ts';

const channels = ['email', 'sms', 'internal'] as const;
const threadStatuses = ['open', 'pending', 'resolved'] as const;
const messageStatuses = ['received', 'stored', 'queued', 'sent', 'delivered', 'failed'] as const;
const read = { all: ['read:communications'] } as const;
const write = { all: ['write:communications'] } as const;

export const threads = resource({
  name: 'threads',
  singular: 'thread',
  plural: 'threads',
  path: '/communications/threads',
  param: 'id',
  about: 'A conversation over one channel, with a contact or a customer, or among staff.',
  get fields() {
    return {
      channel: immutable(decision, z.enum(channels), 'What its messages travel by; never changes. internal never leaves the facility.'),
      subject: optional(decision, fields.name, 'What it is about; the subject of its e-mails.'),
      customerId: optional(decision, fields.id, 'The customer.', { references: 'customers' }),
      contactId: optional(decision, fields.id, 'The contact; written to instead of the customer when both are given.', {
        references: 'contacts',
      }),
      carId: optional(decision, fields.id, 'The car that it is about.', { references: 'cars' }),
      status: defaulted(decision, z.enum(threadStatuses), 'open', 'A message that comes in opens a resolved thread again.'),
      lastMessageAt: readOnly(decision, fields.timestamp.nullable(), 'When its latest message was stored.'),
      messageCount: readOnly(decision, fields.count, 'How many messages it holds.', { initial: 0 }),
    };
  },
  get filters() {
    return {
      customerId: equals(decision, fields.id, 'customerId', 'Threads with this customer.'),
      contactId: equals(decision, fields.id, 'contactId', 'Threads with this contact.'),
      status: equals(decision, z.enum(threadStatuses), 'status', 'Threads in this state.'),
      channel: equals(decision, z.enum(channels), 'channel', 'Threads over this channel.'),
    };
  },
  operations: {
    list: { source: decision, scope: read, about: 'List threads.' },
    get: { source: decision, scope: read, about: 'Read a thread.' },
    create: { source: decision, scope: write, about: 'Start a thread.' },
    update: { source: decision, scope: write, about: 'Change a thread.' },
  },
});

export const messages = resource({
  name: 'messages',
  singular: 'message',
  plural: 'messages',
  path: '/communications/threads/{id}/messages',
  parent: { resource: 'threads', field: 'threadId' },
  param: 'messageId',
  about: 'What was said in a thread. An outbound message is queued and handed over as soon as something carries its channel.',
  get fields() {
    return {
      threadId: readOnly(decision, fields.id, 'The thread.', { references: 'threads' }),
      direction: immutable(decision, z.enum(['inbound', 'outbound', 'internal']), 'From outside, to outside, or a note among staff.'),
      body: immutable(decision, fields.notes.regex(/\S/, 'must not be blank'), 'The text; never changes.'),
      status: readOnly(
        decision,
        z.enum(messageStatuses),
        'received when it came in, stored for a note. Outbound: queued until it was handed over, then sent, perhaps delivered; failed when it was refused.',
      ),
      recipient: readOnly(
        decision,
        fields.text(254).nullable(),
        'The address or number that it goes to, as it was when the message was written.',
      ),
      externalId: optional(
        decision,
        fields.name,
        'The id in another system; unique in the thread. Of an e-mail that was sent, its Message-ID unless another was given.',
      ),
      sentAt: readOnly(decision, fields.timestamp.nullable(), 'When it was handed over.'),
      error: readOnly(decision, fields.text(1_000).nullable(), 'Why it failed.'),
    };
  },
  unique: [{ field: 'externalId', within: 'threadId' }],
  order: { field: 'createdAt', direction: 'asc' },
  operations: {
    list: { source: decision, scope: read, about: 'List the messages of a thread, oldest first.' },
    get: { source: decision, scope: read, about: 'Read a message.' },
    create: {
      source: decision,
      scope: write,
      about: 'Write a message, or store one that came in.',
      existing: 'The thread has a message with this externalId already: the message that is there.',
      problems: ['recipient_missing'],
    },
    update: { source: decision, scope: write, about: "Change a message's externalId.", problems: ['duplicate'] },
  },
});
