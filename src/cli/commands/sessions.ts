import { examples, type Fill } from '../command.ts';
import { idColumn, type View } from '../render/view.ts';
import { addPlainCommands } from './resource.ts';

export const sessionView: View = {
  one: 'session',
  many: 'sessions',
  columns: [
    { header: 'car', cell: (row, { label }) => label('cars', row.carId), names: { carId: 'cars' } },
    { header: 'type', cell: (row, { label }) => label('eventTypes', row.eventTypeId), names: { eventTypeId: 'eventTypes' }, spare: true },
    { header: 'status', cell: (row) => row.status },
    { header: 'photos', cell: (row) => row.photoCount, align: 'right' },
    { header: 'started', cell: (row, { time }) => time(row.startedAt), spare: true, whole: true },
    idColumn,
  ],
  title: (row) => row.status ?? '',
  emptyHint: 'Logging an event on a car makes one.',
};

export const sessions: Fill = (command, on) => {
  addPlainCommands(command, on, {
    resource: 'eventSessions',
    view: sessionView,
    verbs: ['list', 'get'],
    examples: { list: ['cs sessions list --car-id "WN AB 123"'] },
  });
  examples(command, ['cs sessions list --status open']);
};
