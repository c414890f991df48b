import {
  type AppointmentStatus,
  appointments as appointmentResource,
} from '../../../contract/appointments.ts';
import { isWithin } from '../../../facility/day.ts';
import { type Command, type CommandBuilder, Option } from '../../framework/command.ts';
import { dayOf, parseDay } from '../../input/day.ts';
import type { Row } from '../../output/view.ts';
import type { MoreFilters } from '../../resources/definition.ts';
import { addCrudCommands } from '../../resources/resource.ts';
import { addStatusVerb, type StatusVerb } from '../../resources/verbs.ts';
import { addCreateAppointment } from './create.ts';
import { appointmentView, noteLocationTime } from './view.ts';

/** --date, sent as the first and the last millisecond of the day. */
const byDay: MoreFilters = {
  add: (command) =>
    void command.addOption(
      new Option('--date <day>', 'appointments on this day, by start: today, tomorrow, 2026-03-01'),
    ),
  read(context, { date }) {
    if (date === undefined) return {};
    const { from, to } = parseDay(date as string, context.io.now(), '--date');
    return { startFrom: from, startTo: to };
  },
  sortedBy: ({ date, startFrom, startTo }) =>
    date !== undefined || (startFrom !== undefined && startTo !== undefined)
      ? 'startAt'
      : undefined,
};

export const appointments: CommandBuilder = (command) => {
  addCrudCommands(command, {
    resource: 'appointments',
    view: appointmentView,
    verbs: ['list', 'get'],
    noteAfter: noteLocationTime,
    filters: byDay,
    examples: {
      list: [
        'cs appointments list --date today',
        'cs appointments list --status pending_approval --customer "Ann Lee"',
      ],
      get: ['cs appointments get "WN AB 123"'],
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

/** A verb that moves an appointment to another status. */
interface Verb extends Omit<StatusVerb, 'examples'> {
  readonly to: AppointmentStatus;
  readonly from?: AppointmentStatus;
}

const verbs: readonly Verb[] = [
  {
    name: 'check-in',
    to: 'checked_in',
    pastTense: 'checked in',
    about: 'Mark an appointment as checked in',
  },
  {
    name: 'start',
    to: 'in_progress',
    pastTense: 'started',
    about: 'Mark an appointment as in progress',
  },
  {
    name: 'complete',
    to: 'completed',
    pastTense: 'completed',
    about: 'Mark an appointment as completed',
  },
  {
    name: 'cancel',
    to: 'cancelled',
    back: 'scheduled',
    pastTense: 'cancelled',
    about: 'Cancel an appointment; update its status to scheduled to restore it',
  },
  {
    name: 'no-show',
    to: 'no_show',
    back: 'scheduled',
    pastTense: 'marked as no-show',
    about: 'Mark an appointment as a no-show',
  },
  {
    name: 'approve',
    to: 'scheduled',
    from: 'pending_approval',
    pastTense: 'approved',
    about: 'Approve a requested appointment, which becomes scheduled',
  },
  {
    name: 'decline',
    to: 'declined',
    from: 'pending_approval',
    pastTense: 'declined',
    about: 'Decline a requested appointment',
  },
];

function addStatusVerbs(command: Command): void {
  for (const verb of verbs) {
    const examples = [
      `cs appointments ${verb.name} "WN AB 123"`,
      `cs appointments list --date today -o id | cs appointments ${verb.name} --ids -`,
    ];
    addStatusVerb(
      command,
      { ...verb, examples },
      {
        resource: 'appointments',
        view: appointmentView,
        prefer: preferences,
      },
    );
  }
}

/**
 * Decides between several appointments of a car: today's first, then those whose status can change to the verb's. Appointments that
 * already have it count too, so that a repeat doesn't change another one. For a verb with a required status, that comes first.
 */
function preferences(
  { to, from }: Pick<StatusVerb, 'to' | 'from'>,
  now: Date,
): ((row: Row) => boolean)[] {
  const day = dayOf(now);
  const next: Readonly<Record<string, readonly string[]>> = appointmentResource.transitions.to;
  const isToday = ({ startAt }: Row) => isWithin(day, startAt);
  if (from) return [({ status }) => status === from, ({ status }) => status === to, isToday];
  return [isToday, ({ status }) => status === to || next[status]?.includes(to) === true];
}
