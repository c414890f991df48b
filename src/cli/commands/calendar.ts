import type { CommandBuilder } from '../framework/command.ts';
import { idColumn, timeColumn } from '../output/view.ts';
import { addCrudCommands } from '../resources/resource.ts';
import { column, state, viewOf } from '../resources/view.ts';

const calendarView = viewOf('calendar', {
  columns: [
    { ...timeColumn('when', 'startAt'), droppable: undefined },
    state('type', 'what'),
    column('title'),
    state(),
    timeColumn('until', 'endAt'),
    idColumn,
  ],
  emptyHint: 'Choose another period with --from and --to.',
});

export const calendar: CommandBuilder = (command) => {
  addCrudCommands(command, {
    resource: 'calendar',
    view: calendarView,
    examples: {
      list: [
        'cs calendar list --from 2090-06-01 --to 2090-07-01',
        'cs calendar list --from now --to "in 30 days" --type social_event',
      ],
    },
  });
  command.examples([
    'cs calendar list --from 2090-06-01 --to 2090-07-01',
    'cs calendar list --from yesterday --to tomorrow --json',
  ]);
};
