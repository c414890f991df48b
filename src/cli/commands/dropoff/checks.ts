/** What can be known to be refused is refused here, before anything is stored. The codes are those that the service would answer. */
import type { Context } from '../../framework/context.ts';
import { connectionFlags, nextCommand } from '../../framework/next-command.ts';
import { type Car, describeCar } from '../../lookup/car.ts';
import { shortestUniqueRef } from '../../lookup/lookup.ts';
import { refusal } from '../counter/refusal.ts';
import { type EventType, logHint } from '../counter/types.ts';

export async function requireUsableCar(context: Context, car: Car): Promise<void> {
  if (car.status !== 'archived') return;
  const words = ['cars', 'update', await shortestUniqueRef(context, 'cars', car), '--status', 'checked_out'];
  throw refusal(
    'car_archived',
    `The car ${describeCar(car)} is archived.`,
    `take it back with \`${nextCommand(words, connectionFlags(context))}\``,
  );
}

/** Of the event types in use for cars, those that a drop-off can be: not an end of its parking. */
export const isDropoffType = ({ config }: EventType): boolean => !config?.releasesParkingSpot;

/** The drop-off itself first, then what parks a car, then the rest. */
export const dropoffRank = ({ value, config }: EventType): number => (value === 'drop_off' ? 0 : config?.requiresParkingSpot ? 1 : 2);

export function requireDropoffType(type: EventType, car: string | undefined, flags: readonly string[]): void {
  if (!isDropoffType(type))
    throw refusal('parking_not_allowed', `${type.value} takes a car out of its parking, so it is no drop-off.`, logHint(type, car, flags));
}
