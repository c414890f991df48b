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
  about: 'A conversation over one channel with a customer or a contact, or among staff.',
  get fields() {
    return {
      channel: immutable(
        decision,
        z.enum(channels),
        "Channel of the messages. Can't be changed. internal: messages never leave the facility.",
      ),
      subject: optional(decision, fields.name, 'Subject of the thread and of its e-mails.'),
      customerId: optional(decision, fields.id, 'The customer.', { references: 'customers' }),
      contactId: optional(
        decision,
        fields.id,
        'The contact. With both a contact and a customer, messages go to the contact.',
        {
          references: 'contacts',
        },
      ),
      carId: optional(decision, fields.id, 'The related car.', { references: 'cars' }),
      status: defaulted(
        decision,
        z.enum(threadStatuses),
        'open',
        'Status. An incoming message reopens a resolved thread.',
      ),
      lastMessageAt: readOnly(
        decision,
        fields.timestamp.nullable(),
        'When the latest message was stored.',
      ),
      messageCount: readOnly(decision, fields.count, 'Number of messages.', { initial: 0 }),
    };
  },
  get filters() {
    return {
      customerId: equals(decision, fields.id, 'customerId', 'Threads with this customer.'),
      contactId: equals(decision, fields.id, 'contactId', 'Threads with this contact.'),
      status: equals(decision, z.enum(threadStatuses), 'status', 'Threads with this status.'),
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
  about:
    'A message in a thread. Outbound e-mails are queued, and sent once the service has a mail server. SMS are recorded, not delivered.',
  get fields() {
    return {
      threadId: readOnly(decision, fields.id, 'The thread.', { references: 'threads' }),
      direction: immutable(
        decision,
        z.enum(['inbound', 'outbound', 'internal']),
        'inbound: received. outbound: to be sent. internal: a note among staff.',
      ),
      body: immutable(
        decision,
        fields.notes.regex(/\S/, 'must not be blank'),
        "The text. Can't be changed.",
      ),
      status: readOnly(
        decision,
        z.enum(messageStatuses),
        'received for inbound messages, stored for notes and SMS. Outbound e-mails are queued, then sent or failed, and delivered once confirmed.',
      ),
      recipient: readOnly(
        decision,
        fields.text(254).nullable(),
        'Address or number of the recipient when the message was written.',
      ),
      externalId: optional(
        decision,
        fields.name,
        'Id in another system, unique in the thread. A sent e-mail without one gets its Message-ID.',
      ),
      sentAt: readOnly(decision, fields.timestamp.nullable(), 'When it was sent.'),
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
      about: 'Write a message, or store a received one.',
      existing: 'The thread already has a message with this externalId. It is returned.',
      problems: ['recipient_missing'],
    },
    update: {
      source: decision,
      scope: write,
      about: "Change a message's externalId.",
      problems: ['duplicate'],
    },
  },
});
