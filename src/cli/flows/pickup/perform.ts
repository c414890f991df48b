/** Carries a pick-up out. */
import { type CarIdentity, identityOf } from '../cars/describe.ts';
import type { Performance } from '../event/carry-out.ts';
import { type EventResult, performEvent } from '../event/perform.ts';
import { eventFields } from '../event/plan.ts';
import { type PlaceIdentity, placeFields } from '../places/place.ts';
import type { PickupPlan } from './plan.ts';

export interface PickupResult extends EventResult {
  readonly car: CarIdentity;
  /** What the car stood on or in, and is free now. */
  readonly spot: PlaceIdentity | null;
  readonly zone: PlaceIdentity | null;
}

/** Stores the event, which frees the car's place, then the photos. Throws as `performEvent` does. */
export async function performPickup({ plan, ...work }: Performance<PickupPlan>): Promise<PickupResult> {
  const { car, place } = plan;
  const { event, ...stored } = await performEvent({
    ...work,
    car,
    what: 'pick-up',
    body: eventFields(plan),
    photos: plan.photos,
  });
  return { car: identityOf(car), event, ...placeFields(place), ...stored };
}
