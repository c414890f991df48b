/** What happened to a car after work that is still queued. Stored with the present time, that work would count as the newer one. */
import type { Client } from '../../../client/client.ts';
import { isUnreadable } from '../../errors/missing-path.ts';
import { localMoment } from '../../input/when.ts';

/** The newest ones are among the latest that were written. */
const newestRead = 20;

interface Since {
  readonly carId: string;
  /** ISO 8601 */
  readonly since: string;
  /** The time that the server names as too late for it, ISO 8601. */
  readonly latest: unknown;
}

/** The car's latest event or move after that time, such as `drop_off at 2026-03-01 14:30:05`; undefined where there is none. */
export async function laterEvent(
  client: Client,
  { carId, since, latest }: Since,
): Promise<string | undefined> {
  const isLater = (time: string | null | undefined) =>
    Boolean(time) && Date.parse(String(time)) > Date.parse(since);
  try {
    const [events, assignments] = await Promise.all([
      client.carEvents.list(carId, { limit: newestRead }),
      client.parkingAssignments.list({ carId, limit: newestRead }),
    ]);
    const moved = assignments.data
      .flatMap(({ startedAt, endedAt, startedByEventId, endedByEventId }) => [
        ...(startedByEventId ? [] : [{ what: 'a move', at: startedAt }]),
        ...(endedByEventId ? [] : [{ what: 'a move', at: endedAt }]),
      ])
      .filter(({ at }) => isLater(at));
    // One that parks and frees nothing, such as an inspection, stands in no way.
    const logged = events.data
      .filter(
        ({ occurredAt, parkingAssignmentId }) =>
          isLater(occurredAt) && (parkingAssignmentId !== null || occurredAt === latest),
      )
      .map(({ activityType, occurredAt }) => ({
        what: activityType ?? 'an event',
        at: occurredAt,
      }));
    const [newest] = [...logged, ...moved].sort(
      (one, other) => Date.parse(String(other.at)) - Date.parse(String(one.at)),
    );
    return newest && `${newest.what} at ${localMoment(String(newest.at))}`;
  } catch (error) {
    if (isUnreadable(error)) return 'one that this key may not read';
    throw error;
  }
}
