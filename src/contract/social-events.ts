import { z } from 'zod';
import {
  createOnly,
  defaulted,
  equals,
  from,
  immutable,
  optional,
  readOnly,
  required,
  search,
  to,
} from './declare.ts';
import * as fields from './fields.ts';
import { decision, resource, spec } from './resource.ts';

const read = { all: ['read:social-events'] } as const;
const write = { all: ['write:social-events'] } as const;
const statuses = z.enum(['draft', 'published', 'completed', 'cancelled']);
const visibilities = z.enum(['public', 'invite_only']);
const socialEventId = readOnly(decision, fields.id, 'The social event.', {
  references: 'socialEvents',
});
const parent = { resource: 'socialEvents', field: 'socialEventId' } as const;
const ofCustomer = (records: string) =>
  equals(decision, fields.id, 'customerId', `${records} of this customer.`);
const ofContact = (records: string) =>
  equals(decision, fields.id, 'contactId', `${records} of this contact.`);

export const socialEvents = resource({
  name: 'socialEvents',
  singular: 'social event',
  plural: 'social events',
  path: '/marketing/social-events',
  param: 'id',
  about: 'A gathering with guests, such as an evening in the hall, a drive or a breakfast.',
  get fields() {
    return {
      title: required(decision, fields.name, 'Title.'),
      startAt: required(decision, fields.timestamp, 'Start.'),
      endAt: optional(decision, fields.timestamp, 'End; must be after startAt.'),
      timezone: {
        ...defaulted(decision, fields.timezone, 'UTC', 'IANA time zone of the event.', {
          initialText: "the location's, otherwise the team's",
        }),
        initial: undefined,
      },
      description: optional(decision, fields.notes, 'Description for guests.'),
      locationId: optional(
        decision,
        fields.id,
        'The location, if it takes place at the facility.',
        {
          references: 'locations',
        },
      ),
      venue: optional(decision, fields.name, 'Venue as text.'),
      capacity: optional(
        decision,
        z.int().min(1),
        'Maximum number of people, including guests; null for no limit.',
      ),
      rsvpDeadline: optional(
        decision,
        fields.timestamp,
        'Deadline for RSVPs, not after startAt. Without one, RSVPs are accepted while the event is published.',
      ),
      visibility: defaulted(
        decision,
        visibilities,
        'public',
        'public: anyone can reply. invite_only: only invited people can reply.',
      ),
      coverAssetId: optional(decision, fields.id, 'Cover picture: an asset that is an image.', {
        references: 'assets',
      }),
      status: defaulted(
        decision,
        statuses,
        'draft',
        'Status. RSVPs are accepted while it is published.',
      ),
      counts: readOnly(
        decision,
        z.strictObject({
          invited: fields.count,
          going: fields.count,
          maybe: fields.count,
          declined: fields.count,
          guests: fields.count,
        }),
        "Number of invites that weren't cancelled, of RSVPs of each kind, and of guests: the sum of partySize of those going.",
        { initial: { invited: 0, going: 0, maybe: 0, declined: 0, guests: 0 } },
      ),
    };
  },
  get filters() {
    return {
      status: equals(decision, statuses, 'status', 'Social events with this status.'),
      visibility: equals(
        decision,
        visibilities,
        'visibility',
        'Social events with this visibility.',
      ),
      locationId: equals(decision, fields.id, 'locationId', 'Social events at this location.'),
      startFrom: from(decision, 'startAt', 'Social events that start at or after this time.'),
      startTo: to(decision, 'startAt', 'Social events that start at or before this time.'),
      q: search(decision, ['title', 'venue', 'description'], ['title'], {
        fields: 'title, venue or description',
        keys: 'the title',
      }),
    };
  },
  transitions: {
    field: 'status',
    source: decision,
    first: ['draft', 'published'],
    to: {
      draft: ['published', 'cancelled'],
      published: ['completed', 'cancelled'],
      completed: [],
      cancelled: [],
    },
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
    update: {
      source: decision,
      scope: write,
      about: 'Change a social event.',
      problems: ['invalid_transition', 'location_inactive'],
    },
    delete: {
      source: spec,
      scope: write,
      about: 'Delete a social event with its RSVP options, invites and RSVPs.',
    },
  },
});

