/** What became of a drop-off. */
import type { Context } from '../../command.ts';
import { handleOf } from '../../names/names.ts';
import { nextCommand } from '../../next-command.ts';
import { countStored } from '../../photos/outcome.ts';
import { titleOf } from '../cars/describe.ts';
import { appointmentHandle } from '../event/appointment.ts';
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
  const { car, photos } = result;
  const name = context.output.format === 'table' ? await handleOf(context, 'cars', car) : car.id;
  const fulfilled = context.output.format === 'table' && plan.appointment && (await appointmentHandle(context, plan.appointment));
  await printResult(context, result, () => ({
    headline: plan.place ? `${titleOf(car)} stands ${standingOn(plan.place)}` : `${typeName(plan.eventType)} logged for ${titleOf(car)}`,
    next: [
      nextCommand(['cars', 'events', 'list', name], globalFlags),
      ...(countStored(photos) > 0 ? [nextCommand(['cars', 'photos', 'list', name], globalFlags)] : []),
      ...(fulfilled ? [nextCommand(['appointments', 'complete', fulfilled], globalFlags)] : []),
    ],
  }));
}
