/** What became of a drop-off. */
import type { Context } from '../../framework/context.ts';
import { nextCommand } from '../../framework/next-command.ts';
import { titleOf } from '../../lookup/car.ts';
import { shortestUniqueRef } from '../../lookup/lookup.ts';
import { appointmentHandle } from '../counter/appointment.ts';
import type { EventOptions } from '../counter/perform.ts';
import { standingOn } from '../counter/place.ts';
import { typeName } from '../counter/plan.ts';
import { printResult } from '../counter/report.ts';
import { countStored } from '../photos/outcome.ts';
import type { DropoffResult } from './perform.ts';
import type { DropoffPlan } from './plan.ts';

export async function printDropoff(
  context: Context,
  plan: DropoffPlan,
  result: DropoffResult,
  { globalFlags }: EventOptions,
): Promise<void> {
  const { car, photos } = result;
  const name = context.output.format === 'table' ? await shortestUniqueRef(context, 'cars', car) : car.id;
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
