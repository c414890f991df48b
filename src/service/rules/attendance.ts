/** Invites and replies: the counts of a social event, and its capacity. */
import { sql } from 'kysely';
import type { RecordFor } from '../../contract/contract.ts';
import type { Context } from '../context.ts';
import { ApiProblem } from '../problem.ts';
import { change, findOrThrow } from '../records.ts';

type SocialEvent = RecordFor<'socialEvents'>;

/** Refuses a reply that the event doesn't accept now. */
export function requireOpen(
  { now }: Context,
  { id, title, status, rsvpDeadline }: SocialEvent,
): void {
  const closed =
    status !== 'published'
      ? `it is ${status}`
      : rsvpDeadline && now > rsvpDeadline
        ? `the deadline was ${rsvpDeadline}`
        : undefined;
  if (closed)
    throw new ApiProblem('rsvp_closed', `${title} isn't open for RSVPs: ${closed}`, {
      socialEventId: id,
      status,
      rsvpDeadline,
    });
}

/**
 * Recounts an event after a write to its invites or replies. Counted rather than added up, so the counts can't drift. Runs in the
 * same transaction.
 */
export async function recountEvent(context: Context, eventId: string): Promise<SocialEvent> {
  const { db, team } = context;
  const event = await findOrThrow(context, 'socialEvents', eventId);
  const replies = await db
    .selectFrom('rsvps')
    .innerJoin('rsvpOptions', (join) =>
      join
        .onRef('rsvpOptions.teamId', '=', 'rsvps.teamId')
        .onRef('rsvpOptions.id', '=', 'rsvps.rsvpOptionId'),
    )
    .select([
      'rsvpOptions.kind',
      sql<number>`count(*)`.as('replies'),
      sql<number>`sum("partySize")`.as('people'),
    ])
    .where('rsvps.teamId', '=', team.id)
    .where('rsvps.socialEventId', '=', event.id)
    .groupBy('rsvpOptions.kind')
    .execute();
  const invites = await db
    .selectFrom('invites')
    .select((all) => all.fn.countAll<number>().as('invited'))
    .where('teamId', '=', team.id)
    .where('socialEventId', '=', event.id)
    .where('status', '<>', 'cancelled')
    .executeTakeFirstOrThrow();
  const of = (kind: string) => replies.find((reply) => reply.kind === kind);
  return change(context, 'socialEvents', event, {
    counts: {
      invited: Number(invites.invited),
      going: Number(of('going')?.replies ?? 0),
      maybe: Number(of('maybe')?.replies ?? 0),
      declined: Number(of('declined')?.replies ?? 0),
      guests: Number(of('going')?.people ?? 0),
    },
  });
}

/**
 * Refuses a written and counted reply that exceeds the capacity; the transaction is rolled back. A reply that takes no more places
 * than before passes, so that a party can shrink after the capacity was lowered.
 */
export async function requireCapacity(
  context: Context,
  event: SocialEvent,
  reply: RecordFor<'rsvps'>,
  before?: RecordFor<'rsvps'>,
): Promise<void> {
  const option = await optionOf(context, reply);
  if (option.kind !== 'going') return;
  const wasGoing =
    before && (await optionOf(context, before)).kind === 'going' ? before.partySize : 0;
  if (reply.partySize > wasGoing)
    refuseOverCapacity(
      event.title,
      { socialEventId: event.id },
      event.capacity,
      event.counts.guests,
      reply,
    );
  const choseIt = before?.rsvpOptionId === option.id ? before.partySize : 0;
  if (option.capacity === null || reply.partySize <= choseIt) return;
  refuseOverCapacity(
    option.label,
    { rsvpOptionId: option.id },
    option.capacity,
    await countPeople(context, option),
    reply,
  );
}

function refuseOverCapacity(
  what: string,
  which: object,
  capacity: number | null,
  people: number,
  { partySize }: RecordFor<'rsvps'>,
): void {
  if (capacity === null || people <= capacity) return;
  // The count includes this party.
  const left = Math.max(0, capacity - (people - partySize));
  throw new ApiProblem(
    'event_full',
    `${what} has room for a party of ${left}, not of ${partySize}`,
    {
      ...which,
      capacity,
      available: left,
      partySize,
    },
  );
}

const optionOf = (context: Context, { rsvpOptionId }: RecordFor<'rsvps'>) =>
  findOrThrow(context, 'rsvpOptions', rsvpOptionId);

async function countPeople(
  { db, team }: Context,
  option: RecordFor<'rsvpOptions'>,
): Promise<number> {
  const { people } = await db
    .selectFrom('rsvps')
    .select(sql<number | null>`sum("partySize")`.as('people'))
    .where('teamId', '=', team.id)
    .where('rsvpOptionId', '=', option.id)
    .executeTakeFirstOrThrow();
  return Number(people ?? 0);
}
