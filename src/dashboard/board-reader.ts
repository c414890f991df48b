/** The records of the board. Customers aren't read: the board hangs on walls. */
import { type BoardZone, makeBoard } from '../facility/board.ts';
import { follow, followAll } from './followed.ts';
import { readAll } from './read.ts';

export function boardReader(): (signal: AbortSignal) => Promise<BoardZone[]> {
  const readLocations = followAll('locations');
  const readZones = followAll('parking/zones');
  const readSpots = followAll('parking/spots');
  const readCars = follow(
    // What has changed includes cars that have left, to remove them.
    (updatedAfter, signal) =>
      readAll('cars', updatedAfter ? { updatedAfter } : { status: 'stored' }, signal),
    ({ status }) => status === 'stored',
  );
  return async (signal) => {
    const [locations, zones, spots, cars] = await Promise.all([
      readLocations(signal),
      readZones(signal),
      readSpots(signal),
      readCars(signal),
    ]);
    return makeBoard({ locations, zones, spots, cars });
  };
}
