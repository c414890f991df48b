import { z } from 'zod';
import { defaulted, equals, fixed, optional, shown } from './declare.ts';
import * as fields from './fields.ts';
import { D, resource } from './resource.ts';

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
      channel: fixed(D, z.enum(channels), 'What its messages travel by; never changes. internal never leaves the facility.'),
      subject: optional(D, fields.name, 'What it is about; the subject of its e-mails.'),
      customerId: optional(D, fields.id, 'The customer.', { references: 'customers' }),
      contactId: optional(D, fields.id, 'The contact; written to instead of the customer when both are given.', { references: 'contacts' }),
      carId: optional(D, fields.id, 'The car that it is about.', { references: 'cars' }),
      status: defaulted(D, z.enum(threadStatuses), 'open', 'A message that comes in opens a resolved thread again.'),
      lastMessageAt: shown(D, fields.timestamp.nullable(), 'When its latest message was stored.'),
      messageCount: shown(D, fields.count, 'How many messages it holds.', { initial: 0 }),
    };
  },
  get filters() {
    return {
      customerId: equals(D, fields.id, 'customerId', 'Threads with this customer.'),
      contactId: equals(D, fields.id, 'contactId', 'Threads with this contact.'),
      status: equals(D, z.enum(threadStatuses), 'status', 'Threads in this state.'),
      channel: equals(D, z.enum(channels), 'channel', 'Threads over this channel.'),
    };
  },
  operations: {
    list: { source: D, scope: read, about: 'List threads.' },
    get: { source: D, scope: read, about: 'Read a thread.' },
    create: { source: D, scope: write, about: 'Start a thread.' },
    update: { source: D, scope: write, about: 'Change a thread.' },
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
      threadId: shown(D, fields.id, 'The thread.', { references: 'threads' }),
      direction: fixed(D, z.enum(['inbound', 'outbound', 'internal']), 'From outside, to outside, or a note among staff.'),
      body: fixed(D, fields.notes.regex(/\S/, 'must not be blank'), 'The text; never changes.'),
      status: shown(
        D,
        z.enum(messageStatuses),
        'received when it came in, stored for a note. Outbound: queued until it was handed over, then sent, perhaps delivered; failed when it was refused.',
      ),
      recipient: shown(D, fields.text(254).nullable(), 'The address or number that it goes to, as it was when the message was written.'),
      externalId: optional(
        D,
        fields.name,
        'The id in another system; unique in the thread. Of an e-mail that was sent, its Message-ID unless another was given.',
      ),
      sentAt: shown(D, fields.timestamp.nullable(), 'When it was handed over.'),
      error: shown(D, fields.text(1_000).nullable(), 'Why it failed.'),
    };
  },
  unique: [{ field: 'externalId', within: 'threadId' }],
  order: { field: 'createdAt', direction: 'asc' },
  operations: {
    list: { source: D, scope: read, about: 'List the messages of a thread, oldest first.' },
    get: { source: D, scope: read, about: 'Read a message.' },
    create: {
      source: D,
      scope: write,
      about: 'Write a message, or store one that came in.',
      existing: 'The thread has a message with this externalId already: the message that is there.',
      problems: ['recipient_missing'],
    },
    update: { source: D, scope: write, about: "Change a message's externalId.", problems: ['duplicate'] },
  },
});
