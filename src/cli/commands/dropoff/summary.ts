/** What a drop-off will store, for a person to approve. */

import { describeCar } from '../../../facility/car-names.ts';
import type { Context } from '../../context.ts';
import { labelled } from '../../output/labelled.ts';
import { describeAppointment } from '../counter/appointment.ts';
import { ownerText } from '../counter/ask-new-car.ts';
import { describeEvent } from '../counter/event.ts';
import { describePlace } from '../counter/place.ts';
import { photoSummary } from '../photos/describe.ts';
import { type DropoffPlan, isNew } from './plan.ts';

export function planSummary(context: Context, plan: DropoffPlan): string {
  const { car, place } = plan;
  const willMove = !isNew(car) && car.status === 'stored' && place;
  return `\n${labelled(context, [
    ['Car', isNew(car) ? `${describeCar(car.values)} (new)` : describeCar(car)],
    ['Colour', isNew(car) ? car.values.color : undefined],
    ['Owner', isNew(car) ? ownerText(car) : undefined],
    ['Event', describeEvent(plan)],
    ['Place', place && describePlace(place)],
    ['Fulfils', plan.appointment && describeAppointment(plan.appointment, context.io.now())],
    ['Notes', plan.notes],
    ['Photos', photoSummary(plan.photos, plan)],
  ])}${willMove ? context.styles.warning('  This car is already here; it will be moved.\n') : ''}\n`;
}
