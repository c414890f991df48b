/** The verbs that take an appointment from one state to the next. */

import { type AppointmentStatus, appointments } from '../../../contract/appointments.ts';
import { addStatusVerb, type StatusVerb } from '../../crud/verbs.ts';
import type { Command } from '../../framework/command.ts';
import { dayOf } from '../../input/day.ts';
import type { Row } from '../../output/view.ts';
import { appointmentView } from './view.ts';

interface Verb extends Omit<StatusVerb, 'examples'> {
  readonly to: AppointmentStatus;
  readonly from?: AppointmentStatus;
}

const verbs: readonly Verb[] = [
  { name: 'check-in', to: 'checked_in', did: 'checked in', about: 'Note that somebody has come for an appointment' },
  { name: 'start', to: 'in_progress', did: 'started', about: 'Note that the work of an appointment has begun' },
  { name: 'complete', to: 'completed', did: 'completed', about: 'Note that an appointment is done' },
  { name: 'cancel', to: 'cancelled', did: 'cancelled', about: 'Cancel an appointment; set to scheduled, it stands again' },
  { name: 'no-show', to: 'no_show', did: 'marked as no-show', about: 'Note that nobody came for an appointment' },
  {
    name: 'approve',
    to: 'scheduled',
    from: 'pending_approval',
    did: 'approved',
    about: 'Approve an appointment that waits for it; then it is scheduled',
  },
  { name: 'decline', to: 'declined', from: 'pending_approval', did: 'declined', about: 'Decline an appointment that waits for approval' },
];

export function addStatusVerbs(command: Command): void {
  for (const verb of verbs) {
    const examples = [
      `cs appointments ${verb.name} "WN AB 123"`,
      `cs appointments list --date today -o id | cs appointments ${verb.name} --ids -`,
    ];
    addStatusVerb(command, { ...verb, examples }, { resource: 'appointments', view: appointmentView, prefer: likelier });
  }
}

/**
 * Of several appointments of a car: those of today, and of these the ones that can be taken there. Those that are there already count
 * too, so that the same command again does not reach for another. Where the word tells the state, that comes first.
 */
function likelier({ to, from }: Pick<StatusVerb, 'to' | 'from'>, now: Date): ((row: Row) => boolean)[] {
  const { from: morning, to: night } = dayOf(now);
  const next: Readonly<Record<string, readonly string[]>> = appointments.transitions.to;
  const today = ({ startAt }: Row) => startAt >= morning && startAt <= night;
  if (from) return [({ status }) => status === from, ({ status }) => status === to, today];
  return [today, ({ status }) => status === to || next[status]?.includes(to) === true];
}
