/** What people call a car. */
import type { RecordFor } from '../contract/contract.ts';

export type Car = RecordFor<'cars'>;
type NamedCar = Partial<Pick<Car, 'licensePlate' | 'nickname' | 'vin' | 'year' | 'make' | 'model'>>;

/** The fields that identify a car. */
export const identityFields = [
  'id',
  'licensePlate',
  'vin',
  'nickname',
  'year',
  'make',
  'model',
] as const;
export type CarIdentity = Pick<Car, (typeof identityFields)[number]>;

export const identityOf = (car: Car): CarIdentity =>
  Object.fromEntries(
    identityFields.map((field) => [field, car[field] ?? null]),
  ) as unknown as CarIdentity;

/** `1973 Porsche 911 Carrera RS` */
export const carName = ({ year, make, model }: NamedCar): string =>
  [year, make, model].filter(Boolean).join(' ');

/** `HH-RS 73 · 1973 Porsche 911 Carrera RS · “Ducktail”` */
export function describeCar(car: NamedCar): string {
  return [car.licensePlate, carName(car), car.nickname && `“${car.nickname}”`]
    .filter(Boolean)
    .join(' · ');
}

/** The name of a car in a sentence. */
export const titleOf = (car: NamedCar): string =>
  car.licensePlate ?? car.nickname ?? car.vin ?? describeCar(car);
