/** The board for a spreadsheet: a row a spot, and a row a car that stands in a zone as a whole. */

import { carCells } from '../../lookup/car.ts';
import type { Row, View } from '../../output/view.ts';
import type { BoardZone } from './model.ts';

export const boardRowView: View = {
  one: 'place',
  many: 'places',
  columns: [],
  title: () => '',
  fields: ['location', 'zone', 'spot', 'kind', 'state', 'licensePlate', 'car', 'carId', 'spotId', 'zoneId', 'locationId'],
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
