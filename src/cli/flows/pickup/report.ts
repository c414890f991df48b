/** What became of a pick-up. */
import type { Context } from '../../command.ts';
import { handleOf } from '../../names/names.ts';
import { nextCommand } from '../../next-command.ts';
import { countStored } from '../../photos/outcome.ts';
import { titleOf } from '../cars/describe.ts';
import { appointmentHandle } from '../event/appointment.ts';
import type { EventOptions } from '../event/perform.ts';
import { printResult } from '../event/report.ts';
import { describePlace, type Place } from '../places/place.ts';
import type { PickupResult } from './perform.ts';
import type { PickupPlan } from './plan.ts';

export async function printPickup(
  context: Context,
  { place, appointment }: PickupPlan,
  result: PickupResult,
  { globalFlags }: EventOptions,
): Promise<void> {
  const { car, photos } = result;
  const name = context.output.format === 'table' ? await handleOf(context, 'cars', car) : car.id;
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
