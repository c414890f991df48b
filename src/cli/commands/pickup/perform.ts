/** Performs a pick-up: the summary to confirm, the requests, the printed result. */

import { identityOf, titleOf } from '../../../facility/car-names.ts';
import type { Context } from '../../context.ts';
import { nextCommand } from '../../framework/next-command.ts';
import { shortestUniqueRef } from '../../resources/lookup.ts';
import { appointmentRef } from '../counter/appointment.ts';
import { isAnyCarHere } from '../counter/ask-car.ts';
import { isParked } from '../counter/car.ts';
import { eventValues } from '../counter/event.ts';
import { journaledEvent, type PerformOptions, printResult } from '../counter/execute.ts';
import { type ParkedIn, shownHere } from '../counter/parked-in.ts';
import { type EventOptions, performEvent } from '../counter/perform.ts';
import { describePlace, type Place, placeResult, withLocation } from '../counter/place.ts';
import {
  canCorrect,
  canLookAgain,
  questionAbout,
  refusedBy,
  tellRefusal,
} from '../counter/question-about.ts';
import { countStored } from '../photos/upload-result.ts';
import { completePlan, type PickupFlags, type PickupPlan, readFlags } from './plan.ts';
import type { PickupResult } from './shape.ts';

const shownPlace = ({ car, place, parkedIn = shownHere(car, place) }: PickupPlan): ParkedIn =>
  parkedIn;

export const journaledPickup = journaledEvent<PickupPlan, PickupResult>({
  command: 'pickup',
  what: 'pick-up',
  carOf: ({ car }) => car,
  shownIn: shownPlace,
  parksIn: () => 'none',
  async planQueued(context, flags: PickupFlags) {
    return completePlan(context, await readFlags(context, flags), flags);
  },
  body: eventValues,
  perform: (_context, options) => performPickup(options),
  print: printPickup,
  replan: askAgain,
});

/** Returns to the question that the server's refusal is about, and keeps the other answers. */
async function askAgain(context: Context, plan: PickupPlan, error: unknown): Promise<PickupPlan> {
  if (canLookAgain(context, plan, error)) {
    const car = await (await context.client()).cars.get(plan.car.id);
    const wrong = isParked(car) === false ? (['car'] as const) : [];
    if (wrong.length > 0 && !(await isAnyCarHere(context))) throw error;
    tellRefusal(context, error, 'Please check it.');
    return (await import('./ask.ts')).askPlan(
      context,
      { ...plan, car, parkedIn: undefined },
      {},
      { wrong },
    );
  }
  const wrong = questionAbout(error);
  if (!wrong || wrong === 'place' || !canCorrect(context)) throw error;
  tellRefusal(context, refusedBy(error), 'Please correct it.');
  return (await import('./ask.ts')).askPlan(context, plan, {}, { wrong: [wrong] });
}

/** Stores the event, which frees the car's place, then the photos. Throws as `performEvent` does. */
export async function performPickup(options: PerformOptions<PickupPlan>): Promise<PickupResult> {
  const { plan } = options;
  const { car, place } = plan;
  const parkedIn = shownPlace(plan);
  const { event, ...stored } = await performEvent({
    ...options,
    car,
    parkedIn,
    what: 'pick-up',
    body: eventValues(plan),
  });
  return { car: identityOf(car), event, ...placeResult(place), ...stored };
}

export async function printPickup(
  context: Context,
  { place: planned, appointment }: PickupPlan,
  result: PickupResult,
  { globalFlags }: EventOptions,
): Promise<void> {
  const { car, photos } = result;
  const forPeople = context.output.forPeople;
  const place = planned && (await withLocation(context, planned));
  const carRef = forPeople ? await shortestUniqueRef(context, 'cars', car) : car.id;
  const fulfilled = forPeople && appointment && (await appointmentRef(context, appointment));
  await printResult(context, result, () => ({
    headline: `${titleOf(car)} has been picked up`,
    facts: [['Free now', place && freedPlace(place)]],
    nextCommands: [
      ...(fulfilled ? [nextCommand(['appointments', 'complete', fulfilled], globalFlags)] : []),
      ...(countStored(photos) > 0
        ? [nextCommand(['cars', 'photos', 'list', carRef], globalFlags)]
        : []),
      nextCommand(['cars', 'events', 'list', carRef], globalFlags),
    ],
  }));
}

const freedPlace = (place: Place) =>
  place.kind === 'spot' ? describePlace(place) : `a place in ${describePlace(place)}`;
