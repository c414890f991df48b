import { addPlainCommands } from '../crud/resource.ts';
import { column, moment, state, viewOf } from '../crud/view.ts';
import { examples, type Fill } from '../framework/command.ts';
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

export const calendar: Fill = (command, on) => {
  addPlainCommands(command, on, {
    resource: 'calendar',
    view: calendarView,
    examples: {
      list: ['cs calendar list --from 2090-06-01 --to 2090-07-01', 'cs calendar list --from now --to "in 30 days" --type social_event'],
    },
  });
  examples(command, ['cs calendar list --from 2090-06-01 --to 2090-07-01', 'cs calendar list --from yesterday --to tomorrow --json']);
};