export const rsvpOptions = resource({
  name: 'rsvpOptions',
  singular: 'RSVP option',
  plural: 'RSVP options',
  path: '/marketing/social-events/{id}/rsvp-options',
  parent,
  param: 'optionId',
  about: 'A possible reply to a social event.',
  get fields() {
    return {
      socialEventId,
      label: required(decision, fields.name, 'Label.'),
      kind: immutable(
        decision,
        z.enum(['going', 'maybe', 'declined']),
        "Meaning of the reply. Can't be changed.",
      ),
      capacity: optional(
        decision,
        z.int().min(1),
        'Maximum number of people for this option, including guests, if its kind is going; null for no limit.',
      ),
      position: {
        ...defaulted(
          decision,
          z.int().min(1),
          1,
          'Position among the options, starting at 1. A higher number than the last means last. The other options move.',
          { initialText: 'last', adjusts: 'always' },
        ),
        initial: undefined,
      },
    };
  },
  order: { field: 'position', direction: 'asc' },
  operations: {
    list: {
      source: decision,
      scope: read,
      about: 'List the RSVP options of a social event in order.',
    },
    get: { source: decision, scope: read, about: 'Read an RSVP option.' },
    create: { source: decision, scope: write, about: 'Add an RSVP option to a social event.' },
    update: { source: decision, scope: write, about: 'Change or move an RSVP option.' },
    delete: {
      source: decision,
      scope: write,
      about: 'Delete an RSVP option. Refused if an RSVP uses it. Later options move up.',
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
  about:
    'An invitation to a social event, for exactly one customer, contact, e-mail address or phone number.',
  get fields() {
    return {
      socialEventId,
      customerId: createOnly(decision, fields.id, 'The invited customer.', {
        references: 'customers',
      }),
      contactId: createOnly(
        decision,
        fields.id,
        'The invited contact; null after the contact was deleted.',
        {
          references: 'contacts',
        },
      ),
      email: createOnly(decision, fields.email, 'The invited e-mail address.'),
      phone: createOnly(decision, fields.phone, 'The invited phone number.'),
      status: defaulted(
        decision,
        inviteStatuses,
        'pending',
        'Status. Whoever sends the invite sets sent; an RSVP sets responded.',
      ),
    };
  },
  filters: {
    status: equals(decision, inviteStatuses, 'status', 'Invites with this status.'),
    customerId: ofCustomer('Invites'),
    contactId: ofContact('Invites'),
  },
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
    to: {
      pending: ['sent', 'cancelled'],
      sent: ['cancelled'],
      responded: ['cancelled'],
      cancelled: [],
    },
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
      about: 'Mark an invite as sent, or cancel it.',
      problems: ['invalid_transition'],
    },
    delete: { source: decision, scope: write, about: 'Delete an invite. Its RSVP stays.' },
  },
});

export const rsvps = resource({
  name: 'rsvps',
  singular: 'RSVP',
  plural: 'RSVPs',
  path: '/marketing/social-events/{id}/rsvps',
  parent,
  param: 'rsvpId',
  about: "A person's reply to a social event. Each person has at most one.",
  get fields() {
    return {
      socialEventId,
      rsvpOptionId: required(
        decision,
        fields.id,
        'The reply: an RSVP option of the same social event.',
        { references: 'rsvpOptions' },
      ),
      inviteId: createOnly(
        decision,
        fields.id,
        'The answered invite. Required if the social event is invite_only.',
        {
          references: 'invites',
          initialText: 'the open invite of the same customer, contact or e-mail address',
        },
      ),
      customerId: createOnly(decision, fields.id, 'The customer who replies.', {
        references: 'customers',
        initialText: 'the invited customer',
      }),
      contactId: createOnly(decision, fields.id, 'The contact who replies.', {
        references: 'contacts',
        initialText: 'the invited contact',
      }),
      guestName: createOnly(decision, fields.name, 'Name of the person who replies.', {
        initialText: 'the name of the customer or contact',
      }),
      email: createOnly(decision, fields.email, 'E-mail address of the person who replies.', {
        initialText: 'the invited e-mail address',
      }),
      partySize: defaulted(
        decision,
        z.int().min(1).max(20),
        1,
        'Number of people, including the person who replies.',
      ),
      notes: optional(decision, fields.notes, 'Free text.'),
    };
  },
  get filters() {
    return {
      rsvpOptionId: equals(decision, fields.id, 'rsvpOptionId', 'RSVPs with this option.'),
      inviteId: equals(decision, fields.id, 'inviteId', 'The RSVP to this invite.'),
      customerId: ofCustomer('RSVPs'),
      contactId: ofContact('RSVPs'),
      q: search(decision, ['guestName', 'email'], ['guestName', 'email'], {
        fields: 'name or e-mail',
        keys: 'the name or e-mail',
      }),
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
      about: 'Change the reply, the number of people or the notes.',
      problems: ['event_full', 'rsvp_closed'],
    },
  },
});
