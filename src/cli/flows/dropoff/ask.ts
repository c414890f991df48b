/** Asks a person for what the flags left open. Nothing is stored by any of it. */
import type { Context } from '../../command.ts';
import type { PhotoOptions } from '../../photos/prepare.ts';
import { askLine } from '../prompts.ts';
import { askCar } from './ask-car.ts';
import { askPhotos } from './ask-photos.ts';
import { askPlace, requirePlaces } from './ask-place.ts';
import { askType, fittingTypes } from './ask-type.ts';
import type { PartialPlan } from './from-flags.ts';
import { type DropoffPlan, isNew } from './plan.ts';
import { readScopes } from './scopes.ts';

const longestNotes = 10_000;

/** With --yes only what must be known is asked. What can be known to be in the way is told before the questions, not after. */
export async function askPlan(context: Context, given: PartialPlan, options: PhotoOptions): Promise<DropoffPlan> {
  const requireScopes = await readScopes(context);
  requireScopes('read:cars', 'write:cars');
  const types = given.eventType ? [given.eventType] : await fittingTypes(context);
  const requirePlace = async () => {
    requireScopes('read:parking', 'write:parking');
    if (!given.place) await requirePlaces(context);
  };
  if (given.place || types.every(parks)) await requirePlace();
  const { yes } = context.settings;
  const car = given.car ?? (await askCar(context));
  const eventType = await askType(context, types);
  if (parks(eventType)) await requirePlace();
  const place = given.place ?? (parks(eventType) ? await askPlace(context, isNew(car) ? undefined : car) : undefined);
  const notes = given.notes ?? (yes ? undefined : await askNotes(context));
  const photos = given.photos ?? (yes ? [] : await askPhotos(context, options));
  return { car, eventType, place, notes, at: given.at, photos };
}

const parks = ({ config }: DropoffPlan['eventType']): boolean => config?.requiresParkingSpot === true;

async function askNotes(context: Context): Promise<string | undefined> {
  const check = (text: string) => (text.length > longestNotes ? `At most ${longestNotes} characters.` : undefined);
  return (await askLine(context, { label: 'Notes', hint: 'optional, Enter for none', check })) || undefined;
}
