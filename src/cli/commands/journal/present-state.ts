/** The conflicts of a plan with the present state of the server: where its car is, and when its parking changed last. Sends nothing. */
import type { Client } from '../../../client/client.ts';
import { isSameId } from '../../../client/ids.ts';
import type { Car } from '../../../facility/car-names.ts';
import type { Context } from '../../context.ts';
import { isUnreadable } from '../../errors/missing-path.ts';
import { connectionFlags, nextCommand } from '../../framework/next-command.ts';
import type { ParkedIn } from '../counter/parked-in.ts';
import { requireParkedIn, serverChecks } from '../counter/parked-in.ts';
import type { Place } from '../counter/place.ts';
import { refusal, timeConflict } from '../counter/refusal.ts';

/** What a drop-off, a pick-up and a move plan. */
interface Planned {
  readonly car?: Car;
  readonly parkedIn?: ParkedIn;
  /** ISO 8601 */
  readonly at?: string;
  /** Of a drop-off; that of a pick-up is the one that it frees. */
  readonly place?: Place;
  /** Of a move. */
  readonly to?: Place;
}

/** Throws the refusal that the server would answer now, as far as it tells. */
export async function requireStorable(
  context: Context,
  command: string,
  plan: Planned,
): Promise<void> {
  const { car, parkedIn, at } = plan;
  const client = await context.client();
  if (!car?.id) return;
  const globalFlags = connectionFlags(context);
  if (parkedIn !== undefined)
    await requireParkedIn(
      client,
      { car, parkedIn, globalFlags, signal: context.io.signal },
      parkedIn,
    );
  // Other servers have rules of their own for times.
  if (at === undefined || !serverChecks(client)) return;
  const target = command === 'pickup' ? undefined : (plan.to ?? plan.place);
  // An inspection changes no parking.
  if (command === 'dropoff' && !target) return;
  const isThere =
    target &&
    [car.parkingSpotId, car.parkingZoneId].some((id) => id && isSameId(id, target.record.id));
  if (isThere) return;
  const latest = await latestChange(client, {
    carId: car.id,
    ...(target?.kind === 'spot' && { parkingSpotId: target.record.id }),
  });
  if (latest === undefined || at >= latest) return;
  throw refusal(
    'occurred_at_conflict',
    timeConflict(at, latest),
    `see what happened: \`${nextCommand(['cars', 'events', 'list', car.id], globalFlags)}\``,
  );
}

/** The newest ones are among the latest that were written. */
const newestRead = 20;

async function latestChange(
  client: Client,
  about: { readonly carId: string; readonly parkingSpotId?: string },
): Promise<string | undefined> {
  const read = ([filter, id]: [string, string]) =>
    client.parkingAssignments.list({ [filter]: id, limit: newestRead });
  try {
    const [events, ...lists] = await Promise.all([
      client.carEvents.list(about.carId, { limit: newestRead }),
      ...Object.entries(about).map(read),
    ]);
    const changes = lists.flatMap(({ data }) =>
      data.flatMap(({ startedAt, endedAt }) => [startedAt, endedAt ?? startedAt]),
    );
    // One that found the car there already changed no parking, and counts as well.
    const parking = events.data
      .filter(({ parkingAssignmentId }) => parkingAssignmentId)
      .map(({ occurredAt }) => occurredAt);
    return [...changes, ...parking].sort().at(-1);
  } catch (error) {
    if (isUnreadable(error)) return undefined;
    throw error;
  }
}
