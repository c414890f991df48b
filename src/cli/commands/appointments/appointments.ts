import type { MoreFilters } from '../../crud/definition.ts';
import { addCrudCommands } from '../../crud/resource.ts';
import { type CommandBuilder, Option } from '../../framework/command.ts';
import { parseDay } from '../../input/day.ts';
import { addCreateAppointment } from './create.ts';
import { addStatusVerbs } from './status.ts';
import { appointmentView } from './view.ts';
import { tellZoneOf } from './zone.ts';

/** A day is what people ask for; the interface takes its first and its last moment. */
const byDay: MoreFilters = {
  add: (command) =>
    void command.addOption(new Option('--date <day>', 'appointments that begin on this day, in their order: today, tomorrow, 2026-03-01')),
  read(context, { date }) {
    if (date === undefined) return {};
    const { from, to } = parseDay(date as string, context.io.now(), '--date');
    return { startFrom: from, startTo: to };
  },
  sortedBy: ({ date, startFrom, startTo }) =>
    date !== undefined || (startFrom !== undefined && startTo !== undefined) ? 'startAt' : undefined,
};

export const appointments: CommandBuilder = (command) => {
  addCrudCommands(command, {
    resource: 'appointments',
    view: appointmentView,
    verbs: ['list', 'get'],
    beside: tellZoneOf,
    filters: byDay,
    examples: {
      list: ['cs appointments list --date today', 'cs appointments list --status pending_approval --customer "Ann Lee"'],
      get: ['cs appointments get "WN AB 123"', 'cs appointments get "WN AB 123" --json status,startAt,endAt'],
    },
  });
  addCreateAppointment(command.command('create'));
  addCrudCommands(command, {
    resource: 'appointments',
    view: appointmentView,
    verbs: ['update'],
    examples: {
      update: [
        'cs appointments update "WN AB 123" --start-at "2090-06-01 14:00" --end-at "2090-06-01 15:00"',
        'cs appointments update "WN AB 123" --notes "Bring the second key." --dry-run',
      ],
    },
  });
  addStatusVerbs(command);
  command.examples([
    'cs appointments list --date today',
    'cs appointments create --type drop_off --at "tomorrow 9:00" --for 45m --car "WN AB 123"',
    'cs appointments check-in "WN AB 123"',
  ]);
};
