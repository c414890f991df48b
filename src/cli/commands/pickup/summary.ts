/** What will be stored, to be confirmed. */
import type { Context } from '../../framework/context.ts';
import { describeCar } from '../../lookup/car.ts';
import { labelled } from '../../output/labelled.ts';
import { describeAppointment } from '../counter/appointment.ts';
import { describePlace } from '../counter/place.ts';
import { describeEvent } from '../counter/plan.ts';
import { photoSummary } from '../photos/lines.ts';
import type { PhotoOptions } from '../photos/prepare.ts';
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
