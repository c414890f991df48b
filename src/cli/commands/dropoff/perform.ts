/** Performs a drop-off, for `cs dropoff` and `cs demo`: the summary to confirm, the requests, the printed result. */
import type { Client, RecordFor } from '../../../client/client.ts';
import type { CreateFor } from '../../../contract/contract.ts';
import type { Context } from '../../framework/context.ts';
import { nextCommand } from '../../framework/next-command.ts';
import { describeCar, identityOf, titleOf } from '../../lookup/car.ts';
import { carName } from '../../lookup/labels.ts';
import { shortestUniqueRef } from '../../lookup/lookup.ts';
import { labelled } from '../../output/labelled.ts';
import { appointmentRef, describeAppointment } from '../counter/appointment.ts';
import { describeEvent, typeName } from '../counter/event.ts';
import { printResult } from '../counter/execute.ts';
import { type FailureOptions, isStop, isUncertain, reasonOf, wrapFailure } from '../counter/failures.ts';
import { shownIn } from '../counter/parked-in.ts';
import { type EventOptions, type EventProgress, performEvent } from '../counter/perform.ts';
import { describePlace, placeResult } from '../counter/place.ts';
import { photoSummary } from '../photos/describe.ts';
import type { PhotoOptions } from '../photos/photo-file.ts';
import { countStored } from '../photos/upload-result.ts';
import { type DropoffPlan, eventBody, isNew } from './plan.ts';
import type { DropoffResult } from './shape.ts';

interface DropoffOptions {
  readonly client: Client;
  readonly plan: DropoffPlan;
  readonly options?: EventOptions;
  readonly onProgress?: (progress: EventProgress) => void;
  readonly signal?: AbortSignal;
}

/** Stores a new car, then the event with its parking, then the photos. Throws as `performEvent` does. */
export async function performDropoff(dropoff: DropoffOptions): Promise<DropoffResult> {
  const { plan, ...options } = dropoff;
  options.signal?.throwIfAborted();
  const car = await storeCar(dropoff);
  const { event, ...stored } = await performEvent({
    ...options,
    car,
    isNewCar: isNew(plan.car),
    parkedIn: isNew(plan.car) || !plan.place ? undefined : shownIn(plan.car),
    what: 'drop-off',
    body: eventBody(plan),
    photos: plan.photos,
  });
  return { car: identityOf(car), event, ...placeResult(plan.place), ...stored };
}

async function storeCar({ client, plan: { car }, options, onProgress, signal }: DropoffOptions): Promise<RecordFor<'cars'>> {
  if (!isNew(car)) return car;
  onProgress?.({ of: 'car', phase: 'sending' });
  try {
    const stored = await client.cars.create(car.values, { signal });
    onProgress?.({ of: 'car', phase: 'stored' });
    return stored;
  } catch (error) {
    throw newCarFailure(error, { values: car.values, stopped: isStop(error, signal), globalFlags: options?.globalFlags });
  }
}

function newCarFailure(error: unknown, { values, stopped, globalFlags }: FailureOptions & { values: CreateFor<'cars'> }): unknown {
  if (!stopped && !isUncertain(error)) return error;
  const query = values.licensePlate ?? carName(values);
  return wrapFailure(error, {
    message: `${reasonOf(error, stopped)} The new car may be stored; the drop-off isn't.`,
    hint: `check before you add it again: \`${nextCommand(['cars', 'list', '--q', query], globalFlags)}\``,
  });
}

export function planSummary(context: Context, plan: DropoffPlan, options: PhotoOptions): string {
  const { car, place } = plan;
  const willMove = !isNew(car) && car.status === 'stored' && place;
  return `\n${labelled(context, [
    ['Car', isNew(car) ? `${describeCar(car.values)} (new)` : describeCar(car)],
    ['Owner', isNew(car) ? car.owner : undefined],
    ['Event', describeEvent(plan)],
    ['Place', place && describePlace(place)],
    ['Fulfils', plan.appointment && describeAppointment(plan.appointment, context.io.now())],
    ['Notes', plan.notes],
    ['Photos', photoSummary(plan.photos, options)],
  ])}${willMove ? context.styles.warning('  This car is already here; it will be moved.\n') : ''}\n`;
}

export async function printDropoff(
  context: Context,
  plan: DropoffPlan,
  result: DropoffResult,
  { globalFlags }: EventOptions,
): Promise<void> {
  const { car, photos } = result;
  const forPeople = context.output.forPeople;
  const carRef = forPeople ? await shortestUniqueRef(context, 'cars', car) : car.id;
  const fulfilled = forPeople && plan.appointment && (await appointmentRef(context, plan.appointment));
  await printResult(context, result, () => ({
    headline: plan.place
      ? `${titleOf(car)} is parked in ${describePlace(plan.place)}`
      : `${typeName(plan.eventType)} logged for ${titleOf(car)}`,
    nextCommands: [
      nextCommand(['cars', 'events', 'list', carRef], globalFlags),
      ...(countStored(photos) > 0 ? [nextCommand(['cars', 'photos', 'list', carRef], globalFlags)] : []),
      ...(fulfilled ? [nextCommand(['appointments', 'complete', fulfilled], globalFlags)] : []),
    ],
  }));
}
