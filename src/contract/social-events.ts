import { z } from 'zod';
import { createOnly, defaulted, equals, from, immutable, optional, readOnly, required, search, to } from './declare.ts';
import * as fields from './fields.ts';
import { decision, resource, spec } from './resource.ts';

const read = { all: ['read:social-events'] } as const;
const write = { all: ['write:social-events'] } as const;
const statuses = z.enum(['draft', 'published', 'completed', 'cancelled']);
const visibilities = z.enum(['public', 'invite_only']);
const socialEventId = readOnly(decision, fields.id, 'The social event.', { references: 'socialEvents' });
const parent = { resource: 'socialEvents', field: 'socialEventId' } as const;
const customerId = equals(decision, fields.id, 'customerId', 'Those of this customer.');
const contactId = equals(decision, fields.id, 'contactId', 'Those of this contact.');

export const socialEvents = resource({
  name: 'socialEvents',
  singular: 'social event',
  plural: 'social events',
  path: '/marketing/social-events',
  param: 'id',
  about: 'A gathering that people are asked to: an evening in the hall, a drive, a breakfast.',
  get fields() {
    return {
      title: required(decision, fields.name, 'Title.'),
      startAt: required(decision, fields.timestamp, 'When it begins.'),
      endAt: optional(decision, fields.timestamp, 'When it ends; after startAt.'),
      timezone: {
        ...defaulted(
          decision,
          fields.timezone,
          'UTC',
          "IANA time zone in which its times are told; the location's when left out, else the team's.",
        ),
        initial: undefined,
      },
      description: optional(decision, fields.notes, 'What people read about it.'),
      locationId: optional(decision, fields.id, 'The location where it takes place, if it is one of the facility.', {
        references: 'locations',
      }),
      venue: optional(decision, fields.name, 'Where it takes place, in words.'),
      capacity: optional(decision, z.int().min(1), 'How many people may come, guests included; null for no limit.'),
      rsvpDeadline: optional(
        decision,
        fields.timestamp,
        'Until when RSVPs are taken; not after startAt. Without one they are taken while it is published.',
      ),
      visibility: defaulted(decision, visibilities, 'public', 'Whether anyone may reply, or only who was invited.'),
      coverAssetId: optional(decision, fields.id, 'The picture that stands for it: an asset that is an image.', { references: 'assets' }),
      status: defaulted(decision, statuses, 'draft', 'RSVPs are taken while it is published.'),
      counts: readOnly(
        decision,
        z.strictObject({
          invited: fields.count,
          going: fields.count,
          maybe: fields.count,
          declined: fields.count,
          guests: fields.count,
        }),
        'Invites that were not cancelled, RSVPs of each kind, and the people that those who are going make: their partySize together.',
        { initial: { invited: 0, going: 0, maybe: 0, declined: 0, guests: 0 } },
      ),
    };
  },
  get filters() {
    return {
      status: equals(decision, statuses, 'status', 'Social events in this state.'),
      visibility: equals(decision, visibilities, 'visibility', 'Those for anyone, or those for who was invited.'),
      locationId: equals(decision, fields.id, 'locationId', 'Social events at this location.'),
      startFrom: from(decision, 'startAt', 'Those that begin at or after this time.'),
      startTo: to(decision, 'startAt', 'Those that begin at or before this time.'),
      q: search(decision, ['title', 'venue', 'description'], ['title'], 'Words found in title, venue or description.'),
    };
  },
  transitions: {
    field: 'status',
    source: decision,
    first: ['draft', 'published'],
    to: { draft: ['published', 'cancelled'], published: ['completed', 'cancelled'], completed: [], cancelled: [] },
  },
  operations: {
    list: { source: decision, scope: read, about: 'List social events.' },
    get: { source: decision, scope: read, about: 'Read a social event.' },
    create: {
      source: decision,
      scope: write,
      about: 'Create a social event, with three RSVP options: going, maybe and declined.',
      problems: ['invalid_transition', 'location_inactive'],
    },
    update: { source: decision, scope: write, about: 'Change a social event.', problems: ['invalid_transition', 'location_inactive'] },
    delete: { source: spec, scope: write, about: 'Delete a social event with its RSVP options, invites and RSVPs.' },
  },
});

export const rsvpOptions = resource({
  name: 'rsvpOptions',
  singular: 'RSVP option',
  plural: 'RSVP options',
  path: '/marketing/social-events/{id}/rsvp-options',
  parent,
  param: 'optionId',
  about: 'One of the replies that a social event offers.',
  get fields() {
    return {
      socialEventId,
      label: required(decision, fields.name, 'What people choose by.'),
      kind: immutable(decision, z.enum(['going', 'maybe', 'declined']), 'What choosing it means; never changes.'),
      capacity: optional(
        decision,
        z.int().min(1),
        'How many people may choose it, guests included, when its kind is going; null for no limit.',
      ),
      position: {
        ...defaulted(
          decision,
          z.int().min(1),
          1,
          'Place among the options, counted from 1; the last when left out or beyond it. The others make room.',
        ),
        initial: undefined,
      },
    };
  },
  order: { field: 'position', direction: 'asc' },
  operations: {
    list: { source: decision, scope: read, about: 'List the RSVP options of a social event, in their order.' },
    get: { source: decision, scope: read, about: 'Read an RSVP option.' },
    create: { source: decision, scope: write, about: 'Add an RSVP option to a social event.' },
    update: { source: decision, scope: write, about: 'Change or move an RSVP option.' },
    delete: {
      source: decision,
      scope: write,
      about: 'Delete an RSVP option that nobody chose; the later ones close up.',
      problems: ['resource_in_use'],
    },
  },
});

