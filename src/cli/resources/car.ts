import { type CarIdentity, carName } from '../../facility/car-names.ts';

/** The columns of a car in another row. */
export const carCells = (car: CarIdentity | null) => ({
  licensePlate: car?.licensePlate,
  car: car && carName(car),
  carId: car?.id,
});
