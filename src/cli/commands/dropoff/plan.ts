/** A drop-off as it was asked for: everything looked up and checked, nothing stored yet. */
import type { CreateFor, RecordFor } from '../../../contract/contract.ts';
import type { Place } from '../counter/place.ts';
import { type EventPlan, eventFields } from '../counter/plan.ts';

/** A car that is stored together with its first drop-off. */
export interface NewCar {
  readonly kind: 'new';
  readonly values: CreateFor<'cars'>;
  /** What people call the owner. */
  readonly owner?: string;
}

export interface DropoffPlan extends EventPlan {
  readonly car: RecordFor<'cars'> | NewCar;
  /** None for an event that parks nothing. */
  readonly place?: Place;
}

export const isNew = (car: DropoffPlan['car']): car is NewCar => 'kind' in car;

/** The body that logs the event. */
export function eventBody({ place, ...plan }: DropoffPlan): CreateFor<'carEvents'> {
  const { activityType, ...more } = eventFields(plan);
  return {
    activityType,
    ...(place?.kind === 'spot' && { parkingSpotId: place.record.id }),
    ...(place?.kind === 'zone' && { parkingZoneId: place.record.id }),
    ...more,
  };
}
