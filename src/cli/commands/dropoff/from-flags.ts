/** What the flags of `cs dropoff` say, looked up on the server and checked. */

import { usage } from '../../errors/exit.ts';
import type { Context } from '../../framework/context.ts';
import { connectionFlags } from '../../framework/next-command.ts';
import { missingInput } from '../../prompts/prompts.ts';
import { findAppointment } from '../counter/appointment.ts';
import { findCar } from '../counter/find-car.ts';
import { type EventFlags, readEventFlags } from '../counter/flags.ts';
import { requireFree } from '../counter/place-checks.ts';
import { findPlace, type PlaceFlags, requireOnePlace } from '../counter/place-flags.ts';
import { findType } from '../counter/types.ts';
import { requireDropoffType, requireUsableCar } from './checks.ts';
import { type DropoffPlan, isNew } from './plan.ts';

export interface DropoffFlags extends EventFlags, PlaceFlags {
  readonly car?: string;
}

/** A plan with gaps: what was not given by a flag. */
export type PartialPlan = Partial<DropoffPlan>;

/** Without a terminal everything must be given: exit 2 names all that is missing. */
export function requireFlags({ car, type, dryRun }: DropoffFlags, yes: boolean): void {
  const gaps = [car === undefined && '--car', type === undefined && '--type', !yes && !dryRun && '--yes'].filter((flag) => flag !== false);
  if (gaps.length > 0) throw missingInput(gaps);
}

/** Looks up what the flags name. Photos come first: they need no server. */
export async function readFlags(context: Context, flags: DropoffFlags): Promise<PartialPlan> {
  requireOnePlace(flags);
  const given = await readEventFlags(context, flags);
  const globalFlags = connectionFlags(context);
  const car = flags.car === undefined ? undefined : await findCar(context, flags.car);
  if (car) await requireUsableCar(context, car);
  const eventType = flags.type === undefined ? undefined : await findType(context, flags.type, globalFlags);
  if (eventType) requireDropoffType(eventType, flags.car, globalFlags);
  const place = await findPlace(context, flags);
  if (place) await requireFree(context, place, car);
  return { ...given, car, eventType, place };
}

/** The plan of a script: the flags and nothing else. */
export function completePlan({ car, eventType, place, notes, at, photos = [] }: PartialPlan): DropoffPlan {
  if (!car || !eventType) throw missingInput(['--car', '--type']);
  if (eventType.config?.requiresParkingSpot && !place) throw missingInput(['--spot or --zone']);
  return { car, eventType, place, notes, at, photos };
}

/** The appointment that is fulfilled, by the flag or, on a terminal, by what there is today. */
export async function appointmentFor(
  context: Context,
  { car, eventType }: Pick<DropoffPlan, 'car' | 'eventType'>,
  { appointment: flag }: DropoffFlags,
): Promise<DropoffPlan['appointment']> {
  if (!isNew(car)) return findAppointment(context, { car, eventType, flag });
  if (flag) throw usage('--appointment names an appointment of a car that is known; this one is new.', 'leave it out');
  return undefined;
}
