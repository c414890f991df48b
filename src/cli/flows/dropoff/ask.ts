/** Asks a person for what the flags left open. Nothing is stored by any of it. */

import { ApiError } from '../../../client/errors.ts';
import type { Context } from '../../command.ts';
import { CliError } from '../../exit.ts';
import { askLine } from '../prompts.ts';
import { askCar } from './ask-car.ts';
import { askPhotos } from './ask-photos.ts';
import { askPlace } from './ask-place.ts';
import { askType } from './ask-type.ts';
import type { PartialPlan } from './from-flags.ts';
import { type DropoffPlan, isNew, type PhotoOptions } from './plan.ts';

const longestNotes = 10_000;

/** With --yes only what must be known is asked. */
export async function askPlan(context: Context, given: PartialPlan, options: PhotoOptions): Promise<DropoffPlan> {
  await requireScopes(context);
  const { yes } = context.settings;
  const car = given.car ?? (await askCar(context));
  const eventType = given.eventType ?? (await askType(context));
  const place = given.place ?? (eventType.config?.requiresParkingSpot ? await askPlace(context, isNew(car) ? undefined : car) : undefined);
  const notes = given.notes ?? (yes ? undefined : await askNotes(context));
  const photos = given.photos ?? (yes ? [] : await askPhotos(context, options));
  return { car, eventType, place, notes, at: given.at, photos };
}

async function askNotes(context: Context): Promise<string | undefined> {
  const check = (text: string) => (text.length > longestNotes ? `At most ${longestNotes} characters.` : undefined);
  return (await askLine(context, { label: 'Notes', hint: 'optional, Enter for none', check })) || undefined;
}

/** A key that may not park is told before the questions, not after. Another server may not tell what a key may do; then it is seen later. */
async function requireScopes(context: Context): Promise<void> {
  const client = await context.client();
  const me = await client.me.get().catch((error) => {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  });
  const scope =
    me?.scopes && ['read:cars', 'write:cars', 'read:parking', 'write:parking'].find((needed) => !me.scopes.some((held) => held === needed));
  if (!scope) return;
  throw new CliError({
    code: 'missing_scope',
    message: `Missing scope: ${scope}. A drop-off needs it. Nothing was stored.`,
    hint: `a key that has ${scope} is needed; \`cs auth status\` shows what yours has, \`cs auth login\` takes another`,
    details: { scope },
    exitCode: 5,
  });
}
