import { maybe, recordTable, type TableSpec } from '../create-tables.ts';

/** Social events with their RSVP options, invites and RSVPs. */
export const socialEventTables: readonly TableSpec[] = [
  recordTable({
    name: 'socialEvents',
    columns: {
      title: 'text',
      startAt: 'timestamp',
      endAt: maybe('timestamp'),
      timezone: 'text',
      description: maybe('text'),
      locationId: maybe('id'),
      venue: maybe('text'),
      capacity: maybe('integer'),
      rsvpDeadline: maybe('timestamp'),
      visibility: 'text',
      coverAssetId: maybe('id'),
      status: 'text',
      counts: 'json',
    },
    references: { locationId: 'locations', coverAssetId: 'assets' },
    checks: {
      ends_after_start: `"endAt" is null or "endAt" > "startAt"`,
      deadline_before_start: `"rsvpDeadline" is null or "rsvpDeadline" <= "startAt"`,
    },
    orderAndFilters: ['updatedAt', 'locationId'],
    indexes: {
      startAt: { columns: ['startAt'] },
      coverAssetId: { columns: ['coverAssetId'], where: `"coverAssetId" is not null` },
    },
  }),
  recordTable({
    name: 'rsvpOptions',
    columns: {
      socialEventId: 'id',
      label: 'text',
      kind: 'text',
      capacity: maybe('integer'),
      position: 'integer',
    },
    references: { socialEventId: 'socialEvents' },
    indexes: { socialEventId: { columns: ['socialEventId', 'position', 'id'] } },
  }),
  recordTable({
    name: 'invites',
    columns: {
      socialEventId: 'id',
      customerId: maybe('id'),
      contactId: maybe('id'),
      email: maybe('text'),
      phone: maybe('text'),
      status: 'text',
    },
    references: { socialEventId: 'socialEvents', customerId: 'customers', contactId: 'contacts' },
    orderAndFilters: ['socialEventId'],
    // Nobody is invited twice, whatever the rules above allow.
    indexes: Object.fromEntries(
      Object.entries({
        customerId: 'customerId',
        contactId: 'contactId',
        email: 'lower("email")',
        phone: 'phone',
      }).map(([name, person]) => [
        name,
        {
          columns: ['socialEventId', person],
          unique: true,
          where: `"status" <> 'cancelled' and "${name}" is not null`,
        },
      ]),
    ),
  }),
  recordTable({
    name: 'rsvps',
    columns: {
      socialEventId: 'id',
      rsvpOptionId: 'id',
      inviteId: maybe('id'),
      customerId: maybe('id'),
      contactId: maybe('id'),
      guestName: maybe('text'),
      email: maybe('text'),
      partySize: 'integer',
      notes: maybe('text'),
    },
    references: {
      socialEventId: 'socialEvents',
      rsvpOptionId: 'rsvpOptions',
      inviteId: 'invites',
      customerId: 'customers',
      contactId: 'contacts',
    },
    checks: { party: `"partySize" between 1 and 20` },
    orderAndFilters: ['socialEventId', 'rsvpOptionId'],
    indexes: {
      inviteId: { columns: ['inviteId'], unique: true, where: `"inviteId" is not null` },
      customerId: {
        columns: ['socialEventId', 'customerId'],
        unique: true,
        where: `"customerId" is not null`,
      },
      contactId: {
        columns: ['socialEventId', 'contactId'],
        unique: true,
        where: `"contactId" is not null`,
      },
      email: {
        columns: ['socialEventId', 'lower("email")'],
        unique: true,
        where: `"email" is not null`,
      },
    },
  }),
];