/** A cancelled invite doesn't block a new one. */
const unless = { field: 'status', is: 'cancelled' } as const;
const inviteStatuses = z.enum(['pending', 'sent', 'responded', 'cancelled']);

export const invites = resource({
  name: 'invites',
  singular: 'invite',
  plural: 'invites',
  path: '/marketing/social-events/{id}/invites',
  parent,
  param: 'inviteId',
  about: 'Someone who is asked to a social event: exactly one of customer, contact, e-mail address and phone number.',
  get fields() {
    return {
      socialEventId,
      customerId: createOnly(decision, fields.id, 'The customer who is invited.', { references: 'customers' }),
      contactId: createOnly(decision, fields.id, 'The contact who is invited; null also once the contact was deleted.', {
        references: 'contacts',
      }),
      email: createOnly(decision, fields.email, 'The e-mail address that is invited.'),
      phone: createOnly(decision, fields.phone, 'The phone number that is invited.'),
      status: defaulted(decision, inviteStatuses, 'pending', 'sent is noted by whoever sends it; responded comes from an RSVP.'),
    };
  },
  filters: { status: equals(decision, inviteStatuses, 'status', 'Invites in this state.'), customerId, contactId },
  unique: [
    { field: 'customerId', within: 'socialEventId', unless },
    { field: 'contactId', within: 'socialEventId', unless },
    { field: 'email', within: 'socialEventId', ignoreCase: true, unless },
    { field: 'phone', within: 'socialEventId', unless },
  ],
  atLeastOne: ['customerId', 'contactId', 'email', 'phone'],
  transitions: {
    field: 'status',
    source: decision,
    first: ['pending', 'sent'],
    to: { pending: ['sent', 'cancelled'], sent: ['cancelled'], responded: ['cancelled'], cancelled: [] },
  },
  operations: {
    list: { source: decision, scope: read, about: 'List the invites of a social event.' },
    get: { source: decision, scope: read, about: 'Read an invite.' },
    create: {
      source: decision,
      scope: write,
      about: 'Invite someone to a social event.',
      problems: ['conflicting_fields', 'duplicate', 'invalid_transition'],
    },
    update: {
      source: decision,
      scope: write,
      about: 'Note that an invite was sent, or cancel it.',
      problems: ['invalid_transition'],
    },
    delete: { source: decision, scope: write, about: 'Delete an invite. The RSVP that answered it stays.' },
  },
});

export const rsvps = resource({
  name: 'rsvps',
  singular: 'RSVP',
  plural: 'RSVPs',
  path: '/marketing/social-events/{id}/rsvps',
  parent,
  param: 'rsvpId',
  about: "Someone's reply to a social event, one a person.",
  get fields() {
    return {
      socialEventId,
      rsvpOptionId: required(decision, fields.id, 'The reply: an option of the same social event.', { references: 'rsvpOptions' }),
      inviteId: createOnly(
        decision,
        fields.id,
        'The invite that it answers; when left out, the open one to who replies, by customer, contact or e-mail. One is needed when the social event is invite_only.',
        { references: 'invites' },
      ),
      customerId: createOnly(decision, fields.id, 'The customer who replies; the invited one when left out.', { references: 'customers' }),
      contactId: createOnly(decision, fields.id, 'The contact who replies; the invited one when left out.', { references: 'contacts' }),
      guestName: createOnly(decision, fields.name, "Who replies; the customer's or contact's name when left out."),
      email: createOnly(decision, fields.email, 'E-mail address of who replies; the invited one when left out.'),
      partySize: defaulted(decision, z.int().min(1).max(20), 1, 'How many people come, who replies included.'),
      notes: optional(decision, fields.notes, 'Free text.'),
    };
  },
  get filters() {
    return {
      rsvpOptionId: equals(decision, fields.id, 'rsvpOptionId', 'RSVPs with this option.'),
      inviteId: equals(decision, fields.id, 'inviteId', 'The RSVP to this invite.'),
      customerId,
      contactId,
      q: search(decision, ['guestName', 'email'], ['guestName', 'email'], 'Words found in name or e-mail.'),
    };
  },
  atLeastOne: ['inviteId', 'customerId', 'contactId', 'guestName', 'email'],
  unique: [
    { field: 'inviteId' },
    { field: 'customerId', within: 'socialEventId' },
    { field: 'contactId', within: 'socialEventId' },
    { field: 'email', within: 'socialEventId', ignoreCase: true },
  ],
  operations: {
    list: { source: decision, scope: read, about: 'List the RSVPs of a social event.' },
    get: { source: decision, scope: read, about: 'Read an RSVP.' },
    create: {
      source: decision,
      scope: write,
      about: 'Reply to a social event.',
      problems: ['conflicting_fields', 'duplicate', 'event_full', 'rsvp_closed'],
    },
    update: {
      source: decision,
      scope: write,
      about: 'Change the reply, the party or the notes.',
      problems: ['event_full', 'rsvp_closed'],
    },
  },
});
