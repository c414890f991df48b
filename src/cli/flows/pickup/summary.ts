/** What will be stored, to be confirmed. */
import type { Context } from '../../command.ts';
import type { PhotoOptions } from '../../photos/prepare.ts';
import { describeCar } from '../cars/describe.ts';
import { describeAppointment } from '../event/appointment.ts';
import { describeEvent } from '../event/plan.ts';
import { labelled } from '../labelled.ts';
import { photoSummary } from '../photos/lines.ts';
import { describePlace } from '../places/place.ts';
import type { PickupPlan } from './plan.ts';

export function pickupSummary(context: Context, plan: PickupPlan, options: PhotoOptions): string {
  return `\n${labelled(context, [
    ['Car', describeCar(plan.car)],
    ['Event', describeEvent(plan)],
    ['Frees', plan.place && describePlace(plan.place)],
    ['Fulfils', plan.appointment && describeAppointment(plan.appointment, context.io.now())],
    ['Notes', plan.notes],
    ['Photos', photoSummary(plan.photos, options)],
  ])}\n`;
}
