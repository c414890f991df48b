/** What became of a drop-off. */
import type { Context } from '../../command.ts';
import { nextCommand } from '../../next-command.ts';
import { countStored } from '../../photos/outcome.ts';
import { handleOf, titleOf } from '../cars/describe.ts';
import type { EventOptions } from '../event/perform.ts';
import { typeName } from '../event/plan.ts';
import { printResult } from '../event/report.ts';
import { standingOn } from '../places/place.ts';
import type { DropoffResult } from './perform.ts';
import type { DropoffPlan } from './plan.ts';

export async function printDropoff(
  context: Context,
  plan: DropoffPlan,
  result: DropoffResult,
  { globalFlags }: EventOptions,
): Promise<void> {
  const { car, event, photos } = result;
  await printResult(context, result, () => ({
    headline: plan.place ? `${titleOf(car)} stands ${standingOn(plan.place)}` : `${typeName(plan.eventType)} logged for ${titleOf(car)}`,
    next: [
      nextCommand(['cars', 'events', 'list', handleOf(car)], globalFlags),
      ...(countStored(photos) > 0 ? [nextCommand(['cars', 'photos', 'list', handleOf(car)], globalFlags)] : []),
      ...(event.appointmentId ? [nextCommand(['appointments', 'complete', event.appointmentId], globalFlags)] : []),
    ],
  }));
}
