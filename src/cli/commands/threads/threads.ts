import type { CommandBuilder } from '../../framework/command.ts';
import { idColumn, timeColumn } from '../../output/view.ts';
import { firstLine } from '../../resources/labels.ts';
import { addCrudCommands, addGroup } from '../../resources/resource.ts';
import { column, droppableColumn, reference, state, viewOf } from '../../resources/view.ts';
import { addSend } from './send.ts';

const threadView = viewOf('threads', {
  columns: [
    { header: 'subject', cell: (row) => row.subject },
    column('channel'),
    {
      header: 'with',
      cell: (row, { label }) =>
        label('contacts', row.contactId) || label('customers', row.customerId),
      names: { contactId: 'contacts', customerId: 'customers' },
    },
    reference('car', 'carId', 'cars'),
    state(),
    { header: 'messages', cell: (row) => row.messageCount, align: 'right', droppable: true },
    timeColumn('last message', 'lastMessageAt'),
    idColumn,
  ],
  emptyHint: 'Start one with `cs threads create --channel email`.',
});

const messageView = viewOf('messages', {
  columns: [
    timeColumn('when', 'createdAt'),
    column('direction'),
    { header: 'text', cell: (row) => firstLine(row.body) },
    state(),
    droppableColumn('to', 'recipient'),
    droppableColumn('error'),
    idColumn,
  ],
  title: (row) => [row.direction, row.status].filter(Boolean).join(' · '),
  emptyHint: 'Write one with `cs threads messages send THREAD --body TEXT`.',
});

export const threads: CommandBuilder = (command) => {
  addCrudCommands(command, {
    resource: 'threads',
    view: threadView,
    examples: {
      list: ['cs threads list --status open', 'cs threads list --customer "Ann Lee"'],
      get: ['cs threads get "Winter storage"'],
      create: ['cs threads create --channel email --subject "Your tyres" --customer "Ann Lee"'],
      update: [
        'cs threads update "Winter storage" --status resolved',
        'cs threads update "Winter storage" --car "WN AB 123"',
      ],
    },
  });
  const messages = addGroup(command, {
    noun: 'messages',
    alias: 'message',
    summary: 'Messages of a thread',
    resource: 'messages',
    view: messageView,
    about: {
      create:
        'Store a message that was received or sent elsewhere. To send one, use `cs threads messages send`.',
    },
    examples: {
      list: [
        'cs threads messages list "Winter storage"',
        'cs threads messages list "Winter storage" --all -o ndjson',
      ],
      get: ['cs threads messages get "Winter storage" MESSAGE'],
      create: [
        '# Stores one that was received elsewhere.',
        'cs threads messages create "Winter storage" --direction inbound --body "Thank you!" --external-id mail-42',
        'cs threads messages create "Winter storage" --direction internal --body "Called back." --dry-run',
      ],
      update: [
        'cs threads messages update "Winter storage" MESSAGE --external-id mail-43',
        'cs threads messages update "Winter storage" MESSAGE --clear external-id',
      ],
    },
  });
  addSend(messages.command('send'), messageView);
  command.examples(['cs threads list --status open', 'cs threads messages list "Winter storage"']);
};
