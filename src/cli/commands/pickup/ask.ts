/** Asks a person for what was left open, and shows what is to be known of the car. Nothing is stored by any of it. */
import type { Context } from '../../framework/context.ts';
import { findAppointment } from '../counter/appointment.ts';
import { askNotes } from '../counter/ask-notes.ts';
import { askStoredCar } from '../counter/ask-stored-car.ts';
import { askType, fittingTypes } from '../counter/ask-type.ts';
import { placeOf } from '../counter/place.ts';
import { readScopes } from '../counter/scopes.ts';
import { askPhotos } from '../photos/ask.ts';
import { type PartialPickup, type PickupFlags, requireReady } from './from-flags.ts';
import { isPickupType, type PickupPlan, pickupRank } from './plan.ts';
import { parkingStateText, readParkingState } from './standing.ts';

/** With --yes only what must be known is asked. What can be known to be in the way is told before the questions, not after. */
export async function askPickup(context: Context, given: PartialPickup, flags: PickupFlags): Promise<PickupPlan> {
  const requireScopes = await readScopes(context, 'pick-up');
  requireScopes('read:cars', 'write:cars');
  const types = given.eventType
    ? [given.eventType]
    : await fittingTypes(context, { what: 'pick-up', fits: isPickupType, likeliest: pickupRank });
  const car = given.car ?? (await askStoredCar(context, flags.car));
  await requireReady(context, car, flags);
  const [place, standing] = await Promise.all([placeOf(context, car), readParkingState(context, car)]);
  if (!context.settings.quiet) context.io.stderr.write(parkingStateText(context, car, place, standing));
  const eventType = await askType(context, types);
  const { open } = standing;
  const appointment = await findAppointment(context, { car, eventType, flag: flags.appointment, open });
  const { yes } = context.settings;
  const notes = given.notes ?? (yes ? undefined : await askNotes(context));
  const photos = given.photos ?? (yes ? [] : await askPhotos(context, flags));
  return { car, eventType, appointment, notes, at: given.at, photos, place };
}
