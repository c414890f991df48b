/** The plan of a pick-up, and what the argument and flags of `cs pickup` contribute: looked up and checked, nothing stored yet. */

import type { Car } from '../../../facility/car-names.ts';
import { freesPlace, requiresPlace } from '../../../facility/event-type.ts';
import type { Context } from '../../context.ts';
import { CliError } from '../../errors/exit.ts';
import { connectionFlags } from '../../framework/next-command.ts';
import { missingInput } from '../../prompts/prompts.ts';
import { joinList } from '../../terminal/text.ts';
import { findAppointment } from '../counter/appointment.ts';
import { readVehicleTypes } from '../counter/ask-event.ts';
import { type Find, orFail } from '../counter/ask-instead.ts';
import { findCar, requireParked } from '../counter/car.ts';
import {
  type EventFlags,
  type EventPlan,
  type EventType,
  findEventType,
  logHint,
  readEventFlags,
} from '../counter/event.ts';
import { readEventTime, requireTime } from '../counter/event-time.ts';
import { currentPlace, type Place } from '../counter/place.ts';
import { refusal } from '../counter/refusal.ts';

export interface PickupFlags extends EventFlags {
  /** The argument. */
  readonly car?: string;
}

export interface PickupPlan extends EventPlan {
  readonly car: Car;
  /** Where the car is parked; undefined without the scope to read parking. */
  readonly place?: Place;
}

export type PartialPlan = Partial<PickupPlan>;

/** Without a terminal: names every missing argument and flag. */
export function requireFlags({ car, dryRun }: PickupFlags, yes: boolean): void {
  const missing = [car === undefined && 'CAR', !yes && !dryRun && '--yes'].filter(
    (name) => name !== false,
  );
  if (missing.length > 0) throw missingInput(missing);
}

/** Looks up and checks what the flags name. Photos come first: they need no server. */
export async function readFlags(
  context: Context,
  flags: PickupFlags,
  find: Find = orFail,
): Promise<PartialPlan> {
  const typedAt = requireTime(context, flags.at);
  const given = await readEventFlags(context, flags);
  const car = await find('car', () => findKnownCar(context, flags));
  const eventType = flags.type === undefined ? undefined : await findEventType(context, flags.type);
  if (eventType) requirePickupType(eventType, flags.car, connectionFlags(context));
  return { ...given, car, eventType, at: await readEventTime(context, flags.at, typedAt) };
}

async function findKnownCar(context: Context, flags: PickupFlags): Promise<Car | undefined> {
  const car = flags.car === undefined ? undefined : await findCar(context, flags.car);
  if (car) await requireNotPickedUp(context, car, flags);
  return car;
}

/** A repeat with the same idempotency key finds the car picked up by the first run: the service answers with that result. */
export async function requireNotPickedUp(
  context: Context,
  car: Car,
  { idempotencyKey }: PickupFlags,
): Promise<void> {
  if (idempotencyKey === undefined)
    await requireParked(context, car, {
      hint: 'see its history:',
      command: (name) => ['cars', 'events', 'list', name],
    });
}

/** The plan of a script: the argument and the flags alone. */
export async function completePlan(
  context: Context,
  given: PartialPlan,
  flags: PickupFlags,
): Promise<PickupPlan> {
  const { car, photos = [], ...plan } = given;
  if (!car) throw missingInput(['CAR']);
  const eventType = plan.eventType ?? (await singlePickupType(context));
  const appointment = await findAppointment(context, { car, eventType, flag: flags.appointment });
  return { ...plan, car, eventType, appointment, photos, place: await currentPlace(context, car) };
}

async function singlePickupType(context: Context): Promise<EventType> {
  const possible = (await readVehicleTypes(await context.client())).filter(isPickupType);
  const [only, second] = possible.filter(freesPlace);
  if (only && !second) return only;
  if (only || possible.length === 0) throw missingInput(['--type']);
  throw new CliError({
    code: 'usage',
    message:
      "Missing required flag: --type. No event type of this server says that it frees the place (config.releasesParkingSpot, which is beyond the specification), so cs can't choose one.",
    hint: `give the type of a pick-up: ${joinList(
      possible.map(({ value }) => `--type ${value}`),
      'or',
    )}`,
  });
}

/** Whether an event of this type can be a pick-up: the server says so, or doesn't tell. */
export const isPickupType = (type: EventType): boolean => freesPlace(type) ?? !requiresPlace(type);

/** Types that free the place first, then the type of the command. */
export const pickupRank = (type: EventType): number =>
  (freesPlace(type) ? 0 : 2) + (type.value === 'pick_up' ? 0 : 1);

/** The service would store it, and the car would stay parked. */
function requirePickupType(
  type: EventType,
  car: string | undefined,
  globalFlags: readonly string[],
): void {
  if (!isPickupType(type))
    throw refusal(
      'validation_failed',
      `${type.value} can't be a pick-up: it doesn't free the place.`,
      logHint(type, car, globalFlags),
    );
}
