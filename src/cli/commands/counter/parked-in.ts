/** Where the screen showed a car: the server refuses the request if the car is elsewhere by then. */
import type { Car } from '../../../facility/car-names.ts';
import { isParked } from './car.ts';
import type { Place } from './place.ts';

/** What the commands do on servers without `If-Parked-In`. */
export const otherwiseUnchecked = 'a change that another counter makes meanwhile goes unnoticed';

/** The value of `If-Parked-In`. Undefined where the server doesn't tell. */
export const shownIn = (
  car: Pick<Car, 'parkingSpotId' | 'parkingZoneId'>,
  place?: Place,
): string | undefined =>
  place?.record.id ??
  car.parkingSpotId ??
  car.parkingZoneId ??
  (isParked(car) === false ? 'none' : undefined);

/** The same for a command that needs a parked car. */
export function shownHere(car: Car, place: Place | undefined): string {
  const shown = shownIn(car, place);
  return shown === undefined || shown === 'none' ? 'any' : shown;
}
