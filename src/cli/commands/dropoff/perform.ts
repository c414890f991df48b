/** Carries a drop-off out. Whoever does one, `cs dropoff` or `cs demo`, does it here. */
import type { Client, RecordFor } from '../../../client/client.ts';
import { type CarIdentity, identityOf } from '../../lookup/car.ts';
import { type EventOptions, type EventResult, type EventStep, isStop, performEvent } from '../counter/perform.ts';
import { type PlaceIdentity, placeFields } from '../counter/place.ts';
import { carNotStored } from './failures.ts';
import { type DropoffPlan, eventBody, isNew } from './plan.ts';

export interface DropoffResult extends EventResult {
  /** What identifies the car; its state after the drop-off is the event's to tell. */
  readonly car: CarIdentity;
  readonly spot: PlaceIdentity | null;
  readonly zone: PlaceIdentity | null;
}

interface Performance {
  readonly client: Client;
  readonly plan: DropoffPlan;
  readonly options?: EventOptions;
  readonly progress?: (step: EventStep) => void;
  readonly signal?: AbortSignal;
}

/** Stores the car when it is new, then the event with its parking, then the photos. Throws as `performEvent` does. */
export async function performDropoff(perform: Performance): Promise<DropoffResult> {
  const { plan, ...work } = perform;
  work.signal?.throwIfAborted();
  const car = await storeCar(perform);
  const isNewCar = isNew(plan.car);
  const { event, ...stored } = await performEvent({
    ...work,
    car,
    isNewCar,
    what: 'drop-off',
    body: eventBody(plan),
    photos: plan.photos,
  });
  return { car: identityOf(car), event, ...placeFields(plan.place), ...stored };
}

async function storeCar({ client, plan: { car }, options, progress, signal }: Performance): Promise<RecordFor<'cars'>> {
  if (!isNew(car)) return car;
  progress?.({ of: 'car', phase: 'sending' });
  try {
    const stored = await client.cars.create(car.values, { signal });
    progress?.({ of: 'car', phase: 'stored' });
    return stored;
  } catch (error) {
    throw carNotStored(error, { values: car.values, stopped: isStop(error, signal), flags: options?.globalFlags });
  }
}
