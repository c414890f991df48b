import type { CommandBuilder } from '../framework/command.ts';
import { idColumn, timeColumn } from '../output/view.ts';
import { addCrudCommands, addGroup } from '../resources/resource.ts';
import { column, droppableColumn, state, viewOf } from '../resources/view.ts';

const socialEventView = viewOf('socialEvents', {
  columns: [
    column('title'),
    { ...timeColumn('starts', 'startAt'), droppable: undefined },
    state(),
    { header: 'going', cell: (row) => row.counts?.guests, align: 'right' },
    { header: 'invited', cell: (row) => row.counts?.invited, align: 'right', droppable: true },
    {
      header: 'where',
      cell: (row, { label }) => row.venue ?? label('locations', row.locationId),
      names: { locationId: 'locations' },
      droppable: true,
    },
    idColumn,
  ],
  emptyHint: 'Add one with `cs social-events create`.',
});

const optionView = viewOf('rsvpOptions', {
  columns: [
    { header: 'position', cell: (row) => row.position, align: 'right' },
    column('label'),
    column('kind'),
    { header: 'capacity', cell: (row) => row.capacity ?? 'no limit', align: 'right' },
    idColumn,
  ],
});

const inviteView = viewOf('invites', {
  columns: [
    {
      header: 'who',
      cell: (row, { label }) =>
        label('customers', row.customerId) ||
        label('contacts', row.contactId) ||
        (row.email ?? row.phone),
      names: { customerId: 'customers', contactId: 'contacts' },
    },
    state(),
    timeColumn('since', 'createdAt'),
    idColumn,
  ],
  emptyHint: 'Invite someone with `cs social-events invites create EVENT --email ADDRESS`.',
});

const rsvpView = viewOf('rsvps', {
  columns: [
    {
      header: 'who',
      cell: (row, { label }) =>
        row.guestName ??
        (label('customers', row.customerId) || label('contacts', row.contactId) || row.email),
      names: { customerId: 'customers', contactId: 'contacts' },
    },
    { header: 'people', cell: (row) => row.partySize, align: 'right' },
    droppableColumn('email'),
    droppableColumn('notes'),
    timeColumn('replied', 'createdAt'),
    idColumn,
  ],
  emptyHint:
    'Add one with `cs social-events rsvps create EVENT --rsvp-option going --guest-name NAME`.',
});

export const socialEvents: CommandBuilder = (command) => {
  addCrudCommands(command, {
    resource: 'socialEvents',
    view: socialEventView,
    examples: {
      list: ['cs social-events list --status published', 'cs social-events list --start-from now'],
      get: ['cs social-events get "Autumn drive"'],
      create: [
        'cs social-events create --title "Garage evening" --start-at "2090-06-01 18:00" --capacity 40',
      ],
      update: [
        'cs social-events update "Autumn drive" --capacity 60',
        'cs social-events update "Autumn drive" --clear capacity,venue',
      ],
      delete: ['cs social-events delete "Autumn drive"'],
    },
  });
  addGroup(command, {
    noun: 'options',
    alias: 'option',
    summary: 'RSVP options of a social event',
    resource: 'rsvpOptions',
    view: optionView,
    examples: {
      list: [
        'cs social-events options list "Autumn drive"',
        'cs social-events options list "Autumn drive" --json=label,kind',
      ],
      get: ['cs social-events options get "Autumn drive" going'],
      create: [
        'cs social-events options create "Autumn drive" --label "With a guest" --kind going',
      ],
      update: [
        'cs social-events options update "Autumn drive" maybe --label "Not sure yet"',
        'cs social-events options update "Autumn drive" going --capacity 30',
      ],
      delete: ['cs social-events options delete "Autumn drive" maybe'],
    },
  });
  addGroup(command, {
    noun: 'invites',
    alias: 'invite',
    summary: 'Invites to a social event',
    resource: 'invites',
    view: inviteView,
    examples: {
      list: [
        'cs social-events invites list "Autumn drive"',
        'cs social-events invites list "Autumn drive" --status pending',
      ],
      get: ['cs social-events invites get "Autumn drive" guest@example.com'],
      create: ['cs social-events invites create "Autumn drive" --customer "Ann Lee"'],
      update: ['cs social-events invites update "Autumn drive" guest@example.com --status sent'],
      delete: ['cs social-events invites delete "Autumn drive" guest@example.com'],
    },
  });
  addGroup(command, {
    noun: 'rsvps',
    alias: 'rsvp',
    summary: 'RSVPs to a social event',
    resource: 'rsvps',
    view: rsvpView,
    examples: {
      list: [
        'cs social-events rsvps list "Autumn drive"',
        'cs social-events rsvps list "Autumn drive" --rsvp-option going -o csv',
      ],
      get: ['cs social-events rsvps get "Autumn drive" "Ada King"'],
      create: [
        'cs social-events rsvps create "Autumn drive" --rsvp-option going --guest-name "Bea Moss" --party-size 2',
      ],
      update: [
        'cs social-events rsvps update "Autumn drive" "Ada King" --party-size 3',
        'cs social-events rsvps update "Autumn drive" "Ada King" --rsvp-option declined',
      ],
    },
  });
  command.examples([
    'cs social-events list --status published',
    'cs social-events rsvps list "Autumn drive"',
  ]);
};
