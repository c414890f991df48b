/** What will be stored, to be confirmed. */
import type { Context } from '../../framework/context.ts';
import { describeCar } from '../../lookup/car.ts';
import { labelled } from '../../output/labelled.ts';
import { describeAppointment } from '../counter/appointment.ts';
import { describePlace } from '../counter/place.ts';
import { describeEvent } from '../counter/plan.ts';
import { photoSummary } from '../photos/lines.ts';
import type { PhotoOptions } from '../photos/prepare.ts';
import { type DropoffPlan, isNew } from './plan.ts';

export function planSummary(context: Context, plan: DropoffPlan, options: PhotoOptions): string {
  const { car, place } = plan;
  const moving = !isNew(car) && car.status === 'stored' && place ? context.paint.careful('  The car is stored already: it moves.\n') : '';
  return `\n${labelled(context, [
    ['Car', isNew(car) ? `${describeCar(car.values)} (new)` : describeCar(car)],
    ['Owner', isNew(car) ? car.owner : undefined],
    ['Event', describeEvent(plan)],
    ['Place', place && describePlace(place)],
    ['Fulfils', plan.appointment && describeAppointment(plan.appointment, context.io.now())],
    ['Notes', plan.notes],
    ['Photos', photoSummary(plan.photos, options)],
  ])}${moving}\n`;
}
