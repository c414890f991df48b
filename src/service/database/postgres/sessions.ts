/**
 * How transactions begin. Role, team and time limits are set for one transaction and end with it:
 * behind a pooler, whatever is set for a session stays on a connection that others get next.
 */
import type { Session } from './connection.ts';
import type { Timeouts } from './pool.ts';
import { requireTeamId } from './walls.ts';

interface SessionOptions {
  readonly timeouts: Timeouts;
  /** Whether statements are planned once per connection, which takes a connection that no pooler exchanges. */
  readonly plansOnce: boolean;
}

/** The owner of the tables, who sees every team. */
export function ownerSession(begin: string, { timeouts, plansOnce }: SessionOptions): Session {
  const text = `${begin}; ${setLocally('none', timeouts)}`;
  return { transaction: text, single: text, plansOnce };
}

/** The role of requests (quoted as SQL needs it) without a team: it sees no row. */
export function noTeamSession(role: string, { timeouts, plansOnce }: SessionOptions): Session {
  const text = `begin read only; ${setLocally(role, { ...timeouts, 'cs.team_id': '' })}`;
  return { transaction: text, single: text, readOnly: true, plansOnce };
}

/**
 * The role of requests with a team, whose rows it sees.
 *
 * Stamps are made under the team's lock, which a writer keeps until its changes can be seen.
 * A list waits for that lock and lets go of it again, and only then takes its snapshot: what it does not show is stamped later than it began.
 * Not within its own transaction, whose snapshot would be older than the lock; and writers need not wait for it to end.
 * Writers read what is committed, statement by statement, since a snapshot from before the lock would hide their predecessor's work from them.
 */
export function teamSessions(role: string, teamId: string, { timeouts, plansOnce }: SessionOptions) {
  requireTeamId(teamId);
  const team = setLocally(role, { ...timeouts, 'cs.team_id': teamId });
  const committed = `begin isolation level read committed; ${team}`;
  const writing: Session = { transaction: `${committed}; select lock_team('${teamId}')`, single: committed, plansOnce };
  const reading: Session = {
    transaction: `${committed}; select await_team('${teamId}'); commit; begin isolation level repeatable read read only; ${team}`,
    single: `begin isolation level read committed read only; ${team}`,
    readOnly: true,
    plansOnce,
  };
  return { reading, writing };
}

/** Part of a text with several statements, which takes no parameters: the values are numbers, and ids that were checked. */
function setLocally(role: string, settings: Readonly<Record<string, string | number>>): string {
  const calls = Object.entries(settings).map(([name, value]) => `set_config('${name}', '${value}', true)`);
  return [`set local role ${role}`, ...(calls.length > 0 ? [`select ${calls.join(', ')}`] : [])].join('; ');
}
