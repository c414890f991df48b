/** What changed the parking of a car last, and who did it, as far as the server tells. */
import type { Client } from '../../../client/client.ts';
import { isSameId } from '../../../client/ids.ts';
import type { RecordFor } from '../../../contract/contract.ts';
import { isUnreadable } from '../../errors/missing-path.ts';
import { localMoment } from '../../input/when.ts';
import { causeOf } from './refusal.ts';

/** The newest events are among the latest that were written. */
const newestRead = 20;

/** The one that is open, or that ended last; undefined where the server has no such list. */
export async function latestAssignment(
  client: Client,
  carId: string,
): Promise<RecordFor<'parkingAssignments'> | undefined> {
  try {
    const { data } = await client.parkingAssignments.list({ carId });
    return data.toSorted((one, other) => endOf(other) - endOf(one))[0];
  } catch (error) {
    if (isUnreadable(error)) return undefined;
    throw error;
  }
}

const endOf = ({ endedAt }: RecordFor<'parkingAssignments'>): number =>
  endedAt ? Date.parse(endedAt) : Number.POSITIVE_INFINITY;

/** ` (latest event: pick_up at 2026-03-01 14:30:05)`; empty where there is none. */
export async function causeByEvent(
  client: Client,
  carId: string,
  signal?: AbortSignal,
): Promise<string> {
  const [latest] = await newestEvents(client, carId, { limit: 1, signal });
  return latest?.activityType && latest.occurredAt
    ? ` (latest event: ${latest.activityType} at ${localMoment(latest.occurredAt)})`
    : '';
}

/** Why a car isn't parked: `: pick_up at 2026-03-01 14:30:05 with the key Counter 2`, or what the events tell. */
export async function causeOfLeaving(client: Client, carId: string): Promise<string> {
  const latest = await latestAssignment(client, carId);
  if (!latest?.endedAt) return causeByEvent(client, carId);
  const { endedAt: at, endedByKey: key, endedByEventId: eventId } = latest;
  const event =
    eventId &&
    (await newestEvents(client, carId, { limit: newestRead })).find(({ id }) =>
      isSameId(id, eventId),
    );
  return causeOf({ at, key, kind: 'released', ...(event && { activityType: event.activityType }) });
}

const newestEvents = (
  client: Client,
  carId: string,
  { limit, signal }: { readonly limit: number; readonly signal?: AbortSignal | undefined },
): Promise<RecordFor<'carEvents'>[]> =>
  client.carEvents.list(carId, { limit }, { signal }).then(
    ({ data }) => data,
    () => [],
  );
