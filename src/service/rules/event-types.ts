import type { RecordFor } from '../../contract/contract.ts';
import type { ReadContext } from '../context.ts';
import { ApiProblem } from '../problem.ts';
import { findBy } from '../records.ts';

export type EventType = RecordFor<'eventTypes'>;

/** The type with this value, else 404 with the field that gave it. */
export async function eventTypeByValue(
  context: ReadContext,
  value: string,
  field: string,
): Promise<EventType> {
  const type = await findBy(context, 'eventTypes', { value });
  if (!type) throw new ApiProblem('not_found', `No event type ${value}`, { field });
  return type;
}

/** `field` is the one that gave it. */
export function requireTypeInUse(type: EventType, field: string | undefined): void {
  if (!type.isActive) {
    throw new ApiProblem('event_type_inactive', `The event type ${type.value} isn't active`, {
      field,
      eventTypeId: type.id,
      activityType: type.value,
    });
  }
}
