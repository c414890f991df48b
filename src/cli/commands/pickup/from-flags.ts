/** What the argument and the flags of `cs pickup` say, looked up on the server and checked. */

import { gather } from '../../crud/methods.ts';
import type { Context } from '../../framework/context.ts';
import { connectionFlags } from '../../framework/next-command.ts';
import type { Car } from '../../lookup/car.ts';
import { missingInput } from '../../prompts/prompts.ts';
import { findAppointment } from '../counter/appointment.ts';
import { findCar } from '../counter/find-car.ts';
import { type EventFlags, readEventFlags } from '../counter/flags.ts';
import { placeOf } from '../counter/place.ts';
import { type EventType, findType } from '../counter/types.ts';
import { handedOut, isPickupType, type PickupPlan, requireHere, requirePickupType } from './plan.ts';

export interface PickupFlags extends EventFlags {
  /** The argument. */
  readonly car?: string;
}

/** A plan with gaps: what was not given. */
export type PartialPickup = Partial<PickupPlan>;

/** Without a terminal everything must be given: exit 2 names all that is missing. */
export function requireGiven({ car, dryRun }: PickupFlags, yes: boolean): void {
  const gaps = [car === undefined && 'CAR', !yes && !dryRun && '--yes'].filter((flag) => flag !== false);
  if (gaps.length > 0) throw missingInput(gaps);
}

export async function readGiven(context: Context, flags: PickupFlags): Promise<PartialPickup> {
  const given = await readEventFlags(context, flags);
  const globalFlags = connectionFlags(context);
  const car = flags.car === undefined ? undefined : await findCar(context, flags.car);
  if (car) await requireReady(context, car, flags);
  const eventType = flags.type === undefined ? undefined : await findType(context, flags.type, globalFlags);
  if (eventType) requirePickupType(eventType, flags.car, globalFlags);
  return { ...given, car, eventType };
}

/** A repeat with the same Idempotency-Key finds the car gone, by its own first try; the service answers that one again. */
export async function requireReady(context: Context, car: Car, { idempotencyKey }: PickupFlags): Promise<void> {
  if (idempotencyKey === undefined) await requireHere(context, car, handedOut);
}

/** The plan of a script: what was given and nothing else. */
export async function completePickup(context: Context, given: PartialPickup, flags: PickupFlags): Promise<PickupPlan> {
  const { car, photos = [], ...plan } = given;
  if (!car) throw missingInput(['CAR']);
  const eventType = plan.eventType ?? (await onlyType(context));
  const appointment = await findAppointment(context, { car, eventType, flag: flags.appointment });
  return { ...plan, car, eventType, appointment, photos, place: await placeOf(context, car) };
}

/** Where one type alone frees a place there is nothing to choose. */
async function onlyType(context: Context): Promise<EventType> {
  const client = await context.client();
  const [only, second] = (await gather(client.eventTypes.all({ scope: 'vehicle', isActive: true }))).filter(isPickupType);
  if (!only || second) throw missingInput(['--type']);
  return only;
}
