/** A pick-up as it was asked for: everything looked up and checked, nothing stored yet. */
import type { Client } from '../../../client/client.ts';
import { nextCommand } from '../../next-command.ts';
import { type Car, describeCar } from '../cars/describe.ts';
import type { EventPlan } from '../event/plan.ts';
import { type EventType, logHint } from '../event/types.ts';
import type { Place } from '../places/place.ts';
import { refusal } from '../refusal.ts';

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

/** Nobody can be handed a car that is not here. The service would log it all the same. */
export function requireHere(car: Car, what: { verb: string; hint: (flags: readonly string[]) => string }, flags: readonly string[]): void {
  if (isHere(car)) return;
  const where = { expected: 'it has not come yet', checked_out: 'it is out', archived: 'it is archived', stored: 'it stands nowhere' }[
    car.status
  ];
  throw refusal('car_not_here', `${describeCar(car)} cannot be ${what.verb}: ${where}.`, what.hint(flags), { exitCode: 7 });
}

export const isHere = ({ parkingSpotId, parkingZoneId }: Car): boolean => parkingSpotId !== null || parkingZoneId !== null;

export const handedOut = (car: Car) => ({
  verb: 'handed out',
  hint: (flags: readonly string[]) => `what became of it: \`${nextCommand(['cars', 'events', 'list', car.id], flags)}\``,
});

/** A person may have thought for a while: somebody else can have handed the car out meanwhile. */
export async function requireStillHere(client: Client, { car }: PickupPlan, flags: readonly string[]): Promise<void> {
  const now = await client.cars.get(car.id);
  requireHere(now, handedOut(now), flags);
}
