/** How lists show cars. */
import { carName, identityFields } from '../../../facility/car-names.ts';
import { idColumn, plateCells, resultView, timeColumn, type View } from '../../output/view.ts';
import { state, viewOf } from '../../resources/view.ts';

export const carView = viewOf('cars', {
  columns: [
    // First the column that can be typed instead of an id.
    { header: 'plate', cell: (row) => row.licensePlate, minCells: plateCells },
    { header: 'car', cell: carName },
    { header: 'nickname', cell: (row) => row.nickname, droppable: true },
    state(),
    {
      header: 'parked',
      cell: (row, { label }) =>
        label('parkingSpots', row.parkingSpotId) || label('parkingZones', row.parkingZoneId),
      names: { parkingSpotId: 'parkingSpots', parkingZoneId: 'parkingZones' },
    },
    {
      header: 'owner',
      cell: (row, { label }) => label('customers', row.customerId),
      names: { customerId: 'customers' },
      droppable: true,
    },
    { header: 'vin', cell: (row) => row.vin, droppable: true },
    idColumn,
  ],
  title: (row) => [carName(row), row.licensePlate].filter(Boolean).join(' · '),
  emptyHint: 'Add a car with `cs cars create`.',
});

export const missingView: View = {
  ...resultView('car', [
    ...identityFields,
    ...['parkingSpotId', 'parkingZoneId', 'eventId', 'sessionId', 'droppedOffAt', 'missingPhotos'],
  ]),
  columns: [
    ...carView.columns.filter(({ header }) => ['plate', 'car', 'parked'].includes(header)),
    timeColumn('dropped off', 'droppedOffAt'),
    { header: 'missing', cell: ({ missingPhotos }) => missingPhotos },
    idColumn,
  ],
  emptyHint: 'Every car that is here has the photos of its list.',
};
