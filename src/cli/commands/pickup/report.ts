/** What became of a pick-up. */
import type { Context } from '../../framework/context.ts';
import { nextCommand } from '../../framework/next-command.ts';
import { titleOf } from '../../lookup/car.ts';
import { shortestUniqueRef } from '../../lookup/lookup.ts';
import { appointmentHandle } from '../counter/appointment.ts';
import type { EventOptions } from '../counter/perform.ts';
import { describePlace, type Place } from '../counter/place.ts';
import { printResult } from '../counter/report.ts';
import { countStored } from '../photos/outcome.ts';
import type { PickupResult } from './perform.ts';
import type { PickupPlan } from './plan.ts';

export async function printPickup(
  context: Context,
  { place, appointment }: PickupPlan,
  result: PickupResult,
  { globalFlags }: EventOptions,
): Promise<void> {
  const { car, photos } = result;
  const name = context.output.format === 'table' ? await shortestUniqueRef(context, 'cars', car) : car.id;
  const fulfilled = context.output.format === 'table' && appointment && (await appointmentHandle(context, appointment));
  await printResult(context, result, () => ({
    headline: `${titleOf(car)} is handed out`,
    facts: [['Free now', place && freed(place)]],
    next: [
      ...(fulfilled ? [nextCommand(['appointments', 'complete', fulfilled], globalFlags)] : []),
      ...(countStored(photos) > 0 ? [nextCommand(['cars', 'photos', 'list', name], globalFlags)] : []),
      nextCommand(['cars', 'events', 'list', name], globalFlags),
    ],
  }));
}

const freed = (place: Place) => (place.kind === 'spot' ? describePlace(place) : `a place in ${describePlace(place)}`);
