/** A pick-up as it was asked for: everything looked up and checked, nothing stored yet. */
import type { Context } from '../../framework/context.ts';
import { connectionFlags, nextCommand } from '../../framework/next-command.ts';
import { type Car, describeCar } from '../../lookup/car.ts';
import { shortestUniqueRef } from '../../lookup/lookup.ts';
import type { Place } from '../counter/place.ts';
import type { EventPlan } from '../counter/plan.ts';
import { refusal } from '../counter/refusal.ts';
import { type EventType, logHint } from '../counter/types.ts';

export interface PickupPlan extends EventPlan {
  readonly car: Car;
  /** Where the car stands; not known to a key that may not read parking. */
  readonly place?: Place;
}

/** Of the event types in use for cars, those that a pick-up can be: an end of the car's parking. */
export const isPickupType = ({ config }: EventType): boolean => config?.releasesParkingSpot === true;

/** The pick-up itself first, then the rest. */
export const pickupRank = ({ value }: EventType): number => (value === 'pick_up' ? 0 : 1);

export function requirePickupType(type: EventType, car: string | undefined, flags: readonly string[]): void {
  if (!isPickupType(type))
    throw refusal(
      'event_type_keeps_parking',
      `${type.value} does not free the car's place, so it is no pick-up.`,
      logHint(type, car, flags),
    );
}

/** What cannot be done with a car that is not here, and the command that helps, as words for what the car is called. */
interface NeedsCar {
  readonly verb: string;
  readonly hint: string;
  readonly command: (name: string) => string[];
}

/** Nobody can be handed a car that is not here. The service would log it all the same. */
export async function requireHere(context: Context, car: Car, { verb, hint, command }: NeedsCar): Promise<void> {
  if (isHere(car)) return;
  const where = { expected: 'it has not come yet', checked_out: 'it is out', archived: 'it is archived', stored: 'it stands nowhere' }[
    car.status
  ];
  const line = nextCommand(command(await shortestUniqueRef(context, 'cars', car)), connectionFlags(context));
  throw refusal('car_not_here', `${describeCar(car)} cannot be ${verb}: ${where}.`, `${hint} \`${line}\``, { exitCode: 7 });
}

export const isHere = ({ parkingSpotId, parkingZoneId }: Car): boolean => parkingSpotId !== null || parkingZoneId !== null;

export const handedOut: NeedsCar = {
  verb: 'handed out',
  hint: 'what became of it:',
  command: (name) => ['cars', 'events', 'list', name],
};

/** A person may have thought for a while: somebody else can have handed the car out meanwhile. */
export async function requireStillHere(context: Context, { car }: PickupPlan): Promise<void> {
  const client = await context.client();
  await requireHere(context, await client.cars.get(car.id), handedOut);
}
