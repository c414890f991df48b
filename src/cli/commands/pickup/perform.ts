/** Carries a pick-up out. */
import { type CarIdentity, identityOf } from '../../lookup/car.ts';
import type { Performance } from '../counter/carry-out.ts';
import { type EventResult, performEvent } from '../counter/perform.ts';
import { type PlaceIdentity, placeFields } from '../counter/place.ts';
import { eventFields } from '../counter/plan.ts';
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
