/** Asks a person for what the flags left open. Nothing is stored by any of it. */
import type { Context } from '../../framework/context.ts';
import { askNotes } from '../counter/ask-notes.ts';
import { askPlace, requirePlaces } from '../counter/ask-place.ts';
import { askType, fittingTypes } from '../counter/ask-type.ts';
import { readScopes } from '../counter/scopes.ts';
import { askPhotos } from '../photos/ask.ts';
import { askCar } from './ask-car.ts';
import { dropoffRank, isDropoffType } from './checks.ts';
import { appointmentFor, type DropoffFlags, type PartialPlan } from './from-flags.ts';
import { type DropoffPlan, isNew } from './plan.ts';

/** With --yes only what must be known is asked. What can be known to be in the way is told before the questions, not after. */
export async function askPlan(context: Context, given: PartialPlan, flags: DropoffFlags): Promise<DropoffPlan> {
  const requireScopes = await readScopes(context, 'drop-off');
  requireScopes('read:cars', 'write:cars');
  const types = given.eventType
    ? [given.eventType]
    : await fittingTypes(context, { what: 'drop-off', fits: isDropoffType, likeliest: dropoffRank });
  const requirePlace = async () => {
    requireScopes('read:parking', 'write:parking');
    if (!given.place) await requirePlaces(context);
  };
  if (given.place || types.every(parks)) await requirePlace();
  const { yes } = context.settings;
  const car = given.car ?? (await askCar(context, flags.car));
  const eventType = await askType(context, types);
  if (parks(eventType)) await requirePlace();
  const place = given.place ?? (parks(eventType) ? await askPlace(context, isNew(car) ? undefined : car) : undefined);
  const appointment = await appointmentFor(context, { car, eventType }, flags);
  const notes = given.notes ?? (yes ? undefined : await askNotes(context));
  const photos = given.photos ?? (yes ? [] : await askPhotos(context, flags));
  return { car, eventType, place, appointment, notes, at: given.at, photos };
}

const parks = ({ config }: DropoffPlan['eventType']): boolean => config?.requiresParkingSpot === true;
