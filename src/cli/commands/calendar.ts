import { addPlainCommands } from '../crud/resource.ts';
import { column, moment, state, viewOf } from '../crud/view.ts';
import type { CommandBuilder } from '../framework/command.ts';
import { idColumn } from '../output/view.ts';

const calendarView = viewOf('calendar', {
  columns: [
    { ...moment('when', 'startAt'), spare: undefined },
    state('type', 'what'),
    column('title'),
    state(),
    moment('until', 'endAt'),
    idColumn,
  ],
  emptyHint: 'Another time is asked for with --from and --to.',
});

export const calendar: CommandBuilder = (command) => {
  addPlainCommands(command, {
    resource: 'calendar',
    view: calendarView,
    examples: {
      list: ['cs calendar list --from 2090-06-01 --to 2090-07-01', 'cs calendar list --from now --to "in 30 days" --type social_event'],
    },
  });
  command.examples(['cs calendar list --from 2090-06-01 --to 2090-07-01', 'cs calendar list --from yesterday --to tomorrow --json']);
};
