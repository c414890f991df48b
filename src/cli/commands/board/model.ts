/** The board as rows for CSV, and the keys of its cars in the live view. */
import type { BoardSpot, BoardZone } from '../../../facility/board.ts';
import type { CarIdentity } from '../../../facility/car-names.ts';
import type { Row, View } from '../../output/view.ts';
import { carCells } from '../../resources/car.ts';

/** Where a car is drawn, for the live view. */
export const keyOnSpot = ({ id }: Pick<BoardSpot, 'id'>): string => `spot ${id}`;
export const keyInZone = (zone: Pick<BoardZone, 'id'>, car: CarIdentity): string =>
  `zone ${zone.id} ${car.id}`;

/** A row for each spot, and for each car in a zone without a spot. */
export const boardRowView: View = {
  one: 'place',
  many: 'places',
  columns: [],
  title: () => '',
  fields: [
    'location',
    'zone',
    'spot',
    'kind',
    'state',
    'licensePlate',
    'car',
    'carId',
    'spotId',
    'zoneId',
    'locationId',
  ],
};

export const boardRows = (board: readonly BoardZone[]): Row[] =>
  board.flatMap(({ id, name, location, spots, carsWithoutSpot }) => {
    const where = { location: location.name, locationId: location.id, zone: name, zoneId: id };
    return [
      ...spots.map((spot) => ({
        ...{ ...where, spot: spot.name, spotId: spot.id, kind: spot.kind, state: spot.state },
        ...carCells(spot.car),
        carId: spot.occupiedByCarId,
      })),
      ...carsWithoutSpot.map((car) => ({ ...where, state: 'taken', ...carCells(car) })),
    ];
  });
