/** Performs a pick-up: the summary to confirm, the requests, the printed result. */
import type { Context } from '../../framework/context.ts';
import { nextCommand } from '../../framework/next-command.ts';
import { identityOf, titleOf } from '../../lookup/car.ts';
import { shortestUniqueRef } from '../../lookup/lookup.ts';
import { appointmentRef } from '../counter/appointment.ts';
import { eventFields } from '../counter/event.ts';
import { journaledEvent, type PerformOptions, printResult } from '../counter/execute.ts';
import { shownHere } from '../counter/parked-in.ts';
import { type EventOptions, performEvent } from '../counter/perform.ts';
import { describePlace, type Place, placeResult } from '../counter/place.ts';
import { countStored } from '../photos/upload-result.ts';
import { completePlan, type PickupFlags, type PickupPlan, readFlags } from './plan.ts';
import type { PickupResult } from './shape.ts';

export const journaledPickup = journaledEvent<PickupPlan, PickupResult>({
  command: 'pickup',
  what: 'pick-up',
  carOf: ({ car }) => car,
  async planQueued(context, flags: PickupFlags) {
    return completePlan(context, await readFlags(context, flags), flags);
  },
  perform: (_context, options) => performPickup(options),
  print: printPickup,
});

/** Stores the event, which frees the car's place, then the photos. Throws as `performEvent` does. */
export async function performPickup(options: PerformOptions<PickupPlan>): Promise<PickupResult> {
  const { plan } = options;
  const { car, place } = plan;
  const parkedIn = shownHere(car, place);
  const { event, ...stored } = await performEvent({ ...options, car, parkedIn, what: 'pick-up', body: eventFields(plan) });
  return { car: identityOf(car), event, ...placeResult(place), ...stored };
}

export async function printPickup(
  context: Context,
  { place, appointment }: PickupPlan,
  result: PickupResult,
  { globalFlags }: EventOptions,
): Promise<void> {
  const { car, photos } = result;
  const forPeople = context.output.forPeople;
  const carRef = forPeople ? await shortestUniqueRef(context, 'cars', car) : car.id;
  const fulfilled = forPeople && appointment && (await appointmentRef(context, appointment));
  await printResult(context, result, () => ({
    headline: `${titleOf(car)} has been picked up`,
    facts: [['Free now', place && freedPlace(place)]],
    nextCommands: [
      ...(fulfilled ? [nextCommand(['appointments', 'complete', fulfilled], globalFlags)] : []),
      ...(countStored(photos) > 0 ? [nextCommand(['cars', 'photos', 'list', carRef], globalFlags)] : []),
      nextCommand(['cars', 'events', 'list', carRef], globalFlags),
    ],
  }));
}

const freedPlace = (place: Place) => (place.kind === 'spot' ? describePlace(place) : `a place in ${describePlace(place)}`);
