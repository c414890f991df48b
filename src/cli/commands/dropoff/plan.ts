/** The plan of a drop-off, and what the flags of `cs dropoff` contribute: looked up and checked, nothing stored yet. */
import type { CreateFor, RecordFor } from '../../../contract/contract.ts';
import { type Car, describeCar } from '../../../facility/car-names.ts';
import { freesPlace, requiresPlace } from '../../../facility/event-type.ts';
import type { Context } from '../../context.ts';
import { usage } from '../../errors/exit.ts';
import { connectionFlags, nextCommand } from '../../framework/next-command.ts';
import { missingInput } from '../../prompts/prompts.ts';
import { shortestUniqueRef } from '../../resources/lookup.ts';
import { findAppointment } from '../counter/appointment.ts';
import { type Find, orFail } from '../counter/ask-instead.ts';
import type { NewCar } from '../counter/ask-new-car.ts';
import { findCar } from '../counter/car.ts';
import {
  type EventFlags,
  type EventPlan,
  type EventType,
  eventValues,
  findEventType,
  logHint,
  readEventFlags,
} from '../counter/event.ts';
import { readEventTime, requireTime } from '../counter/event-time.ts';
import {
  findPlace,
  type Place,
  type PlaceFlags,
  placeFields,
  requireFree,
  requireOnePlace,
} from '../counter/place.ts';
import { refusal } from '../counter/refusal.ts';

export interface DropoffFlags extends EventFlags, PlaceFlags {
  readonly car?: string;
}

export interface DropoffPlan extends EventPlan {
  readonly car: RecordFor<'cars'> | NewCar;
  /** Undefined for an event type that parks nothing. */
  readonly place?: Place;
}

export type PartialPlan = Partial<DropoffPlan>;

export const isNew = (car: DropoffPlan['car']): car is NewCar => 'kind' in car;

/** The body of the request that logs the event. */
export function eventBody({ place, ...plan }: DropoffPlan): CreateFor<'carEvents'> {
  const { activityType, ...optional } = eventValues(plan);
  return { activityType, ...(place && placeFields(place)), ...optional };
}

/** Without a terminal: names every missing flag. */
export function requireFlags({ car, type, dryRun }: DropoffFlags, yes: boolean): void {
  const missing = [
    car === undefined && 'CAR',
    type === undefined && '--type',
    !yes && !dryRun && '--yes',
  ].filter((flag) => flag !== false);
  if (missing.length > 0) throw missingInput(missing);
}

/** Looks up and checks what the flags name. Photos come first: they need no server. */
export async function readFlags(
  context: Context,
  flags: DropoffFlags,
  find: Find = orFail,
): Promise<PartialPlan> {
  requireOnePlace(flags);
  const typedAt = requireTime(context, flags.at);
  const given = await readEventFlags(context, flags);
  const car = await find('car', () => findKnownCar(context, flags));
  const eventType = flags.type === undefined ? undefined : await findEventType(context, flags.type);
  if (eventType) requireDropoffType(eventType, flags.car, connectionFlags(context));
  const place = await find('place', () => findFreePlace(context, flags, car));
  return { ...given, car, eventType, place, at: await readEventTime(context, flags.at, typedAt) };
}

async function findKnownCar(context: Context, flags: DropoffFlags): Promise<Car | undefined> {
  const car = flags.car === undefined ? undefined : await findCar(context, flags.car);
  if (car) await requireNotArchived(context, car);
  return car;
}

async function findFreePlace(
  context: Context,
  flags: DropoffFlags,
  car: Car | undefined,
): Promise<Place | undefined> {
  const place = await findPlace(context, flags);
  if (place) await requireFree(context, place, car);
  return place;
}

/** The plan of a script: the flags alone. */
export function completePlan({ car, eventType, photos = [], ...plan }: PartialPlan): DropoffPlan {
  if (!car || !eventType) throw missingInput(['CAR', '--type']);
  if (requiresPlace(eventType) && !plan.place) throw missingInput(['--spot or --zone']);
  return { ...plan, car, eventType, photos };
}

/** The appointment that the drop-off fulfils. */
export async function findFulfilled(
  context: Context,
  { car, eventType }: Pick<DropoffPlan, 'car' | 'eventType'>,
  { appointment: flag }: DropoffFlags,
): Promise<DropoffPlan['appointment']> {
  if (!isNew(car)) return findAppointment(context, { car, eventType, flag });
  if (flag)
    throw usage(
      "--appointment can't be used with a new car, which has no appointments.",
      'leave --appointment out',
    );
  return undefined;
}

/** The service refuses an archived car too, but only after all prompts, and a dry run sends nothing that it could refuse. */
async function requireNotArchived(context: Context, car: Car): Promise<void> {
  if (car.status !== 'archived') return;
  const words = [
    'cars',
    'update',
    await shortestUniqueRef(context, 'cars', car),
    '--status',
    'checked_out',
  ];
  throw refusal(
    'car_archived',
    `The car ${describeCar(car)} is archived.`,
    `unarchive it with \`${nextCommand(words, connectionFlags(context))}\``,
  );
}

/** Whether an event of this type can be a drop-off. */
export const isDropoffType = (type: EventType): boolean => !freesPlace(type);

/** The type of the command first, then types that park. */
export const dropoffRank = (type: EventType): number =>
  type.value === 'drop_off' ? 0 : requiresPlace(type) ? 1 : 2;

/** The service would store it, as a pick-up. */
function requireDropoffType(
  type: EventType,
  car: string | undefined,
  globalFlags: readonly string[],
): void {
  if (!isDropoffType(type))
    throw refusal(
      'parking_not_allowed',
      `${type.value} can't be a drop-off: it ends the parking.`,
      logHint(type, car, globalFlags),
    );
}
